/**
 * What `npm start`, `npm test` and most of `npm run` call on a checkout: installs and builds what is
 * missing, then runs the program in this same process, so that it gets the signals and sets the exit
 * code. It needs no installed package. On a Node that is too old it fetches a newer one and goes on with it.
 */
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runChild } from './child.js';
import { fetchNode, installPackages } from './install.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const majorOf = (version) => Number.parseInt(version.replace(/^\D+/, ''), 10);

/** Script and first arguments of each npm command. */
const targets = {
  start: ['bin/run.js', 'demo'],
  test: ['test/run.js'],
  bench: ['dist/bench/main.js'],
  mutate: ['test/mutation/run.js'],
  soak: ['test/soak.js'],
  simulate: ['dist/test/simulator/main.js'],
  build: [],
  package: ['bin/package.js'],
};

function fail(message) {
  console.error(message);
  if (process.argv[2] === 'test') console.log('0 passed, 1 failed');
  process.exit(1);
}

/**
 * Runs this script again on a newer Node. Whatever is started from there finds the same one.
 * @returns {Promise<number>} the exit code
 */
async function goOnWithNewerNode() {
  const here = `Kashbox needs Node ${readJson('package.json').engines.node}; this is Node ${process.versions.node}.`;
  const node = await fetchNode(`${here} Fetching`);
  if (node === undefined) fail(`${here} Install a newer one from https://nodejs.org.`);
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH, NODE: node, npm_node_execpath: node };
  return runChild(node, process.argv.slice(1), { stdio: 'inherit', env });
}

async function main() {
  const [word, ...args] = process.argv.slice(2);
  const target = Object.hasOwn(targets, word ?? '') ? targets[word] : undefined;
  if (target === undefined) {
    console.error(`Usage: node bin/bootstrap.js ${Object.keys(targets).join('|')} [arguments]`);
    process.exit(2);
  }
  // Programs for the tests are fetched and unpacked beside the packages; the test runner waits for them.
  if (word === 'test') void (await import('../test/tools.js')).installTools();
  if (!(await installPackages()))
    fail('The packages could not be installed; what is printed above says why.');
  // The test runner does this by itself: a type error is one of the things that it counts.
  if (word !== 'test') {
    const { build } = await import('./build.js');
    const broken = (await build()).filter((part) => !part.ok).map((part) => part.name);
    if (broken.length > 0) fail(`Not built: ${broken.join(', ')}.`);
  }
  const [script, ...first] = target;
  if (script === undefined) return;
  process.argv = [process.execPath, join(root, script), ...first, ...args];
  await import(pathToFileURL(join(root, script)).href);
}

if (majorOf(process.versions.node) < majorOf(readJson('package.json').engines.node)) {
  process.exitCode = await goOnWithNewerNode();
} else {
  await main();
}
