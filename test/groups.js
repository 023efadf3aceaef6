/**
 * Puts test files together for a whole run, so many to a process: loading AVA, the program and its packages
 * takes a process one to two seconds of the processor, often more than its tests do.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Start programs, wait much, or keep snapshots beside the file: each has its own process. */
const ALONE = /^(clients|e2e|simulator)\/|^demo\/demo\.|^docs\/backup\.|^tidy\.test|sms-parse\.test|\.soak\./;
/** Hooks of one file would run for its whole group. */
const HOOKS = /\bonChain\(|\btest\.(before|after)/;
const FILES_A_PROCESS = 30;
/** Tests in a browser take longer, and each process has a Chromium of its own. */
const PAGES_A_PROCESS = 6;

/**
 * What begins first: what mostly waits, so that the processors have other work beside it. Programs of their
 * own come next, and what keeps a processor busy last: then both are busy to the end.
 */
const WAITING = /\/(browser|daemon|monitor|notify|store)-\d/;

/**
 * Writes a file for each group into `dist/test/groups`, which imports its members. A test file must not wait
 * (`await`) while it loads: AVA begins as soon as the first file has declared its tests.
 * @param {string} folder of the package, built
 * @param {boolean} isSoak whether those are wanted, too, that take long
 * @returns {string[]} files for AVA that hold all tests, relative to the folder, in the order of their start
 */
export function groupTests(folder, isSoak) {
  const tests = join(folder, 'dist', 'test');
  rmSync(join(tests, 'groups'), { recursive: true, force: true });
  mkdirSync(join(tests, 'groups'));
  const files = readdirSync(tests, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.test.js') || (isSoak && name.endsWith('.soak.js')))
    .sort();
  const isAlone = (name) => ALONE.test(name) || HOOKS.test(readFileSync(join(tests, name), 'utf8'));
  const { alone = [], ...folders } = Object.groupBy(files, (name) =>
    isAlone(name) ? 'alone' : name.includes('/') ? name.split('/')[0] : 'house',
  );
  const groups = Object.entries(folders).flatMap(([top, members]) => {
    const count = Math.ceil(members.length / (top === 'browser' ? PAGES_A_PROCESS : FILES_A_PROCESS));
    return Array.from({ length: count }, (_, at) => {
      const name = `groups/${top}-${at}.test.js`;
      const own = members.filter((_member, index) => index % count === at);
      writeFileSync(join(tests, name), own.map((member) => `import '../${member}';\n`).join(''));
      return name;
    });
  });
  const [first, last] = [
    groups.filter((name) => WAITING.test(name)),
    groups.filter((name) => !WAITING.test(name)),
  ];
  return [...first, ...alone, ...last].map((name) => `dist/test/${name}`);
}
