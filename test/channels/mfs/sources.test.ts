/** Senders other than wallets: read by their own formats only, and never money by rule. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { KashboxError } from '../../../src/base/errors/errors.js';
import {
  clashOf,
  createSmsEngine,
  forgeriesRead,
  isReadClean,
  loadFormatFile,
  parseSms,
  valueTexts,
} from '../../../src/channels/mfs/index.js';
import { KNOWN_SOURCES } from '../../../src/domain/sources/catalogue.js';
import { EBL, loaded, sourceFile, TALLYPAY } from '../../helpers/shop/sources.js';

const files = KNOWN_SOURCES.map(({ source }) => loaded(sourceFile(source.name)));
const engine = createSmsEngine(files);
const read = (sender: string, body: string, receivedAt?: string) =>
  parseSms(engine, { sender, body, receivedAtMs: receivedAt === undefined ? null : Date.parse(receivedAt) });
const UNTRUSTED = ['kind_needs_person', 'source_untrusted'];

for (const { source, channel, formats } of KNOWN_SOURCES) {
  for (const { id, kind, settle, examples } of formats) {
    for (const [index, { text, values }] of examples.entries()) {
      test(`example ${index + 1} of ${id} is read under every sender of ${source.name}`, (t) => {
        for (const sender of [...source.senders, source.senders[0]?.toUpperCase() ?? '']) {
          const reading = read(sender, text);
          t.like(reading, { channel, source: source.name, kind, settle, format: id });
          t.deepEqual(reading.reasons, settle === 'never' ? ['kind_never_settles'] : UNTRUSTED);
          const none = { amount: null, from: null, fee: null, balance: null, trx_id: null, at: null };
          t.deepEqual(valueTexts(reading), { ...none, ...values });
        }
      });
    }
  }
}

const banks = readFileSync('test/fixtures/sms-2026-11.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ expected }) => expected.channel === null);

test('texts that banks have sent are read once their sources exist, and by nobody before', (t) => {
  t.is(banks.length, 9);
  for (const { sender, text, received_at } of banks) {
    const reading = read(sender, text, received_at);
    t.deepEqual(reading.reasons, UNTRUSTED, text);
    t.true((reading.amountPaisa ?? 0) > 0);
    t.like(parseSms(createSmsEngine(), { sender, body: text, receivedAtMs: null }), {
      channel: null,
      source: null,
      settle: 'never',
    });
  }
});

test('dates of banks are read: named, short and with the year first', (t) => {
  t.is(read('EBL', EBL).at, '2026-09-01T10:38:57+06:00');
  const brac = banks.find(({ sender }) => sender === 'BRAC BANK')?.text ?? '';
  t.is(read('BRAC BANK', brac).at, '2023-05-06T10:15:00+06:00');
  t.deepEqual(read('BRAC BANK', brac.replace('06-05-23', '31-02-23')).reasons, [
    ...UNTRUSTED,
    'date_impossible',
  ]);
});

test('what speaks against a text of a source is said', (t) => {
  const reasons = (body: string, receivedAt?: string) =>
    read('EBL', body, receivedAt).reasons.filter((reason) => !UNTRUSTED.includes(reason));
  t.deepEqual(reasons(EBL.replace('BDT 10000 ', 'BDT 10035 ')), ['amount_over_balance']);
  t.deepEqual(reasons(EBL, '2026-09-03T10:38:57+06:00'), ['date_long_before_delivery']);
  t.deepEqual(reasons(EBL, '2026-09-01T09:38:57+06:00'), ['date_after_delivery']);
  t.deepEqual(reasons(EBL.replace('NPSB', 'RETURNED NPSB')), ['transaction_reversed']);
  t.deepEqual(reasons(EBL.replace('NPSB', 'NP\u200bSB')), ['characters_hidden']);
  t.deepEqual(reasons(EBL.replace('NPSB', 'N\u202ePSB')), ['characters_hidden']);
  t.deepEqual(reasons(EBL.replace('112', '১১২')), ['characters_foreign']);
  t.deepEqual(reasons(EBL.replace('NPSB', 'BDT 5 NPSB')), ['two_messages']);
  t.deepEqual(reasons(EBL.replace('NPSB', 'balance: 5')), ['reference_like_message']);
  t.deepEqual(
    read('tap', 'Received Tk. 55.00 from EBL. Fee Tk. 1.00 Your current balance is Tk 99.').reasons,
    [...UNTRUSTED, 'fee_charged'],
  );
  const zero = EBL.replace('BDT 10000 ', 'BDT 0 ');
  t.like(read('EBL', zero), { settle: 'never', reasons: ['amount_zero'], source: 'ebl' });
});

test('unknown words of a source are remembered; only incoming money needs review', (t) => {
  const credit = read('TallyPay', 'You got a credit of Tk 500.00 by TallyPay');
  t.like(credit, { channel: 'qr_interbank', source: 'tallypay', settle: 'review', amountPaisa: 50_000 });
  t.deepEqual([credit.kind, credit.credit, credit.reasons], ['unknown', false, ['format_unknown']]);
  for (const text of [
    'Use OTP 123456',
    'Please deposit your installment of Tk 500.00',
    'Your A/C was debited by Tk 5.00',
    'x'.repeat(2_000),
  ]) {
    t.like(read('TallyPay', text), { channel: null, source: 'tallypay', settle: 'never' });
  }
});

test('a text that says that the money under an id went back keeps the id', (t) => {
  const back = read('TallyPay', 'Payment of Tk 1,898.57 was reversed. Txn ID: YY1Z85HTP');
  t.like(back, { channel: 'qr_interbank', settle: 'never', trxId: 'YY1Z85HTP' });
  t.true(back.reasons.includes('transaction_reversed'));
});

test('a sender is compared completely and in ASCII', (t) => {
  for (const sender of ['tallypay', 'TALLYPAY', ' TallyPay '])
    t.is(read(sender, TALLYPAY).source, 'tallypay');
  for (const sender of ['TallyPay1', 'Tally Pay', 'TаllyPay', 'TallyPay\u200b', 'EBL', '']) {
    t.not(read(sender, TALLYPAY).format, 'tallypay-qr', sender);
  }
});

test('a wallet’s text under the sender of a source is a forgery, as before', (t) => {
  const body =
    'You have received Tk 500.00 from 01711000001. Fee Tk 0.00. Balance Tk 900.00. TrxID DHL60302ZX at 21/08/2026 12:35';
  t.like(read('EBL', body), { kind: 'spoofed', settle: 'never', channel: 'mfs_a' });
});

test('no format of a source reads a forged variant of its own example', (t) => {
  for (const { source, formats } of KNOWN_SOURCES) {
    const own = new Set(formats.map(({ id }) => id));
    for (const { texts, examples, settle } of formats) {
      if (settle === 'never') continue;
      const [sender = ''] = source.senders;
      const genuine = { sender, body: examples[0]?.text ?? '', template: texts[0] ?? '' };
      t.deepEqual(forgeriesRead(engine, own, genuine), { tried: 12, read: [] }, texts[0]);
    }
  }
});

test('a text with a changed letter, a missing one or one more is not read as clean money', (t) => {
  const all = KNOWN_SOURCES.flatMap(({ source, formats }) =>
    formats
      .filter(({ settle }) => settle === 'review')
      .map(({ id, examples }) => ({ id, sender: source.senders[0] ?? '', text: examples[0]?.text ?? '' })),
  );
  const strange = fc.constantFrom('а', 'Е', 'ο', '１', '٣', '\u202e', '\u0301', '{', '~');
  fc.assert(
    fc.property(fc.constantFrom(...all), strange, fc.nat(), fc.boolean(), (one, sign, at, isInserted) => {
      const place = at % one.text.length;
      const rest = one.text.slice(isInserted ? place : place + 1);
      // In a name or other free words any visible letter is honest.
      const words = /from ([^.]+?)(?: and|\.)| as (.+) on /.exec(one.text);
      const free = words === null ? [0, 0] : [words.index, words.index + words[0].length];
      if (place >= (free[0] ?? 0) && place <= (free[1] ?? 0)) return true;
      const reading = read(one.sender, one.text.slice(0, place) + sign + rest);
      return !isReadClean(reading, new Set([one.id]));
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

const file = sourceFile('tallypay');
const [format] = file.formats;
const faulty: readonly (readonly [string, object, RegExp])[] = [
  ['a sender of a wallet', { senders: ['BKASH'] }, /"BKASH" belongs to bKash/],
  ['a helpline of a wallet', { senders: ['16247'] }, /belongs to bKash/],
  ['a sender for notices', { senders: ['bKash Offer'] }, /belongs to bKash/],
  ['a sender of another script', { senders: ['টালিপে'] }, /ASCII/],
  ['a long sender', { senders: ['x'.repeat(65)] }, /1 to 64/],
  ['no sender', { senders: [] }, /"senders" must be a list/],
  ['eleven senders', { senders: Array.from({ length: 11 }, (_, at) => `S${at}`) }, /at most 10/],
  ['a name with spaces', { name: 'Tally Pay' }, /"name" of the source/],
  ['an invisible title', { title: 'a\u200bb' }, /"title"/],
  ['a channel without SMS', { channel: 'bep20' }, /"channel" of the source must be one of mfs_a/],
  ['an account with spaces', { account: '12 34' }, /"account"/],
  ['an unknown field', { sender: 'A' }, /unknown field "sender"/],
];
for (const [what, change, message] of faulty) {
  test(`a source is refused for ${what}`, (t) => {
    const error = t.throws(() => loadFormatFile(sourceFile('tallypay', change)), {
      instanceOf: KashboxError,
    });
    t.regex(error?.message ?? '', message);
  });
}

const faultyFormats: readonly (readonly [string, object, RegExp])[] = [
  ['auto', { settle: 'auto' }, /kashbox sms trust/],
  ['a gift as money', { kind: 'bonus' }, /pays for nothing/],
  ['money that was taken back', { texts: ['{amount} was returned from {payer} by TallyPay'] }, /taken back/],
  ['no amount', { texts: ['Money received via TallyPay QR. Txn ID: {id}'] }, /needs an \{amount\}/],
  ['few words', { texts: ['{amount} from {payer} {id}'] }, /needs 8 letters.*has 4/],
  ['a choice of few words', { texts: ['(received by TallyPay|got) {amount} {id}'] }, /has 3/],
  [
    'four slots for any words',
    { texts: ['{amount} received by {to} for {skip} with {skip} at {skip} end'] },
    /4 slots that match any words/,
  ],
  ['two such slots in a row', { texts: ['{amount} received by {to}[, ]{skip} QR'] }, /between them/],
  ['many ways to match', { texts: ['{amount} received a{skip}a{skip}a{skip}b'] }, /more than 20000 steps/],
];
for (const [what, change, message] of faultyFormats) {
  test(`a format of a source is refused for ${what}`, (t) => {
    const broken = { ...file, formats: [{ ...format, ...change }] };
    const error = t.throws(() => loadFormatFile(broken), { instanceOf: KashboxError });
    t.regex(error?.message ?? '', message);
  });
}

test('two files never have the same source or the same sender', (t) => {
  const tallypay = loaded(file);
  t.is(
    clashOf(
      tallypay,
      files.filter(({ source }) => source?.name !== 'tallypay'),
    ),
    null,
  );
  t.regex(clashOf(loaded(sourceFile('ebl', { name: 'tallypay' })), [tallypay]) ?? '', /"tallypay"/);
  t.regex(
    clashOf(loaded(sourceFile('ebl', { senders: ['TALLYPAY'] })), [tallypay]) ?? '',
    /"TALLYPAY" belongs/,
  );
});

test('after a backslash a sign is itself', (t) => {
  const texts = ['Paid \\[{amount}\\] \\(received\\) in TallyPay \\{QR\\}'];
  const examples = [{ text: 'Paid [Tk 5.00] (received) in TallyPay {QR}', values: { amount: '5.00' } }];
  t.notThrows(() => loadFormatFile({ ...file, formats: [{ ...format, texts, examples }] }));
  const error = t.throws(() =>
    loadFormatFile({ ...file, formats: [{ ...format, texts: ['Paid in full \\'] }] }),
  );
  t.regex(error?.message ?? '', /a \\ at the end/);
});
