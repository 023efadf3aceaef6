/**
 * Installs the packages of a checkout, and compiles those with native code. Runs with nothing installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** As in src/store/sqlite-driver.ts, which says why. */
export const sqlite =
  Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';

/**
 * What Node 20 uses is compiled for one version of Node's interface and does not load in another.
 * @returns {string | undefined} why it does not load
 */
function sqliteFault() {
  try {
    const Database = createRequire(join(root, 'package.json'))(sqlite);
    new Database(':memory:').close();
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** The npm that runs us, or else the one on the path. */
async function npm(...args) {
  const self = process.env.npm_execpath;
  if (self?.endsWith('.js')) return runChild(process.execPath, [self, ...args], { cwd: root });
  return runChild('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

/**
 * Installs what package-lock.json names, without compiling it.
 * @returns {Promise<boolean>} false after npm has said what is wrong
 */
export async function installPackages() {
  if (isInstalled()) return true;
  console.error(
    'Installing packages. This is needed once; Node 20 may compile better-sqlite3 for about 2 minutes …',
  );
  return (await npm('ci', '--include=dev', '--ignore-scripts')) === 0;
}

/**
 * Runs the packages' own scripts where better-sqlite3 does not load: on a fresh checkout, and after another
 * version of Node was taken.
 * @returns {Promise<boolean>} false after saying on stderr what is wrong
 */
export async function compilePackages() {
  if (sqliteFault() === undefined) return true;
  console.error(`Compiling better-sqlite3 for Node ${process.versions.node} …`);
  await npm('rebuild');
  const fault = sqliteFault();
  if (fault !== undefined) console.error(fault);
  return fault === undefined;
}
