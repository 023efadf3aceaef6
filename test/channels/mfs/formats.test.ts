/** The format files: every example is read by its own format, and a faulty file is refused by name. */
import test from 'ava';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { createSmsEngine, isCredit, loadFormatFile, parseSms } from '../../../src/channels/mfs/index.js';
import { OFFICIAL_SENDER } from '../../../src/channels/mfs/senders.js';
import { WALLETS } from '../../../src/domain/wallets/index.js';
import { BKASH, engine, told } from '../../helpers/shop/sms.js';

const BUILT_IN = WALLETS.map(({ channel, texts }) => ({ channel, formats: texts.formats }));

for (const { channel, formats } of BUILT_IN) {
  for (const format of formats) {
    for (const [index, { text, values }] of format.examples.entries()) {
      test(`example ${index + 1} of ${format.id} is read as it says`, (t) => {
        const reading = parseSms(engine, {
          sender: OFFICIAL_SENDER[channel],
          body: text,
          receivedAtMs: null,
        });
        t.is(reading.format, format.id);
        t.deepEqual(told(reading), {
          channel,
          kind: format.kind,
          credit: isCredit(format.kind),
          settle: format.settle,
          ...{ amount: null, from: null, fee: null, balance: null, trx_id: null, at: null },
          ...values,
        });
      });
    }
  }
}

test('formats that settle automatically pass the check that an operator’s file must pass', (t) => {
  for (const { channel, formats } of BUILT_IN) {
    const file = { channel, formats: formats.filter(({ settle }) => settle === 'auto') };
    t.deepEqual(loadFormatFile(JSON.parse(JSON.stringify(file))), file);
  }
});

const OWN = {
  channel: 'mfs_a',
  formats: [
    {
      id: 'bkash-school-fee',
      kind: 'payment_received',
      settle: 'auto',
      texts: [
        'School fee {amount} paid by {payer}. Fee {fee}. Balance {balance}. TrxID {id} at {date}[.]{tail}',
      ],
      examples: [
        {
          text: 'School fee Tk 5.00 paid by 01711000001. Fee Tk 0.00. Balance Tk 5.00. TrxID DHL60302ZX at 21/08/2026 12:35',
          values: {
            ...{ amount: '5.00', fee: '0.00', balance: '5.00', from: '01711000001', trx_id: 'DHL60302ZX' },
            at: '2026-08-21T12:35:00+06:00',
          },
        },
      ],
    },
  ],
};
const OWN_TEXT =
  'School fee Tk 900.00 paid by 01711000001. Fee Tk 0.00. Balance Tk 950.00. TrxID DHL60302ZX at 21/08/2026 12:35';

test('a text in words that nobody knows is not money until an operator adds its format', (t) => {
  const sms = { sender: BKASH, body: OWN_TEXT, receivedAtMs: null };
  t.not(parseSms(engine, sms).settle, 'auto');
  const reading = parseSms(createSmsEngine([loadFormatFile(OWN)]), sms);
  t.is(reading.settle, 'auto');
  t.is(reading.format, 'bkash-school-fee');
  t.is(reading.amountPaisa, 90_000);
});

test('an operator’s own format goes through the same checks as the others', (t) => {
  const own = createSmsEngine([loadFormatFile(OWN)]);
  const body = OWN_TEXT.replace('DHL', 'DHM');
  t.deepEqual(parseSms(own, { sender: BKASH, body, receivedAtMs: null }).reasons, ['id_date']);
  t.is(parseSms(own, { sender: 'bKash24', body: OWN_TEXT, receivedAtMs: null }).settle, 'never');
});

