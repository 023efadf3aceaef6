/** What must hold for every text that anybody can make up, tried on thousands of random ones. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { formatTaka } from '../../../src/base/values/money.js';
import { parseSms, StreamMemory } from '../../../src/channels/mfs/index.js';
import {
  BKASH,
  bkash,
  engine,
  NAGAD,
  nagad,
  ROCKET,
  read,
  rocket,
  told,
  UPAY,
  upay,
} from '../../helpers/shop/sms.js';

const senders = fc.constantFrom(BKASH, NAGAD, ROCKET, UPAY);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('Tk', ' ', '.', '1', '0', ',', 'Ref', 'TrxID', '\n', 'Fee', 'received', 'from'),
  }),
);

interface Line {
  readonly sender: string;
  readonly body: string;
  readonly settle: string;
  readonly channel: string;
  readonly received_at: string;
}
const autos = readFileSync('test/fixtures/sms-corpus.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
  .filter(({ settle, channel }) => settle === 'auto' && channel.startsWith('mfs_'));

test('random text is never money, under whichever sender', (t) => {
  fc.assert(
    fc.property(senders, anyText, (sender, body) => read(sender, body).settle !== 'auto'),
    { numRuns: 3000 },
  );
  t.pass();
});

test('no text from anybody but the official sender is money', (t) => {
  const known = new Set([BKASH, NAGAD, ROCKET, UPAY, 'UPAY']);
  const stranger = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .tuple(senders, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }))
      .map(([name, more]) => name + more),
    fc.tuple(senders, fc.nat(4)).map(([name, at]) => name.slice(0, at) + name.slice(at + 1)),
  );
  fc.assert(
    fc.property(stranger, fc.constantFrom(...autos), (sender, { body }) => {
      return known.has(sender.replace(/^ +| +$/g, '')) || read(sender, body).settle !== 'auto';
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

/**
 * A changed digit makes an honest text of another payment: then what is read must be what is written. Any
 * other change must not turn up in the amount, the id or the payer.
 */
test('one changed character never makes money of values that the text does not say', (t) => {
  const change = fc.oneof(
    fc.constantFrom(...'0123456789.,-+ XOIl*\n\u200b٥５৫'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...autos), fc.nat(300), change, fc.boolean(), (line, place, char, insert) => {
      const at = place % line.body.length;
      const body = line.body.slice(0, at) + char + line.body.slice(at + (insert ? 0 : 1));
      const reading = read(line.sender, body, line.received_at);
      if (reading.settle !== 'auto') return true;
      const spelt = body
        .replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6))
        .replace(/[,\u00ad\u200b-\u200f\ufeff]/g, '')
        .replace(/\s+/g, ' ')
        .replace(/(Tk|TK|tk|BDT|Taka|৳)\.(?=\d+\.\d)/g, '$1');
      // In every format the amount is the first money of the text.
      const first = /(?:Tk|TK|tk|BDT|Taka|৳)(?:\. | ?)(\d+(?:\.\d{1,2})?|\.\d{2})/.exec(spelt)?.[1];
      const amount = formatTaka(reading.amountPaisa ?? 0);
      return Number(first).toFixed(2) === amount && spelt.includes(reading.trxId ?? '?');
    }),
    { numRuns: 20_000 },
  );
  t.pass();
});

test('text of the payer never changes amount, id, payer or kind of an automatic reading', (t) => {
  const pieces = fc.constantFrom(
    ...[
      'Fee Tk 0.00. ',
      'Balance Tk 9,999.00. ',
      'TrxID DHD7FAKE02 ',
      'at 13/08/2026 16:02',
      '. ',
      'Ref ',
      '\n',
      'Tk 5,000.00 ',
    ],
    ...[
      'You have received ',
      'from 01711000001',
      'TxnID: 75FAKE01',
      'Balance: Tk 9999.00',
      'Amount: Tk 5000.00',
      'food',
    ],
  );
  const typed = fc.oneof(
    anyText,
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(typed, (ref) => {
      const texts = [
        [BKASH, bkash({ ref: ` Ref ${ref}.` }), bkash({})],
        [NAGAD, nagad({ ref: `Ref: ${ref}` }), nagad({})],
        [UPAY, upay({ ref: ` Ref-${ref}.` }), upay({})],
      ] as const;
      return texts.every(([sender, body, bare]) => {
        const reading = told(read(sender, body));
        return (
          reading.settle !== 'auto' || JSON.stringify(reading) === JSON.stringify(told(read(sender, bare)))
        );
      });
    }),
    { numRuns: 5000 },
  );
  t.pass();
});

test('two messages in one body are never money, however they are joined', (t) => {
  const joint = fc.constantFrom('', ' ', '\n', '. ', '\n\n', ', ', ' | ', '. Get cashback offer. ', 'Ref ');
  fc.assert(
    fc.property(fc.constantFrom(...autos), fc.constantFrom(...autos), joint, (first, second, between) => {
      return read(first.sender, first.body + between + second.body).settle !== 'auto';
    }),
    { numRuns: 3000 },
  );
  t.pass();
});

test('a text that lost its end is never money with other values than it had', (t) => {
  for (const { sender, body } of autos) {
    const whole = read(sender, body);
    for (let length = 0; length < body.length; length++) {
      const cut = read(sender, body.slice(0, length));
      // Only what stands behind the message may be missing.
      if (cut.settle === 'auto') t.deepEqual({ ...cut, format: null }, { ...whole, format: null });
    }
  }
});

test('a stream never makes money twice of one transaction, in whichever order its texts come', (t) => {
  const texts = [
    bkash({}),
    bkash({ tail: '.' }),
    bkash({ amount: 'Tk 60.00' }),
    ` ${bkash({})}`,
    bkash({ ref: ' Ref a.' }),
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...texts), { maxLength: 12 }), (bodies) => {
      const memory = new StreamMemory();
      const settled = bodies.filter((body) => {
        const sms = { sender: BKASH, body, receivedAtMs: null };
        return memory.judge(sms, parseSms(engine, sms)).settle === 'auto';
      });
      return settled.length === (bodies.length === 0 ? 0 : 1);
    }),
  );
  t.is(read(ROCKET, rocket({})).settle, 'auto');
});
