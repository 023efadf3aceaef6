/** What each text of the wallets says of the chain of balances, and when something is done about a gap. */
import test from 'ava';
import { isCredit } from '../../../src/channels/mfs/index.js';
import { type ReadText, toChainLink, toChainLinks } from '../../../src/domain/balance-gaps/balance-link.js';
import {
  nextGapStep,
  type OpenGap,
  type ResendRequests,
} from '../../../src/domain/balance-gaps/gap-steps.js';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, rocket, UPAY, upay } from '../../helpers/shop/sms.js';

const MINUTE = 60_000;

/** A text as the store holds it. */
function text(sender: string, body: string, id = 'sms_1'): ReadText {
  const reading = read(sender, body);
  return {
    ...reading,
    id,
    body,
    credit: isCredit(reading.kind),
    atMs: reading.at === null ? 0 : Date.parse(reading.at),
  };
}

/** Balance before and after in paisa, and what may be missing for a fee or be more for a commission. */
function told(sender: string, body: string) {
  const link = toChainLink(text(sender, body));
  return link === null ? null : [link.before, link.after, link.feeUpTo, link.commissionUpTo];
}

const END = 'TrxID DHD7KQ2P0Z at 13/08/2026 16:02';

test('money that comes in was not there before, in the texts of all four wallets', (t) => {
  t.deepEqual(told(BKASH, bkash({ amount: 'Tk 50.00', balance: 'Tk 8,431.25' })), [838_125, 843_125, 0, 0]);
  t.deepEqual(told(NAGAD, nagad({})), [838_125, 843_125, 0, 0]);
  t.deepEqual(told(ROCKET, rocket({})), [3_034_829, 3_082_829, 0, 0]);
  t.deepEqual(told(UPAY, upay({})), [347_768, 497_768, 0, 0]);
  const cashback = `You have received Cashback Tk 2.90. Balance Tk 1,483.26. ${END}`;
  t.deepEqual(told(BKASH, cashback), [148_036, 148_326, 0, 0], 'a gift pays for nothing, but it is money');
});

test('money that goes out was there before, with its fee', (t) => {
  const cashOut = `Cash Out Tk 500.00 to 01511000051 successful. Fee Tk 9.25. Balance Tk 23,809.21. ${END}`;
  t.deepEqual(told(BKASH, cashOut), [2_431_846, 2_380_921, 0, 0]);
});

test('a fee that is not printed, and a commission, may explain a little', (t) => {
  const paid = `Payment Tk 100.00 to EXAMPLE LTD successful. Balance Tk 900.00. ${END}`;
  t.deepEqual(told(BKASH, paid), [100_000, 90_000, 250, 0]);
  t.deepEqual(
    told(NAGAD, nagad({ opening: 'Payment Received.', payer: 'Customer: 01711000081', ref: null })),
    [838_125, 843_125, 125, 0],
  );
  const agent =
    'Cash Out Received.\nAmount: Tk 1000.00\nCustomer: 01711000081\nTxnID: 75KQXJ52\nComm: Tk 4.10\nBalance: Tk 5000.00\n07/02/2026 13:26';
  t.deepEqual(told(NAGAD, agent), [400_000, 500_000, 0, 1_000]);
});

test('where it is not certain what moved, only the balance after it counts', (t) => {
  const after = (balance: number) => [null, balance, 0, 0];
  t.deepEqual(told(BKASH, bkash({ fee: 'Tk 1.00' })), after(843_125), 'a fee on money that came in');
  const reserved = `Payment of Tk 564.11 is being reserved for Example Ride Ltd. Balance Tk 211.97. ${END}`;
  t.deepEqual(told(BKASH, reserved), after(21_197));
  const reversed =
    'Transaction Reversed.\nAmount: Tk 50.00\nTxnID: 75KQXJ52\nBalance: Tk 100.00\n07/02/2026 13:26';
  t.deepEqual(told(NAGAD, reversed), after(10_000));
});

