import { Readable } from 'node:stream';
import test from 'ava';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { escapedControls, printable, textWidth, wrap } from '../../../src/base/values/cells.js';
import { echoed, quoted } from '../../../src/base/values/text.js';
import { toFailure } from '../../../src/cli/command/failure.js';
import { collectIds, idOfLine } from '../../../src/cli/input/ids.js';
import { deadlineMs, durationMs, momentMs, spanMs } from '../../../src/cli/input/time.js';
import { hasColour, tinted, tintedLine } from '../../../src/cli/text/colour.js';
import { csv } from '../../../src/cli/text/list-texts.js';
import { dayAndTime, formatKeyValues, table } from '../../../src/cli/text/table.js';

interface Row {
  readonly name: string;
  readonly amount: string;
}

const columns = [
  { head: 'NAME', text: (row: Row) => row.name, shrinks: true },
  { head: 'AMOUNT', text: (row: Row) => row.amount, align: 'right' },
] as const;

test('a table aligns money to the right and names to the left, Bangla vowel signs taking no cell', (t) => {
  const rows = [
    { name: 'Alo', amount: '5.00' },
    { name: 'কুমু', amount: '12500.00' },
  ];
  t.deepEqual(table(columns, rows, 80), ['NAME    AMOUNT', 'Alo       5.00', 'কুমু    12500.00']);
  t.is(textWidth('কুমু'), 2);
  t.is(textWidth('日本'), 4);
});

test('a table that is too wide cuts the columns that may be cut, and no other', (t) => {
  const [, line] = table(columns, [{ name: 'A very long name of a shop', amount: '12500.00' }], 20);
  t.is(line, 'A very lo…  12500.00');
});

test('text of strangers cannot move the cursor or break a line', (t) => {
  t.is(printable('a\u001b[2Jb\r\nc\u202ed'), 'a�[2Jb c�d');
});

test('a sheet puts values under each other', (t) => {
  t.deepEqual(
    formatKeyValues([
      ['Id', '1'],
      ['Status', 'ACTIVE'],
    ]),
    ['Id      1', 'Status  ACTIVE'],
  );
});

test('CSV quotes commas, quotes and line breaks, and disarms what a spreadsheet would run', (t) => {
  const rows = [
    { a: 'x,y', b: 'say "hi"', c: 'two\nlines' },
    { a: '=1+1', b: '+8801711000001', c: '-5.00' },
    { a: '＝1+1', b: '＋1', c: '－1' },
    { a: '＠SUM', b: '1＝1', c: '' },
    { a: null, b: ['1', '2'], c: '@SUM(A1)' },
  ];
  t.is(
    csv(['a', 'b', 'c'], rows),
    `a,b,c\r\n"x,y","say ""hi""","two\nlines"\r\n'=1+1,+8801711000001,-5.00\r\n'＝1+1,'＋1,'－1\r\n'＠SUM,1＝1,\r\n,1 2,'@SUM(A1)\r\n`,
  );
  t.is(csv<{ a: string }>(['a'], []), 'a\r\n');
});

test('CSV shows what would command a terminal or turn the direction, and keeps the lines of a text', (t) => {
  const rows = [
    { a: 'x\u001b[2Jy\u009bz\u007f', b: 'Tk\u202e005\u2069\u200f', c: 'one\ntwo\r\nthree\tfour' },
  ];
  t.is(
    csv(['a', 'b', 'c'], rows),
    'a,b,c\r\nx\\u001b[2Jy\\u009bz\\u007f,Tk\\u202e005\\u2069\\u200f,"one\ntwo\r\nthree\tfour"\r\n',
  );
  t.is(csv(['a'], [{ a: 'all is well\rPAID' }]), 'a\r\nall is well\\u000dPAID\r\n');
});

