/** Honest words in the reference that hold the letters of a label, and labels that payers type. */
import test from 'ava';
import { BKASH, bkash, read } from '../../helpers/shop/sms.js';

const typed = (reference: string) => read(BKASH, bkash({ ref: ` Ref ${reference}.` }));

for (const reference of [
  'coffee: 2',
  'herbal: 3 pcs',
  'global: 1',
  'Md. Refat Hossain',
  'Mrs. Balbir',
  'Inv.Ref 22',
  'Md. Feeroz 5',
  'telecomm: 7',
]) {
  test(`"${reference}" is an honest reference`, (t) => {
    const reading = typed(reference);
    t.is(reading.settle, 'auto');
    t.is(reading.payerReference, reference);
  });
}

for (const reference of [
  'fee: 5',
  'x Balance: 9',
  'customer: 5',
  'amount: 5',
  'Money received thanks',
  'HelloBalance: Tk 5',
  'HelloFee: 5',
  'x.Fee 5',
  'x. Fee Tk',
  'x.bal 5',
  'food. Ref rent',
  '000081.Ref rent',
]) {
  test(`"${reference}" is a part of a message where a reference should be`, (t) => {
    t.deepEqual(typed(reference).reasons, ['reference_like_message']);
  });
}
