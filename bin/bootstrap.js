/**
 * What `npm start`, `npm test`, `npm run bench` and `npm run build` call on a checkout: installs and builds
 * what is missing, then hands over in this same process, so that signals and exit codes are the program's
 * own. Runs with nothing installed, and on an old Node far enough to say that it is too old.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** What each word hands over to: a script and the arguments that come before the caller's. */
const targets = {
  start: ['bin/run.js', 'demo'],
  test: ['test/run.js'],
  bench: ['dist/bench/main.js'],
  build: [],
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

/** Whether node_modules holds what package-lock.json names; npm keeps its own account of it. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link) return true;
    const found = installed[path];
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

/**
 * better-sqlite3 is compiled for one version of Node's interface and does not load in another.
 * @returns {string | undefined} why it does not load
 */
function sqliteFault() {
  try {
    const Database = createRequire(join(root, 'package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** The npm that runs us, or else the one on the path. */
async function npm(...args) {
  const { runChild } = await import('./child.js');
  const self = process.env.npm_execpath;
  if (self?.endsWith('.js')) return runChild(process.execPath, [self, ...args], { cwd: root });
  return runChild('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

/** @returns {Promise<boolean>} whether everything is there afterwards */
async function install() {
  if (!isInstalled()) {
    console.error(
      'Installing packages. This is needed once; better-sqlite3 may compile for about 2 minutes …',
    );
    // What packages compile takes one processor for two minutes; another builds our own code meanwhile.
    if ((await npm('ci', '--include=dev', '--ignore-scripts')) !== 0) return false;
    const { build } = await import('./build.js');
    const [code] = await Promise.all([npm('rebuild'), build()]);
    if (code !== 0) return false;
  }
  if (sqliteFault() === undefined) return true;
  console.error(`Compiling better-sqlite3 for Node ${process.versions.node}, about 2 minutes …`);
  await npm('rebuild');
  const fault = sqliteFault();
  if (fault !== undefined) console.error(fault);
  return fault === undefined;
}

async function main() {
  const [word, ...args] = process.argv.slice(2);
  const target = Object.hasOwn(targets, word ?? '') ? targets[word] : undefined;
  if (target === undefined) {
    console.error(`Usage: node bin/bootstrap.js ${Object.keys(targets).join('|')} [arguments]`);
    process.exit(2);
  }
  if (!(await install())) {
    console.error('The packages could not be installed; what is printed above says why.');
    if (word === 'test') console.log('0 passed, 1 failed');
    process.exit(1);
  }
  // The test runner builds by itself, because a type error is one of the things that it counts.
  if (word !== 'test') {
    const { build } = await import('./build.js');
    const broken = (await build()).filter((part) => !part.ok);
    for (const part of broken) console.error(`Not built: ${part.name}.`);
    if (broken.length > 0) process.exit(1);
  }
  const [script, ...first] = target;
  if (script === undefined) return;
  process.argv = [process.execPath, join(root, script), ...first, ...args];
  await import(pathToFileURL(join(root, script)).href);
}

checkNode();
await main();
