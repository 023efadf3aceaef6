/**
 * The house rule about words: names, comments and pages avoid the words that CONTRIBUTING.md lists. It is
 * first proved on texts that break it, then held against the whole repository.
 */
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { isCode, parse, readRepository } from './helpers/tidy/source.js';
import {
  bannedWords,
  checkPlainCode,
  checkPlainPage,
  checkRatchet,
  countedTexts,
  inName,
  inProse,
  ratchetRows,
} from './helpers/tidy/words.js';

const GUIDE = [
  '# Contributing',
  '## Words to avoid',
  '| do not say | say | allowed |',
  '|---|---|---|',
  '| `roll call`, `seat` | heartbeat | `car seat` |',
].join('\n');
const sample = (path: string, text: string) => parse({ path, text });

test('a banned word in a name is reported however it is written, and no other name', (t) => {
  const banned = bannedWords(GUIDE);
  t.is(banned.length, 2);
  for (const name of ['createRollCall', 'ROLL_CALL', '#rollCall', 'rollCall'])
    t.is(inName(name, banned).length, 1, name);
  for (const name of ['rollCaller', 'roll', 'heartbeat']) t.deepEqual(inName(name, banned), [], name);
});

test('a banned word in prose is reported, but not as code, and not in an allowed phrase', (t) => {
  const banned = bannedWords(GUIDE);
  t.is(inProse('A roll\n * call of phones.', banned).length, 1);
  t.deepEqual(inProse('See `rollCall` and a car seat; all are seated.', banned), []);
});

test('banned words and citations in the product are reported, in tests they are not', (t) => {
  const banned = bannedWords(GUIDE);
  const text = '/** A roll call. */\nexport const rollCall = 1;\n';
  t.is(checkPlainCode(sample('src/base/a.ts', text), banned).length, 2);
  t.is(checkPlainCode(sample('src/base/a.ts', '// See spec 4.5.\nexport {};\n'), banned).length, 1);
  t.deepEqual(checkPlainCode(sample('test/base/a.ts', text), banned), []);
});

test('banned words in a page are reported, in its code they are not', (t) => {
  const banned = bannedWords(GUIDE);
  t.is(checkPlainPage({ path: 'docs/a.md', text: 'A roll call.\n' }, banned).length, 1);
  t.deepEqual(checkPlainPage({ path: 'docs/a.md', text: '```\nroll call\n```\n' }, banned), []);
});

const repository = readRepository(fileURLToPath(new URL('../../', import.meta.url)));
const banned = bannedWords(repository.find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '');

test('the table of words is found, so that the rules below look at something', (t) => {
  t.true(banned.length > 40);
});

test('in the repository names and comments use the plain words', (t) => {
  const problems = repository
    .filter(isCode)
    .map(parse)
    .flatMap((file) => checkPlainCode(file, banned));
  t.deepEqual(problems, []);
});

test('in the repository the pages use the plain words', (t) => {
  t.deepEqual(
    repository.flatMap((file) => checkPlainPage(file, banned)),
    [],
  );
});

test('a phrase that appears more often than the page of words allows is reported, with what to say', (t) => {
  const rows = ratchetRows(
    '| `is told`, `told of` | is notified | 9 → 1 | 2 → 0 | 3 → 0 |\n| a | b | c | d | e |\n',
  );
  t.is(rows.length, 1);
  const texts = (code: string) => countedTexts([{ path: 'src/a.ts', text: code }]);
  t.deepEqual(checkRatchet(rows, texts('// It is told.')), []);
  t.deepEqual(checkRatchet(rows, texts('// It Is\n told, and told of.')), [
    'code: "is told", "told of" 2 times, at most 1: say is notified',
  ]);
  const inTitle = countedTexts([{ path: 'test/a.test.ts', text: "test('a shop is told', () => {});" }]);
  t.is(checkRatchet(rows, inTitle).length, 1);
});

test('in the repository no phrase of the page of words appears more often than there', (t) => {
  const page = repository.find(({ path }) => path === 'docs/development/words.md')?.text ?? '';
  const rows = ratchetRows(page);
  t.true(rows.length > 40);
  t.deepEqual(checkRatchet(rows, countedTexts(repository)), []);
});
