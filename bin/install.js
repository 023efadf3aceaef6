/** Installs the packages of a checkout, and a newer Node where one is wanted. Runs with nothing installed. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether node_modules matches package-lock.json, by npm's own record of it. */
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
 * Runs the npm that runs us, or else the one on the path, in a folder.
 * @returns {Promise<number>} its exit code
 */
async function npm(folder, ...args) {
  const self = process.env.npm_execpath;
  if (self?.endsWith('.js')) return runChild(process.execPath, [self, ...args], { cwd: folder });
  return runChild('npm', args, { cwd: folder, shell: process.platform === 'win32' });
}

/**
 * Installs what package-lock.json names; nothing is compiled.
 * @returns {Promise<boolean>} false after npm has said what is wrong
 */
export async function installPackages() {
  if (isInstalled()) return true;
  console.error('Installing packages. This is needed once …');
  return (await npm(root, 'ci', '--include=dev', '--ignore-scripts')) === 0;
}

/** @returns {string | undefined} the version of an installed package */
function versionIn(folder) {
  try {
    return readJson(`${folder}/package.json`).version;
  } catch {
    return undefined;
  }
}

/**
 * Fetches the Node that bin/node/package-lock.json names with its checksum, where it is not there yet.
 * @param {string} why what is said before, such as `Fetching`
 * @returns {Promise<string | undefined>} its path; undefined where there is none for this machine, or after
 *   npm has said what is wrong
 */
export async function fetchNode(why) {
  const name = `node-${process.platform}-${process.arch}`;
  const version = readJson('bin/node/package.json').optionalDependencies[name];
  const folder = `bin/node/node_modules/${name}`;
  if (version === undefined) return undefined;
  if (versionIn(folder) !== version) {
    console.error(`${why} Node ${version} into bin/node/node_modules …`);
    await npm(join(root, 'bin', 'node'), 'ci', '--ignore-scripts', '--silent');
  }
  return versionIn(folder) === version ? join(root, folder, 'bin', 'node') : undefined;
}

/**
 * Fetches the Node of any processor, as bin/node/package-lock.json names it with its checksum.
 * @param {string} architecture as Node names it
 * @param {string} folder where its package is installed; it is made
 * @returns {Promise<string | undefined>} the folder of the package; undefined where npm could not fetch it
 */
export async function fetchNodeFor(architecture, folder) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(join(root, 'bin', 'node', file), join(folder, file));
  }
  const platform = ['--os=linux', `--cpu=${architecture}`];
  await npm(folder, 'ci', ...platform, '--prefer-offline', '--ignore-scripts', '--loglevel=error');
  const found = join(folder, 'node_modules', `node-linux-${architecture}`);
  return existsSync(found) ? found : undefined;
}
