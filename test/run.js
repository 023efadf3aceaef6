/**
 * What `npm test` runs: lint, types, then the tests of both packages against one real PostgreSQL server.
 * Its last line is always `N passed, N failed`; it exits non-zero when anything failed.
 * Arguments narrow the run for a developer: `npm test -- test/store`, `npm test -- --match='*twice*'`.
 */
import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { build, root } from '../bin/build.js';
import { runChild } from '../bin/child.js';
import { runAva } from './suite.js';
import { installTools } from './tools.js';

const relay = join(root, 'relay-android-ts');

/**
 * Splits the caller's arguments by package. A path names a source file, a folder or a glob, as in the
 * sources; AVA is given what the build made of it.
 * @returns {{folder: string, args: string[]}[]} the suites to run with their arguments
 */
function suitesFor(args) {
  const options = args.filter((arg) => arg.startsWith('-'));
  const wanted = { [root]: [], [relay]: [] };
  for (const arg of args.filter((arg) => !arg.startsWith('-'))) {
    const path = resolve(root, arg);
    const folder = path === relay || path.startsWith(relay + sep) ? relay : root;
    const isFolder = existsSync(path) && statSync(path).isDirectory();
    const source = relative(folder, isFolder ? join(path, '**', '*.test.ts') : path);
    wanted[folder].push(join('dist', source.replace(/\.ts$/, '.js')));
  }
  const folders = [root, relay].filter(
    (folder) => args.length === options.length || wanted[folder].length > 0,
  );
  return folders.map((folder) => ({ folder, args: [...options, ...wanted[folder]] }));
}

/** @returns the running server, or undefined after saying why there is none */
async function startServer() {
  try {
    const { findPostgres, startPostgres } = await import('../dist/test/helpers/stores/postgres-server.js');
    const { makeTemplate } = await import('../dist/test/helpers/stores/postgres.js');
    await installTools(findPostgres);
    const server = await startPostgres();
    await makeTemplate(server.url);
    return server;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Runs the suites one after the other; the server is stopped whatever happens. */
async function runSuites(suites, tally, stopping) {
  const server = await startServer();
  if (server === undefined) {
    console.log('No test was run, because the store cannot be tested without PostgreSQL.');
    tally.failed += 1;
    return;
  }
  try {
    const env = { ...process.env, KASHBOX_TEST_DATABASE_URL: server.url };
    let found = 0;
    for (const suite of suites) {
      if (stopping.aborted) return;
      const count = await runAva(suite.folder, suite.args, env);
      tally.passed += count.passed;
      tally.failed += count.failed;
      found += count.passed + count.failed;
    }
    if (found === 0) {
      console.log('No test matches.');
      tally.failed += 1;
    }
  } finally {
    await server.stop();
  }
}

async function lint() {
  console.log('Lint …');
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = ['check', '--error-on-warnings', '--max-diagnostics=200', '.'];
  return (await runChild(process.execPath, [biome, ...args], { cwd: root })) === 0;
}

async function main(args) {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  const tally = { passed: 0, failed: 0 };
  const check = (name, ok) => {
    tally[ok ? 'passed' : 'failed'] += 1;
    if (!ok) console.log(`✘ ${name}`);
  };

  if (args.length === 0) check('lint', await lint());
  for (const part of stop.signal.aborted ? [] : await build()) check(part.name, part.ok);
  if (!stop.signal.aborted) await runSuites(suitesFor(args), tally, stop.signal);
  if (stop.signal.aborted) {
    console.log('Interrupted before the end.');
    tally.failed += 1;
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