test('JSON in which controls are escaped is the same value, and Bangla stays readable', (t) => {
  const value = { text: 'ক্ষ\u200d\u001b\u007f\u0085\u009b31m\u061c\u202e\u2066\u2028', lines: 'a\nb\tc' };
  const text = escapedControls(JSON.stringify(value, null, 2));
  t.deepEqual(JSON.parse(text), value);
  t.notRegex(text.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  t.true(text.includes('ক্ষ'));
});

test('ids come from arguments, lines of text or JSON and from a JSON array, in their order', async (t) => {
  const input = Readable.from(['one\r\n\n{"id":"two","name":"x"}\n', 'three']);
  t.deepEqual(await collectIds(['zero', '-', 'four'], input), ['zero', 'one', 'two', 'three', 'four']);
  const read = (text: string) => collectIds(['-', 'last'], Readable.from([text]));
  const array = '\ufeff\n[\n  {"id": "one", "attempts": [{"id": "x"}]},\n  {"id": "two"}\n]\n';
  t.deepEqual(await read(array), ['one', 'two', 'last']);
  t.deepEqual(await read('[]'), ['last']);
  for (const text of ['[{"id":"one"}', '[{"name":"x"}]', '["one"]', '[{"id":"one"}]\ntwo']) {
    await t.throwsAsync(read(text), { code: 'invalid_input', message: /no JSON array/ }, text);
  }
  await t.throwsAsync(read('id,event\r\none,ping\r\n'), {
    code: 'invalid_input',
    message: /^CSV .*--ndjson/,
  });
  t.throws(() => idOfLine('{"name":"no id"}'), { code: 'invalid_input' });
  t.throws(() => idOfLine('{"id":'), { code: 'invalid_input' });
});

test('an error repeats at most 60 characters of what was named, and cuts none in two', (t) => {
  t.is(echoed('x'.repeat(60)), 'x'.repeat(60));
  t.is(echoed('x'.repeat(61)), `${'x'.repeat(59)}…`);
  t.is(echoed(`${'x'.repeat(58)}💸💸`), `${'x'.repeat(58)}…`);
});

test('states of a table have a colour where there are colours, and columns stay where they are', (t) => {
  const paid = { name: 'Alo', status: 'COMPLETED' };
  const rows = [paid, { name: 'FAILED', status: 'PENDING' }, { name: 'x', status: 'strange' }];
  const wanted = ['status', 'name'] as const;
  const plain = table(wanted, rows, 80);
  const tinted80 = table(wanted, rows, 80, tinted);
  t.is(tinted80[0], 'STATUS     NAME');
  t.is(tinted80[1], '\u001b[32mCOMPLETED\u001b[39m  Alo');
  t.is(tinted80[2], '\u001b[33mPENDING\u001b[39m    FAILED', 'a name is no state');
  t.is(tinted80[3], 'strange    x');
  t.deepEqual(
    tinted80.map((line) => line.replace(/\u001b\[\d+m/g, '')),
    plain,
  );
});

test('states of lines have a colour too, and nothing else on them', (t) => {
  t.is(tintedLine('Status    FAILED (expired)'), 'Status    \u001b[31mFAILED\u001b[39m (expired)');
  t.is(tintedLine('State  ONLINE'), 'State  \u001b[32mONLINE\u001b[39m');
  t.is(tintedLine('FAIL  store: gone'), '\u001b[31mFAIL\u001b[39m  store: gone');
  t.is(tintedLine('ok    home: /srv'), '\u001b[32mok\u001b[39m    home: /srv');
  for (const line of ['Customer  FAILED', 'FAILED  x', 'State  active', 'okay then', ''])
    t.is(tintedLine(line), line);
});

test('there are colours on a terminal only, and none where NO_COLOR or a dumb terminal forbid them', (t) => {
  const terminal = { isTTY: true };
  t.true(hasColour(terminal, { TERM: 'xterm' }));
  t.true(hasColour(terminal, { NO_COLOR: '' }));
  t.false(hasColour({}, { TERM: 'xterm' }));
  t.false(hasColour(terminal, { NO_COLOR: '1' }));
  t.false(hasColour(terminal, { TERM: 'dumb' }));
});

test('a moment has its year where that is not this one, by the calendar of Bangladesh', (t) => {
  const newYear = Date.UTC(2025, 11, 31, 18, 0);
  t.is(dayAndTime('2025-08-21T12:35:10+06:00', newYear - 1), '08-21 12:35');
  t.is(dayAndTime('2025-08-21T12:35:10+06:00', newYear), '2025-08-21 12:35');
  t.is(dayAndTime('2026-01-01T00:00:00+06:00', newYear), '01-01 00:00');
});

test('lengths of time are a number and a unit, and nothing else', (t) => {
  t.is(durationMs('overlap', '90s'), 90_000);
  t.is(durationMs('overlap', '2w'), 1_209_600_000);
  for (const text of ['', '1', 'h', '-1h', '1.5h', '1y', '99999999999h']) {
    t.throws(() => durationMs('overlap', text), { code: 'invalid_input' }, text);
  }
});

test('moments are an age, a Bangladesh wall clock, or ISO 8601 with its offset', (t) => {
  const now = Date.UTC(2026, 7, 21, 6, 0);
  t.is(momentMs('since', '2h', now), now - 7_200_000);
  t.is(momentMs('since', '2026-08-21', now), Date.UTC(2026, 7, 20, 18, 0));
  t.is(momentMs('since', '2026-08-21 12:35', now), Date.UTC(2026, 7, 21, 6, 35));
  t.is(momentMs('since', '2026-08-21T12:35:10Z', now), Date.UTC(2026, 7, 21, 12, 35, 10));
  for (const text of ['', 'soon', '2026-02-31', '2026-13-01', '2026-08-21 25:00', '21/08/2026']) {
    t.throws(() => momentMs('since', text, now), { code: 'invalid_input' }, text);
  }
});

test('today and yesterday are days of Bangladesh, whatever day it is elsewhere', (t) => {
  const midnight = Date.UTC(2026, 7, 20, 18, 0);
  for (const now of [midnight, midnight + 86_399_999]) {
    t.is(momentMs('since', 'today', now), midnight);
    t.is(momentMs('since', ' Yesterday', now), midnight - 86_400_000);
  }
  const newYear = Date.UTC(2025, 11, 31, 18, 30);
  t.is(momentMs('since', 'yesterday', newYear), Date.UTC(2025, 11, 30, 18, 0));
});

test('a deadline is to come, and a day counts whole', (t) => {
  const now = Date.UTC(2026, 7, 21, 6, 0);
  const midnight = Date.UTC(2026, 7, 21, 18, 0);
  t.is(deadlineMs('until', '2h', now), now + 7_200_000);
  t.is(deadlineMs('until', '৭d', now), now + 7 * 86_400_000);
  t.is(deadlineMs('until', 'today', now), midnight);
  t.is(deadlineMs('until', ' Tomorrow', now), midnight + 86_400_000);
  t.is(deadlineMs('until', '2026-08-21', now), midnight);
  t.is(deadlineMs('until', '২০২৬-০৮-২২', now), midnight + 86_400_000);
  t.is(deadlineMs('until', '2026-08-21 12:35', now), Date.UTC(2026, 7, 21, 6, 35));
  t.is(deadlineMs('until', '2026-08-21T12:35:10Z', now), Date.UTC(2026, 7, 21, 12, 35, 10));
  const wrong = [
    '',
    '0s',
    'soon',
    'yesterday',
    '2026-02-31',
    '2026-08-20',
    '2026-08-21 12:00',
    '2026-08-21T06:00Z',
  ];
  for (const text of wrong) {
    t.throws(() => deadlineMs('until', text, now), { code: 'invalid_input' }, text);
  }
});

test('times may be typed in Bangla digits', (t) => {
  const now = Date.UTC(2026, 7, 21, 6, 0);
  t.is(durationMs('overlap', '৯০s'), 90_000);
  t.is(momentMs('since', '২h', now), now - 7_200_000);
  t.is(momentMs('since', '২০২৬-০৮-২১ ১২:৩৫', now), Date.UTC(2026, 7, 21, 6, 35));
});

test('a span is refused where nothing can lie between its ends', (t) => {
  const now = Date.UTC(2026, 7, 21, 6, 0);
  const today = momentMs('until', 'today', now);
  t.deepEqual(spanMs('yesterday', 'today', now), { sinceMs: today - 86_400_000, untilMs: today });
  t.deepEqual(spanMs(undefined, undefined, now), { sinceMs: undefined, untilMs: undefined });
  for (const [since, until] of [
    ['today', 'today'],
    ['today', 'yesterday'],
    ['1h', '2h'],
  ]) {
    t.throws(() => spanMs(since, until, now), { code: 'invalid_input', message: /^since/ });
  }
});

test('a name is shown as it must be typed in a shell', (t) => {
  t.is(quoted('counter-1'), 'counter-1');
  t.is(quoted('আলো'), 'আলো');
  t.is(quoted("Shop's $HOME"), `'Shop'\\''s $HOME'`);
});

test('an unexpected error exits with code 1, a refusal with its own code', (t) => {
  t.like(toFailure(new TypeError('x is undefined'), 'merchants list'), {
    code: 'internal',
    exit: 1,
    message: 'An unexpected error occurred: x is undefined',
  });
  const refusal = toFailure(new KashboxError('not_found', { message: 'There is no key "k"' }), 'keys revoke');
  t.like(refusal, { code: 'not_found', exit: 3, message: 'There is no key "k"' });
});

test('texts are cut at spaces and between fields, and lose nothing', (t) => {
  const text = '200  {"status":true,"data":{"amount":500,"note":"a b c d e f g"}}';
  const lines = wrap(text, 24);
  t.true(lines.every((line) => line.length <= 24));
  t.is(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
});
