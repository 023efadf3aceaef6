/**
 * What `npm start`, `npm test` and most of `npm run` call on a checkout: installs and builds what is
 * missing, then runs the program in this same process, so that it gets the signals and sets the exit
 * code. It needs no installed package, and on a Node that is too old it says so.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Script and first arguments of each npm command. */
const targets = {
  start: ['bin/run.js', 'demo'],
  test: ['test/run.js'],
  bench: ['dist/bench/main.js'],
  mutate: ['test/mutation/run.js'],
  soak: ['test/soak.js'],
  simulate: ['dist/test/simulator/main.js'],
  build: [],
  deb: ['bin/deb.js'],
};

/** Exits when this Node is older than package.json's engines allow. */
function checkNode() {
  const wanted = readJson('package.json').engines.node.replace(/[^\d.]/g, '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(`Kashbox needs Node ${wanted} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}

function fail(message) {
  console.error(message);
  if (process.argv[2] === 'test') console.log('0 passed, 1 failed');
  process.exit(1);
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
  const { compilePackages, installPackages } = await import('./install.js');
  if (!(await installPackages()))
    fail('The packages could not be installed; what is printed above says why.');
  // The test runner does this by itself: a type error is one of the things that it counts.
  if (word !== 'test') {
    const { build } = await import('./build.js');
    // Compiling packages takes one processor for two minutes; another builds our code at the same time.
    const [isCompiled, parts] = await Promise.all([compilePackages(), build()]);
    if (!isCompiled) fail('better-sqlite3 could not be compiled; what is printed above says why.');
    const broken = parts.filter((part) => !part.ok).map((part) => part.name);
    if (broken.length > 0) fail(`Not built: ${broken.join(', ')}.`);
  }
  const [script, ...first] = target;
  if (script === undefined) return;
  process.argv = [process.execPath, join(root, script), ...first, ...args];
  await import(pathToFileURL(join(root, script)).href);
}

checkNode();
await main();
