/**
 * What `npm test` runs: lint, types, then the tests of both packages against one real PostgreSQL server.
 * Its last line is always `N passed, N failed`; it exits non-zero when anything failed.
 * Arguments narrow the run for a developer: `npm test -- test/store`, `npm test -- --match='*twice*'`.
 */
import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { build, root } from '../bin/build.js';
import { runChild } from '../bin/child.js';
import { groupTests } from './groups.js';
import { makeScratch, removeScratch } from './scratch.js';
import { runSuite } from './suite.js';
import { installTools } from './tools.js';

const relay = join(root, 'relay-android-ts');

/**
 * Splits the caller's arguments by package. A path names a source file, a folder or a glob, as in the
 * sources; AVA is given what the build made of it. Without a path all tests run: those of the program in
 * groups, one test after the other in each.
 * @returns {{folder: string, runs: string[][]}[]} the suites with the arguments of each AVA
 */
function suitesFor(args) {
  const options = args.filter((arg) => arg.startsWith('-'));
  if (options.length === args.length) {
    const files = groupTests(root, process.env.KASHBOX_TEST_TIER === 'soak');
    return [
      { folder: relay, runs: [options] },
      {
        folder: root,
        runs: files.map((file) => [...options, ...(file.includes('/groups/') ? ['--serial'] : []), file]),
      },
    ];
  }
  const wanted = { [root]: [], [relay]: [] };
  for (const arg of args.filter((arg) => !arg.startsWith('-'))) {
    const path = resolve(root, arg);
    const folder = path === relay || path.startsWith(relay + sep) ? relay : root;
    const isFolder = existsSync(path) && statSync(path).isDirectory();
    const source = relative(folder, isFolder ? join(path, '**', '*.test.ts') : path);
    wanted[folder].push(join('dist', source.replace(/\.ts$/, '.js')));
  }
  return [relay, root]
    .filter((folder) => wanted[folder].length > 0)
    .map((folder) => ({ folder, runs: [[...options, ...wanted[folder]]] }));
}

/**
 * Runs a suite against a PostgreSQL server of its own, which is stopped whatever happens.
 * @returns what runSuite returns; one failure where there is no server
 */
async function runWithServer({ folder, runs }) {
  const server = await startServer();
  if (server === undefined) {
    console.log('No test of the program was run, because the store cannot be tested without PostgreSQL.');
    return { passed: 0, failed: 1 };
  }
  try {
    return await runSuite(folder, runs, { ...process.env, KASHBOX_TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

/** @returns the running server, or undefined after saying why there is none */
async function startServer() {
  try {
    const { startPostgres } = await import('../dist/test/helpers/stores/postgres-server.js');
    const { makeTemplate } = await import('../dist/test/helpers/stores/postgres.js');
    const server = await startPostgres();
    await makeTemplate(server.url);
    return server;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return undefined;
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

  const linting = args.length === 0 ? lint() : undefined;
  const parts = await build();
  if (linting !== undefined) check('lint', await linting);
  for (const part of parts) check(part.name, part.ok);
  await installTools();
  process.env.TMPDIR = makeScratch();
  // Each process loads the whole program: what the first have compiled, the others read.
  process.env.NODE_COMPILE_CACHE = join(process.env.TMPDIR, 'compiled');
  let found = 0;
  const suite = async ({ folder, runs }) => {
    if (stop.signal.aborted) return;
    const run = folder === root ? runWithServer({ folder, runs }) : runSuite(folder, runs, process.env);
    const { passed, failed } = await run;
    tally.passed += passed;
    tally.failed += failed;
    found += passed + failed;
  };
  await Promise.all(stop.signal.aborted ? [] : suitesFor(args).map(suite));
  removeScratch(process.env.TMPDIR);
  if (stop.signal.aborted) check('Interrupted before the end.', false);
  else if (found === 0) check('No test matches.', false);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
