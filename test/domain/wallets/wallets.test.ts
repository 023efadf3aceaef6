/** What the wallets' descriptors decide by themselves; their formats are held by test/channels/mfs. */
import test from 'ava';
import { isCredit, SMS_KINDS } from '../../../src/domain/wallets/format.js';
import { ofEachWallet, WALLET, WALLETS } from '../../../src/domain/wallets/index.js';
import { ROCKET } from '../../../src/domain/wallets/rocket.js';

test('just these kinds of text add money to the wallet that they were sent to', (t) => {
  const credits = ['received', 'cash_in', 'payment_received', 'cash_out_received', 'b2b_received'];
  const own = ['add_money', 'bonus', 'remittance', 'loan', 'refund'];
  t.deepEqual(SMS_KINDS.filter(isCredit), [...credits, ...own] as (typeof SMS_KINDS)[number][]);
  for (const kind of ['', 'toString', 'RECEIVED']) t.false(isCredit(kind), kind);
});

test('what is wanted of each wallet is found by its channel', (t) => {
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

test('texts of the bank that writes from Rocket’s number are told from Rocket’s own', (t) => {
  const isOthers = (text: string) => ROCKET.senders.isOtherBusiness?.(text);
  for (const text of OF_THE_BANK) t.true(isOthers(text), text);
  for (const text of OF_ROCKET) t.false(isOthers(text), text);
});
