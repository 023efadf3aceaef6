/**
 * Puts test files together for a whole run: those of one folder load in one process. Loading AVA, the program
 * and its packages takes a process one to two seconds of the processor, often more than its tests do.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Start programs, wait much, or keep snapshots beside the file: each has its own process. */
const ALONE =
  /^(clients|e2e|simulator)\/|^demo\/(demo|visitor)\.|^docs\/backup\.|^tidy\.test|(every-command|sms-parse)\.test|\.soak\./;
/** Hooks of one file would run for its whole group. */
const HOOKS = /\bonChain\(|\btest\.(before|after)/;
/** A folder with more files than this has a process for each folder in it that is not small. */
const MAX_FILES = 80;
/** So many files take less time than what they load, so they share processes with other small folders. */
const SMALL = 5;
const SHARED = 3;

/** Tests in a browser wait much: they run in so many processes, each with a Chromium of its own. */
const BROWSERS = 5;
/** Takes as long as all others of a browser's process: the first of these processes has only this. */
const LONGEST_IN_BROWSER = 'browser/accessibility.test.js';

/**
 * What begins first. Those that mostly wait (for browsers, and for time limits of the daemon) go before those
 * that compute: so the processors have work beside them, and nothing that waits is left for the end.
 */
const WAITING = /^(browser|daemon-loops)/;
const LONG = /^(actions|channels|commands|daemon$)/;
const turnOf = (name) => (WAITING.test(name) ? 0 : LONG.test(name) ? 1 : 2);

const topOf = (file) => file.split('/')[0];
const roomOf = (file) => posix.dirname(file).split('/').slice(0, 2).join('-');

/**
 * @param {Record<string, number>} sizes how many files the folders have, and the rooms in them
 * @returns {string} the group's name, such as `base`, `daemon-http` or `actions-2`
 */
function groupOf(file, index, sizes) {
  const [top, room] = posix.dirname(file).split('/');
  if (file === LONGEST_IN_BROWSER) return 'browser-0';
  if (top === 'browser') return `browser-${1 + (index % (BROWSERS - 1))}`;
  if (room === undefined || sizes[`of ${top}`] <= MAX_FILES) return top;
  return sizes[roomOf(file)] <= SMALL ? `${top}-${index % SHARED}` : roomOf(file);
}

/**
 * Writes a file for each group into `dist/test/groups`, which imports its members. A test file must not wait
 * (`await`) while it loads: AVA begins as soon as the first file has declared its tests.
 * @param {string} folder of the package, built
 * @param {boolean} isSoak whether those are wanted, too, that take long
 * @returns {{alone: string[], groups: string[]}} files for AVA that hold all tests, relative to the folder;
 *   what waits or takes long comes first
 */
export function groupTests(folder, isSoak) {
  const tests = join(folder, 'dist', 'test');
  const groups = join(tests, 'groups');
  rmSync(groups, { recursive: true, force: true });
  const files = readdirSync(tests, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.test.js') || (isSoak && name.endsWith('.soak.js')))
    .sort();
  const isAlone = (name) => ALONE.test(name) || HOOKS.test(readFileSync(join(tests, name), 'utf8'));
  const alone = files.filter(isAlone);
  const together = files.filter((name) => !alone.includes(name));
  const sizes = {};
  for (const name of together.flatMap((file) => [`of ${topOf(file)}`, roomOf(file)])) {
    sizes[name] = (sizes[name] ?? 0) + 1;
  }
  mkdirSync(groups, { recursive: true });
  const members = {};
  for (const [index, file] of together.entries()) {
    const name = groupOf(file, index, sizes);
    members[name] = `${members[name] ?? ''}import '../${file}';\n`;
  }
  for (const [name, text] of Object.entries(members)) writeFileSync(join(groups, `${name}.test.js`), text);
  const names = Object.keys(members).sort((one, other) => turnOf(one) - turnOf(other));
  return {
    alone: alone.map((name) => `dist/test/${name}`),
    groups: names.map((name) => `dist/test/groups/${name}.test.js`),
  };
}