test('money that moves without a balance and doubtful texts reveal no balances', (t) => {
  const nothing = [null, null, 0, 0];
  const bill =
    'Bill successfully paid.\nBiller: ExampleOnline\nMMYYYY/Contact: 072026\nA/C: 10030041\nAmount: Tk 525.00\nFee: Tk 0.00\nTrxID: DHP0QNEK65 at 25/08/2026 09:46';
  t.deepEqual(told(BKASH, bill), nothing);
  t.deepEqual(told('16247', bkash({})), nothing, 'a sender that is not quite the official one');
  t.deepEqual(told(BKASH, `You got Tk 50.00. Balance Tk 100.00. ${END}`), nothing, 'no known text');
});

test('a text is in the minute in which its money moved', (t) => {
  const link = toChainLink({ ...text(BKASH, bkash({})), atMs: 7 * MINUTE + 59_999 });
  t.like(link, { id: 'sms_1', minute: 7 });
});

const DOUBTS = [
  ...['sender_weak', 'amount_ambiguous', 'amount_over_balance', 'balance_unreadable', 'characters_foreign'],
  ...['characters_hidden', 'reference_like_message', 'tail_unknown', 'two_messages', 'text_repeated'],
  'text_too_long',
];

test('one reason for doubt is enough, and other reasons do not count', (t) => {
  const sure = text(BKASH, bkash({}));
  const balances = (change: Partial<ReadText>) => {
    const link = toChainLink({ ...sure, ...change });
    return [link?.before, link?.after];
  };
  const known = [838_125, 843_125];
  t.deepEqual(balances({ reasons: ['checks_passed', 'id_date'] }), known);
  for (const doubt of DOUBTS) t.deepEqual(balances({ reasons: ['id_date', doubt] }), [null, null], doubt);
  t.deepEqual(balances({ format: null }), [null, null], 'no format has consumed it');
  t.deepEqual(balances({ amountPaisa: null }), [null, 843_125], 'nobody knows how much moved');
});

test('a text that moves no money is not in the chain; of an unclear one only the balance after it counts', (t) => {
  const told = (kind: string) => toChainLink({ ...text(BKASH, bkash({})), kind, credit: false });
  for (const kind of ['otp', 'promo', 'notice', 'balance', 'spoofed']) t.is(told(kind), null, kind);
  for (const kind of ['pending', 'failed', 'unknown'])
    t.like(told(kind), { before: null, after: 843_125 }, kind);
  t.like(told('outgoing'), { before: 848_125, after: 843_125 });
});

test('codes, offers and forgeries have no place in the chain', (t) => {
  t.is(told(BKASH, 'Your bKash OTP is 100200. Expires in 2 min.'), null);
  t.is(told('01711111111', bkash({})), null);
});

test('one transaction that comes as two texts is one link', (t) => {
  const lines = nagad({});
  const one = text(NAGAD, lines, 'sms_1');
  t.deepEqual(toChainLinks([one, text(NAGAD, lines.replaceAll('\n', ' '), 'sms_2')]), toChainLinks([one]));
  const spoilt = text('16167', lines, 'sms_3');
  t.deepEqual(toChainLinks([spoilt, one]), toChainLinks([one]));
  t.deepEqual(toChainLinks([one, spoilt]), toChainLinks([one]));
});

test('texts that name no transaction are each a link, and texts outside the chain are not', (t) => {
  const unnamed = { ...text(BKASH, bkash({})), trxId: null };
  const otp = text(BKASH, 'Your bKash OTP is 100200. Expires in 2 min.', 'sms_3');
  const links = toChainLinks([unnamed, otp, { ...unnamed, id: 'sms_2', balancePaisa: 1_000_000 }]);
  t.deepEqual(
    links.map(({ id, before, after }) => [id, before, after]),
    [
      ['sms_1', 838_125, 843_125],
      ['sms_2', 995_000, 1_000_000],
    ],
  );
});

