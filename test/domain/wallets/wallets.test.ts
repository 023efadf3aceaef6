/** What the wallets' descriptors decide by themselves; their formats are held by test/channels/mfs. */
import test from 'ava';
import { isCredit, SMS_KINDS } from '../../../src/domain/wallets/format.js';
import { ofEachWallet, WALLET, WALLETS } from '../../../src/domain/wallets/index.js';
import { ROCKET } from '../../../src/domain/wallets/rocket.js';
import { UPAY } from '../../../src/domain/wallets/upay.js';
import { APP_STORE } from '../../../src/domain/wallets/wallet.js';

test('just these kinds of text add money to the wallet that they were sent to', (t) => {
  const credits = ['received', 'cash_in', 'payment_received', 'cash_out_received', 'b2b_received'];
  const own = ['add_money', 'bonus', 'remittance', 'loan', 'refund'];
  t.deepEqual(SMS_KINDS.filter(isCredit), [...credits, ...own] as (typeof SMS_KINDS)[number][]);
  for (const kind of ['', 'toString', 'RECEIVED']) t.false(isCredit(kind), kind);
});

test('the value for each wallet is found by its channel', (t) => {
  t.deepEqual(
    ofEachWallet(({ name }) => name.en),
    { mfs_a: 'bKash', mfs_b: 'Nagad', mfs_c: 'Rocket', mfs_d: 'Upay' },
  );
  for (const wallet of WALLETS) t.is(WALLET[wallet.channel], wallet);
});

test('the example of each wallet’s ids has their shape, and no other wallet’s', (t) => {
  for (const { channel, ids } of WALLETS) {
    const fitting = WALLETS.filter((other) => other.ids.shape.test(ids.example));
    t.deepEqual(
      fitting.map((other) => other.channel),
      [channel],
    );
    for (const wrong of [`${ids.example}0`, `0${ids.example}`, ids.example.slice(1)]) {
      t.false(ids.shape.test(wrong), wrong);
    }
  }
});

const accountTypes: readonly (readonly [channel: string, types: readonly string[]])[] = [
  ['mfs_a', ['personal', 'agent', 'payment']],
  ['mfs_b', ['personal', 'agent']],
  ['mfs_c', ['personal']],
  ['mfs_d', ['personal', 'agent', 'payment']],
];

test('a merchant can have these types of account, and customers see how to pay to each', (t) => {
  t.deepEqual(
    WALLETS.map((wallet) => [wallet.channel, wallet.accountTypes]),
    accountTypes as never,
  );
  for (const { channel, checkout } of WALLETS) {
    for (const { en, bn } of Object.values(checkout.services)) {
      t.regex(en, /^[A-Z][A-Za-z ]+$/, channel);
      t.true(bn.endsWith(`(${en})`) && /\p{Script=Bengali}/u.test(bn), `${channel} ${bn}`);
    }
  }
});

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('the card of each wallet is read on its colour, and its menu can be dialled', (t) => {
  const looks = WALLETS.map(({ checkout }) => checkout);
  for (const { mark, colour, dialCode } of looks) {
    t.regex(mark, /^[A-Za-z]{1,2}$/);
    t.regex(colour, /^#[0-9a-f]{6}$/);
    t.true(1.05 / (luminance(colour) + 0.05) >= 4.5, colour);
    t.regex(dialCode, /^\*\d{3}#$/);
  }
  for (const field of ['mark', 'colour', 'shape', 'dialCode'] as const) {
    t.is(new Set(looks.map((look) => look[field])).size, looks.length, field);
  }
});

test('strangers can guess ids that count up or contain a time, up to a fixed rate a second', (t) => {
  t.deepEqual(
    WALLETS.map(({ ids: { guessable } }) =>
      guessable?.kind === 'counter' ? [guessable.base, guessable.perSecond] : (guessable?.kind ?? null),
    ),
    [null, [36, 130], [10, 41], 'time'],
  );
});

test('a wallet is named as its texts and forwarders write it, and links lead to its own app', (t) => {
  for (const { name, texts, senders, additions } of WALLETS) {
    t.true(texts.spellings.includes(name.en), name.en);
    for (const spelling of texts.spellings) t.is(spelling.toLowerCase(), name.en.toLowerCase());
    t.true(additions.names.includes(name.en.toLowerCase()), name.en);
    t.true(additions.links.some((link) => link.startsWith(`${APP_STORE}`) && link.length > APP_STORE.length));
    for (const text of [...senders.weak, ...additions.names, ...additions.tails]) {
      t.regex(text, /^[^A-Z]{3,}$/, 'compared in lower case');
    }
    for (const link of additions.links) t.regex(link, /^[\w.-]+\.\w+\//);
    for (const sender of senders.notices) t.regex(sender, /bkash/i);
  }
});

test('a text speaks of an Upay id however it spells it, and of no other', (t) => {
  const [, mark] = UPAY.imitation.marks;
  for (const text of [
    'TrxID 01KB7C9D2E',
    'trx id: 01KB7C9D2E.',
    'TrxID:01KB7C9D2E',
    'trxid01KB7C9D2E',
    'Ref-1',
  ]) {
    t.true(mark?.test(text), text);
  }
  for (const text of ['TrxID 01KB7C9D2', 'TrxID 01KB7C9D2E9', 'TrxID 21KB7C9D2E', 'TrxID DH15ABC1K7']) {
    t.false(mark?.test(text), text);
  }
});

/** From Rocket's number the bank writes too, of its accounts and cards. */
const OF_THE_BANK = [
  'Dear Sir, your A/C *123 is credited by Tk 500.00',
  'Dear Sir/Madam, your A/C *123 has been debited. Txnid 1',
  'Dear Customer, welcome to our branch',
  'dear sir your cheque book is ready',
  'Balance of your A/C is Tk 500.00',
  'Your Debit Card ending 1234 was used',
  'A credit card bill of Tk 500.00 is due',
  'Get NexusPay today',
  'Tk 500.00 was paid from your A/C *123',
];
const OF_ROCKET = [
  'Tk500.00 received from A/C:***268 Fee:Tk0 TxnId:4123456789',
  'Dear Customer, your Rocket PIN was changed',
  'Dear Sir, TxnId 4123456789 was reversed',
  'Dear Sir, Txn Id 4123456789 was reversed',
  'Pay by Rocket with your debit card',
  'Download NexusPay for Rocket',
  'Dear friend, welcome',
  'My dear sir, welcome',
  'What is the balance of your A/C',
  'Dear you, your A/C is closed',
  'Rocket: dear sir, your A/C *1 is empty',
  'You have a card',
];

test('texts of the bank that writes from Rocket’s number are distinguished from Rocket’s own', (t) => {
  const isOthers = (text: string) => ROCKET.senders.isOtherBusiness?.(text);
  for (const text of OF_THE_BANK) t.true(isOthers(text), text);
  for (const text of OF_ROCKET) t.false(isOthers(text), text);
});
