/** The pages of the channels name messages, settings and tests that exist, and every listed attack. */
import test from 'ava';
import { ERRORS } from '../../src/base/errors/error-table.js';
import { channelModule } from '../../src/channels/index.js';
import { envVariableName, SETTINGS } from '../../src/config/settings.js';
import { DISAGREEMENT_TEXT } from '../../src/domain/matching/matching.js';
import { codesOf, readPage, sectionOf, tableRows } from '../helpers/browser/pages.js';

const page = readPage('docs/references-and-matching.md');

/** What can be told of a payment, by its HTTP status. */
const MESSAGES: readonly string[] = [
  ...Object.values(ERRORS).map(({ status, message }) => `${status} ${message}`),
  ...Object.values(DISAGREEMENT_TEXT).map((text) => `${ERRORS.proof_disagrees.status} ${text}`),
];

test('every answer of the page is one that there is', (t) => {
  const rows = tableRows(sectionOf(page, 'What verify answers')).slice(1);
  t.true(rows.length > 10);
  const answers = rows.map(([answer = '']) => {
    const [message = ''] = codesOf(answer);
    return `${answer.slice(0, 3)} ${message}`;
  });
  for (const answer of answers) {
    if (answer.startsWith('20')) continue;
    if (answer === '400 transaction_id must be …') continue;
    const isFinal = answer.replace(/, \d+ of \d+ confirmations$/, '');
    t.true(MESSAGES.includes(isFinal), answer);
  }
  const told = answers.map((answer) => answer.slice(4));
  const missing = Object.values(DISAGREEMENT_TEXT).filter((text) => !told.includes(text));
  t.deepEqual(
    missing,
    [DISAGREEMENT_TEXT.account_type],
    'only wallets have types of account that can differ',
  );
});

test('an invalid id is refused in words that begin as on the page', (t) => {
  for (const [channel, text] of [
    ['bep20', '0x12'],
    ['exchange_pay', 'ünd so'],
    ['qr_interbank', '12'],
  ] as const) {
    const read = channelModule(channel)?.readReference(text);
    t.true(read?.outcome === 'invalid' && read.fault.startsWith('transaction_id must be '), channel);
  }
});

const attacks = tableRows(sectionOf(readPage('docs/development/attacks.md'), 'Attacks and responses'));

test('the list of attacks is whole, from 51 to 71', (t) => {
  const numbers = new Set(attacks.map(([number]) => Number(number)).filter((number) => number > 0));
  const wanted = Array.from({ length: 21 }, (_, index) => 51 + index);
  t.deepEqual([...numbers], wanted);
});

/** A title as it stands in a file of tests, where a part of it may be filled in. */
function titleIn(file: string, title: string): boolean {
  const plain = title.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`[\`'": ]${plain.join('\\$\\{\\w+\\}')}[\`'"]`).test(file);
}

test('every attack names a test that exists', (t) => {
  const shown = attacks.map((row) => row.at(-1) ?? '').filter((cell) => cell.startsWith('`test/'));
  t.true(shown.length > 35);
  for (const cell of shown) {
    const [, path = '', title = ''] = /^`(test\/[\w./-]+)` “(.+)”$/.exec(cell) ?? [];
    t.true(path !== '' && titleIn(readPage(path), title), cell);
  }
});

test('the settings on the page of USDT are settings', (t) => {
  const usdt = readPage('docs/usdt.md');
  const variables: readonly string[] = Object.keys(SETTINGS).map(envVariableName);
  const credentials = ['KASHBOX_EXCHANGE_KEY', 'KASHBOX_EXCHANGE_SECRET'];
  const named = [...usdt.matchAll(/KASHBOX_\w+/g)].map(([name]) => name);
  t.true(named.length >= 5);
  t.deepEqual(
    named.filter((name) => !variables.includes(name) && !credentials.includes(name)),
    [],
  );
});