test('one transaction that moved the same balance to two others is two links, the second without its begin', (t) => {
  const one = text(BKASH, bkash({}));
  const more = { ...one, id: 'sms_2', amountPaisa: 6_000, balancePaisa: 844_125 };
  t.deepEqual(
    toChainLinks([one, more]).map(({ before, after }) => [before, after]),
    [
      [838_125, 843_125],
      [null, 844_125],
    ],
  );
  const later = { ...text(BKASH, bkash({ id: 'DHD8KQ2P0Z' })), id: 'sms_3' };
  t.deepEqual(
    toChainLinks([one, later, more]).map(({ id }) => id),
    ['sms_1', 'sms_3', 'sms_2'],
  );
});

test('of money that was reserved and then paid nobody knows when it left', (t) => {
  const reserved = `Payment of Tk 50.00 is being reserved for Example Ltd. Balance Tk 100.00. ${END}`;
  const paid = `Payment Tk 50.00 to Example Ltd successful. Balance Tk 100.00. ${END}`;
  const links = toChainLinks([text(BKASH, reserved, 'sms_1'), text(BKASH, paid, 'sms_2')]);
  t.deepEqual(
    links.map(({ before, after }) => [before, after]),
    [
      [null, 10_000],
      [null, 10_000],
    ],
  );
});

test('a gap is requested, reported and rechecked when it is time', (t) => {
  const gap: OpenGap = { foundAt: 0, since: -60 * MINUTE, askedAt: null, answeredAt: null, isTold: false };
  const phone: ResendRequests = { canAnswer: true, isSending: false, lastAsk: null };
  const none: ResendRequests = { ...phone, canAnswer: false };
  t.deepEqual(nextGapStep(gap, phone, 0), { step: 'ask' });
  t.deepEqual(nextGapStep(gap, none, 0), { step: 'wait', lookAt: 5 * MINUTE });
  t.deepEqual(nextGapStep(gap, none, 5 * MINUTE), { step: 'tell' });
  const rested = { ...phone, lastAsk: { at: -8 * MINUTE, since: -60 * MINUTE } };
  t.deepEqual(nextGapStep(gap, rested, 0), { step: 'wait', lookAt: 2 * MINUTE });
  t.deepEqual(nextGapStep(gap, rested, 2 * MINUTE), { step: 'ask' });
  t.deepEqual(nextGapStep(gap, { ...rested, isSending: true }, 0), { step: 'ask' }, 'it goes back that far');
  const shorter = { ...phone, lastAsk: { at: -8 * MINUTE, since: -59 * MINUTE } };
  t.deepEqual(nextGapStep(gap, shorter, 0), { step: 'ask' }, 'it was not asked for this');
  const late = { ...gap, askedAt: 2 * MINUTE };
  t.deepEqual(nextGapStep(late, rested, 5 * MINUTE), { step: 'wait', lookAt: 7 * MINUTE });
  t.deepEqual(nextGapStep(late, rested, 7 * MINUTE), { step: 'tell' });
  const asked = { ...gap, askedAt: 0 };
  t.deepEqual(nextGapStep(asked, phone, 0), { step: 'wait', lookAt: 5 * MINUTE });
  const answered = { ...asked, answeredAt: MINUTE };
  t.deepEqual(nextGapStep(answered, phone, MINUTE), { step: 'wait', lookAt: 2 * MINUTE });
  t.deepEqual(nextGapStep(answered, phone, 2 * MINUTE), { step: 'tell' });
  const told = { ...answered, isTold: true };
  t.deepEqual(nextGapStep(told, phone, 2 * MINUTE), { step: 'wait', lookAt: 62 * MINUTE });
  t.deepEqual(nextGapStep(told, phone, 8 * 1_440 * MINUTE), { step: 'wait', lookAt: null });
  // A week from when it was found, whenever that was.
  const week = 7 * 1_440 * MINUTE;
  const found = { ...told, foundAt: 90 * MINUTE };
  const last = 90 * MINUTE + week;
  t.deepEqual(nextGapStep(found, phone, last), { step: 'wait', lookAt: last + 60 * MINUTE });
  t.deepEqual(nextGapStep(found, phone, last + 1), { step: 'wait', lookAt: null });
});
