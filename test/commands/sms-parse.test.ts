/** `kashbox sms parse` as people and scripts meet it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { kashboxProgram, startNode, withinTime } from '../helpers/programs/processes.js';
import { BKASH, bkash } from '../helpers/shop/sms.js';
import { TALLYPAY } from '../helpers/shop/sources.js';

const corpus = readFileSync('test/fixtures/sms-corpus.jsonl', 'utf8');

interface Answer {
  readonly id: string | number | null;
  readonly settle: string;
  readonly error?: Failed['error'];
}

test('explains one text in plain words: what it says and why it counts', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox('sms', 'parse', '--sender', BKASH, bkash({}));
  t.is(ran.code, 0);
  t.snapshot(ran.stdout);
  t.is(ran.stderr, '');
});

test('a text that does not count says every reason', async (t) => {
  const kashbox = await openCli(t);
  const body = bkash({ amount: 'Tk 9,000.00', id: 'DHE7KQ2P0Z', tail: '. Please hurry' });
  const ran = await kashbox.piped(body, 'sms', 'parse', '--sender', BKASH);
  t.is(ran.code, 0);
  t.snapshot(ran.stdout);
});

test('"-" reads the text from stdin', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox.piped(bkash({}), 'sms', 'parse', '--json', '--sender', BKASH, '-');
  t.is(ran.json<Answer>().settle, 'auto', ran.stdout);
});

test('--json prints one value, with the reasons and the format', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox('sms', 'parse', '--json', '--sender', 'bKash24', bkash({}));
  t.deepEqual(ran.json(), {
    ...{ channel: 'mfs_a', kind: 'spoofed', credit: false, settle: 'never', amount: null, from: null },
    ...{ fee: null, balance: null, trx_id: null, at: null, reasons: ['sender_not_official'], format: null },
  });
});

test('without a sender nothing can be said', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox('sms', 'parse', '--json', bkash({}));
  t.is(ran.code, 2);
  t.is(ran.json<Failed>().error.message, 'Missing flag --sender');
});

test('the pipe answers every line in its place, needs no home and makes none', async (t) => {
  const kashbox = await openCli(t);
  const home = join(kashbox.home, 'not', 'there');
  const child = startNode(t, [kashboxProgram, 'sms', 'parse', '--ndjson'], { KASHBOX_HOME: home });
  child.stdin.end(corpus);
  t.deepEqual(await withinTime(child), { code: 0, signal: null });
  const answers = child.stdout().trim().split('\n');
  const ids = (lines: readonly string[]): unknown[] => lines.map((line) => (JSON.parse(line) as Answer).id);
  t.deepEqual(ids(answers), ids(corpus.trim().split('\n')));
  t.is(
    answers[0],
    '{"id":"bk-rcv-001","channel":"mfs_a","kind":"received","credit":true,"settle":"auto","amount":"325.00",' +
      '"from":"01900000001","fee":"0.00","balance":"731.19","trx_id":"DHL60302ZX","at":"2026-08-21T12:35:00+06:00",' +
      '"reasons":["checks_passed"],"format":"bkash-received"}',
  );
  t.false(existsSync(home));
});

test('lines that are not SMS return an error in their place, the others a result, with exit code 2', async (t) => {
  const kashbox = await openCli(t);
  const sms = JSON.stringify({ sender: BKASH, body: bkash({}) });
  const lines = [
    ...['', '\r', `\ufeff${sms}\r`, 'You have received Tk 5', '[]', 'null', '{"id":"a","sender":"bKash"}'],
    ...['{"body":"x"}', '{"sender":5,"body":"x"}', `{"id":7,"sender":"GP","body":"","received_at":"soon"}`],
    ...[`{"__proto__":{"sender":"x"},"body":""}`, '['.repeat(100_000), 'x'.repeat(2_000_000), sms],
    ...[
      JSON.stringify({
        id: 'u',
        sender: BKASH,
        body: bkash({ id: 'DHD7KQ2P1Z' }).replaceAll('. ', '.\u2028'),
      }),
    ],
  ];
  const ran = await kashbox.piped(lines.join('\n'), 'sms', 'parse', '--ndjson');
  t.is(ran.code, 2);
  const answers = ran.ndjson<Answer>().map(({ id, settle, error }) => [id, settle ?? error?.code]);
  t.deepEqual(answers, [
    [null, 'auto'],
    [null, 'invalid_input'],
    [null, 'invalid_input'],
    [null, 'invalid_input'],
    ['a', 'invalid_input'],
    [null, 'invalid_input'],
    [null, 'invalid_input'],
    [7, 'never'],
    [null, 'invalid_input'],
    [null, 'invalid_input'],
    [null, 'invalid_input'],
    [null, 'never'],
    ['u', 'auto'],
  ]);
});

test('a line is answered before the next one is written', async (t) => {
  const child = startNode(t, [kashboxProgram, 'sms', 'parse', '--ndjson'], { KASHBOX_HOME: '/nonexistent' });
  child.stdin.write(`${JSON.stringify({ id: 'first', sender: BKASH, body: '' })}\n`);
  await child.printed(/"first"/);
  child.stdin.write(`${JSON.stringify({ id: 'second', sender: BKASH, body: '' })}\n`);
  await child.printed(/"second"/);
  child.stdin.end();
  t.is((await withinTime(child)).code, 0);
});

test('a reader who has seen enough ends the pipe without a complaint', async (t) => {
  const kashbox = await openCli(t);
  const file = join(kashbox.home, 'sms.ndjson');
  writeFileSync(file, corpus.repeat(40));
  const done = join(kashbox.home, 'exit-code');
  const pipe = `{ "$0" "$1" sms parse --ndjson < "$2"; echo $? > "$3"; } | head -n 1`;
  const child = spawn('/bin/sh', ['-c', pipe, process.execPath, kashboxProgram, file, done], {
    stdio: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  t.is(stdout.trim().split('\n').length, 1);
  t.is(stderr, '');
  t.is(readFileSync(done, 'utf8').trim(), '0');
});

test('a format that the operator added is used, and a faulty one is named', async (t) => {
  const kashbox = await openCli(t);
  const folder = join(kashbox.home, 'formats');
  mkdirSync(folder);
  const [source = '', own = ''] = examplesOfTheDocs();
  writeFileSync(join(folder, 'tallypay.json'), source);
  writeFileSync(join(folder, 'own.json'), own);
  const body =
    'Shop bill Tk 900.00 paid by 01711000001. Balance Tk 950.00. TrxID DHL60302ZX at 21/08/2026 12:35';
  const ran = await kashbox('sms', 'parse', '--json', '--sender', BKASH, body);
  t.like(ran.json(), { settle: 'auto', format: 'bkash-shop-bill', amount: '900.00' });
  const qr = await kashbox('sms', 'parse', '--json', '--sender', 'TallyPay', TALLYPAY);
  t.like(qr.json(), { settle: 'review', format: 'tallypay-qr', amount: '1898.57' });
  writeFileSync(join(folder, 'own.json'), '{"channel":"mfs_z"}');
  const refused = await kashbox('sms', 'parse', '--json', '--sender', BKASH, body);
  t.is(refused.code, 2);
  t.regex(refused.json<Failed>().error.message, /own\.json.*"channel" must be/);
});

/** What an operator would copy from docs/sms-formats.md must work as it stands there. */
function examplesOfTheDocs(): string[] {
  const page = readFileSync('docs/sms-formats.md', 'utf8');
  return [...page.matchAll(/```json\n([^`]*)```/g)].map(([, example = '']) => example);
}
