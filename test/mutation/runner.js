/**
 * Stryker's way to our tests, of which it knows none: all test files lie in one process, in which one mutant
 * after the other is switched on and the tests that reach it are run, until one fails.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';

/** What was built in the copy that Stryker runs us in; it goes there after it has loaded us. */
const dist = (...names) => resolve('dist', ...names);
/** How long each test takes: a process that replaces one which hung has not run them all. */
const TIMES = 'test-times.json';
const stand = new URL('ava.js', import.meta.url).href;
const space = () => {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
};

/** Test files of the folders, in their order: the quick ones first. */
function testFiles(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(dist(folder), { recursive: true })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => dist(folder, name))
      .sort(),
  );
  return [...new Set(files)];
}

/** Whether a built file loads another one, directly or by others. */
function loads(file, target, seen = new Set()) {
  if (file === target) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b[^'"]*["'](\.[^"']+\.js)["'];?$/gm,
  );
  return [...imports].some(([, name]) => loads(join(dirname(file), name), target, seen));
}

class AvaRunner {
  tests = new Map();
  times = new Map();
  /** By test, when it found its last mutant: a number that grows. */
  killers = new Map();
  mutants = 0;
  fault = undefined;

  constructor({ ava }) {
    this.files = testFiles(ava.folders);
    this.skip = new RegExp(ava.skip);
  }

  /** What a mutant is cannot be undone where it was read while files loaded: those get a new process. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    const hook = `export const resolve = (name, context, next) =>
      name === 'ava' ? { url: ${JSON.stringify(stand)}, shortCircuit: true } : next(name, context);`;
    register(`data:text/javascript,${encodeURIComponent(hook)}`);
    // Who tries a mutant asks whether a property fails, not for its smallest counterexample.
    fc.configureGlobal({ endOnFailure: true });
    process.on('unhandledRejection', (fault) => {
      this.fault = fault;
    });
  }

  /** @returns {Promise<string[]>} the ids of a file's tests */
  async load(file) {
    const { testsOf } = await import(stand);
    const found = await testsOf(pathToFileURL(file).href);
    const kept = found.filter(({ title }) => !this.skip.test(title));
    return kept.map((test) => {
      const id = `${relative(dist('test'), file)} ${test.title}`;
      this.tests.set(id, test);
      return id;
    });
  }

  async loadAll() {
    if (this.tests.size === 0) for (const file of this.files) await this.load(file);
  }

  /** The tests that found a mutant most recently, then the quick ones: neighbours fall to the same tests. */
  inOrder(ids) {
    if (this.times.size === 0) this.times = new Map(JSON.parse(readFileSync(TIMES, 'utf8')));
    const turn = (id) => this.killers.get(id) ?? 0;
    const time = (id) => this.times.get(id) ?? 0;
    return ids.toSorted((one, other) => turn(other) - turn(one) || time(one) - time(other));
  }

  /** @returns {Promise<string | undefined>} why it fails */
  async failure(id) {
    this.fault = undefined;
    const { error } = (await this.tests.get(id)?.run()) ?? {};
    const cause = error ?? this.fault;
    return cause === undefined || cause === null
      ? undefined
      : `${id}: ${cause.cause?.message ?? cause.message}`;
  }

  async dryRun() {
    await this.loadAll();
    const tests = [];
    for (const id of this.tests.keys()) {
      space().currentTestId = id;
      const start = performance.now();
      const failureMessage = await this.failure(id);
      const timeSpentMs = performance.now() - start;
      this.times.set(id, timeSpentMs);
      tests.push({ id, name: id, timeSpentMs, status: failureMessage === undefined ? 0 : 1, failureMessage });
    }
    writeFileSync(TIMES, JSON.stringify([...this.times]));
    space().currentTestId = undefined;
    const coverage = space().mutantCoverage;
    const later = new Set(Object.values(coverage.perTest).flatMap((hits) => Object.keys(hits)));
    for (const id of later) delete coverage.static[id];
    return { status: 'complete', tests, mutantCoverage: coverage };
  }

  async mutantRun({ activeMutant, testFilter, mutantActivation, hitLimit, sandboxFileName }) {
    if (mutantActivation !== 'static') await this.loadAll();
    Object.assign(space(), { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const source = dist(relative(resolve('.'), sandboxFileName)).replace(/\.ts$/, '.js');
    const fileTests = (file) => (loads(file, source) ? this.load(file) : []);
    const runs =
      mutantActivation === 'static'
        ? this.files.map((file) => () => fileTests(file))
        : [() => this.inOrder(testFilter)];
    let nrOfTests = 0;
    for (const run of runs) {
      const ids = await Promise.resolve(run()).catch((error) => [error]);
      for (const id of ids) {
        nrOfTests += 1;
        const failureMessage =
          typeof id === 'string' ? await this.failure(id) : `does not load: ${id.message}`;
        if (/Stryker: Hit count limit/.test(failureMessage))
          return { status: 'timeout', reason: failureMessage };
        const killedBy = [typeof id === 'string' ? id : 'loading'];
        if (failureMessage === undefined) continue;
        this.killers.set(id, ++this.mutants);
        return { status: 'killed', killedBy, failureMessage, nrOfTests };
      }
    }
    return { status: 'survived', nrOfTests };
  }
}

const factory = (options) => new AvaRunner(options);
factory.inject = ['options'];
export const strykerPlugins = [{ kind: 'TestRunner', name: 'ava', factory }];
export const strykerValidationSchema = {
  properties: { ava: { type: 'object', required: ['folders', 'skip'], additionalProperties: true } },
};