test('an operator says that money in a wallet’s own words needs a second witness', (t) => {
  const [format] = OWN.formats;
  const own = { ...OWN, formats: [{ ...format, settle: 'review', weak: true }] };
  const sms = { sender: BKASH, body: OWN_TEXT, receivedAtMs: null };
  t.like(parseSms(createSmsEngine([loadFormatFile(own)]), sms), { settle: 'review', isWeak: true });
  const spoilt = { ...sms, body: OWN_TEXT.replace('DHL', 'DHM') };
  t.is(parseSms(createSmsEngine([loadFormatFile(own)]), spoilt).isWeak, undefined);
});

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('an id of mfs_d may be from any moment of the minute in its text, plus or minus five minutes', (t) => {
  const told = Date.UTC(2026, 1, 3, 2, 9);
  const idOf = (ms: number) =>
    Array.from({ length: 10 }, (_, at) => CROCKFORD[Math.floor(ms / 32 ** (9 - at)) % 32]).join('');
  const reasons = (ms: number) => {
    const body = `Tk. 1500.00 has been received from 01711000102. Ref-. Balance Tk. 4977.68. TrxID ${idOf(ms)} at 03/02/2026 08:09.`;
    return parseSms(engine, { sender: 'upay', body, receivedAtMs: null }).reasons;
  };
  const minute = 60_000;
  for (const around of [1 - 5 * minute, 0, minute - 1, 6 * minute - 1]) {
    t.deepEqual(reasons(told + around), ['checks_passed'], String(around));
  }
  for (const around of [-5 * minute, 6 * minute]) {
    t.deepEqual(reasons(told + around), ['id_date'], String(around));
  }
});

const faulty: readonly (readonly [string, unknown, RegExp])[] = [
  ['no object', [], /must be an object/],
  ['an unknown channel', { ...OWN, channel: 'mfs_e' }, /"channel" must be/],
  ['an unknown field', { ...OWN, format: [] }, /unknown field "format"/],
  ['no formats', { ...OWN, formats: [] }, /"formats" must be a list/],
  ['the same id twice', { ...OWN, formats: [...OWN.formats, ...OWN.formats] }, /used twice/],
];
const withFormat = (change: object): unknown => ({ ...OWN, formats: [{ ...OWN.formats[0], ...change }] });
const withText = (text: string): unknown => withFormat({ texts: [text] });
const withExample = (change: Readonly<Record<string, string>>): unknown => {
  const [from = '', to = ''] = Object.entries(change)[0] ?? [];
  const [example] = OWN.formats[0]?.examples ?? [];
  return withFormat({ examples: [{ ...example, text: example?.text.replace(from, to) }] });
};
const faultyFormats: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'an example that its texts do not consume',
    withText('School fee {amount} from {payer}. Fee {fee}. Balance {balance}. TrxID {id} at {date}'),
    /not consumed whole/,
  ],
  ['an example that the checks doubt', withExample({ DHL: 'DHM' }), /comes out review because of id_date/],
  ['an example with another value', withExample({ 'Tk 5.00 paid': 'Tk 4.00 paid' }), /amount 4.00, not 5.00/],
  ['an id with spaces', withFormat({ id: 'my format' }), /"id" must be/],
  ['an unknown kind', withFormat({ kind: 'money' }), /"kind" must be/],
  ['a forgery as a kind', withFormat({ kind: 'spoofed', settle: 'never' }), /"kind" must be/],
  ['an unknown verdict', withFormat({ settle: 'always' }), /"settle" must be/],
  ['weak money that settles alone', withFormat({ weak: true }), /"weak" must be/],
  ['outgoing money that settles', withFormat({ kind: 'outgoing' }), /must be never/],
  ['an unknown slot', withText('You {got}'), /no slot is called \{got\}/],
  ['an inherited name as a slot', withText('You {constructor}'), /no slot is called/],
  ['an open brace', withText('You {amount'), /not closed/],
  ['an open bracket', withText('You [have'), /not closed/],
  ['a bracket too many', withText('You have]'), /unexpected \]/],
  ['a slot twice', withText('{amount} and {amount}'), /stands twice/],
  [
    'auto without an id',
    withText('{amount} from {payer} at {date}. Balance {balance}'),
    /needs the slot for id/,
  ],
  ['auto without a balance', withText('{amount} from {payer} {id} at {date}'), /slot for balance/],
  [
    'auto that ends in the payer’s words',
    withText('{amount} from {payer} {id} at {date} {balance} {ref}'),
    /must not end/,
  ],
  ['auto that skips', withText('{skip} {amount} from {payer} {id} at {date} {balance}'), /must not skip/],
  [
    'values that are numbers',
    withFormat({ examples: [{ text: 'x', values: { amount: 5 } }] }),
    /must be a text/,
  ],
];

for (const [what, json, message] of [...faulty, ...faultyFormats]) {
  test(`a format file with ${what} is refused, and the message says so`, (t) => {
    const error = t.throws(() => loadFormatFile(json), { instanceOf: KashboxError });
    t.is(error?.code, 'config_invalid');
    t.regex(error?.message ?? '', message);
  });
}
