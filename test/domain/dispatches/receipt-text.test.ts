/** The receipt by SMS: everything that a payer compares, in as few parts as it takes. */
import test from 'ava';
import fc from 'fast-check';
import { measureText } from '../../../src/domain/dispatches/dispatch-text.js';
import { receiptText } from '../../../src/domain/dispatches/receipt-text.js';

const RECEIPT = {
  brand: 'Alo Store',
  paisa: 125_000,
  deliveryPaisa: 0,
  method: 'bKash',
  idName: 'TrxID',
  reference: 'DH15ABC1K8',
  paymentNo: 'K7M2QX94TR8A',
};

test('it says shop, sum, way, transaction id and payment number', (t) => {
  t.is(
    receiptText('en', RECEIPT),
    'Alo Store: Tk 1250.00 received by bKash. TrxID DH15ABC1K8. Payment no. K7M2QX94TR8A.',
  );
  t.is(
    receiptText('bn', { ...RECEIPT, brand: 'আলো স্টোর', method: 'বিকাশ' }),
    'আলো স্টোর: বিকাশ থেকে ১২৫০.০০ টাকা পাওয়া গেছে। TrxID DH15ABC1K8। পেমেন্ট নং K7M2QX94TR8A।',
  );
});

test('of an advance it says what is due on delivery', (t) => {
  const advance = { ...RECEIPT, paisa: 20_000, deliveryPaisa: 80_000 };
  t.true(receiptText('en', advance).endsWith('. Tk 800.00 due on delivery.'));
  t.true(receiptText('bn', advance).endsWith('। ডেলিভারির সময় ৮০০.০০ টাকা।'));
});

test('English is one SMS of the GSM alphabet, Bangla two at most, whatever the shop is called', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (brand) => {
      const english = receiptText('en', { ...RECEIPT, brand, deliveryPaisa: 99_999_900 });
      t.deepEqual(measureText(english), { encoding: 'GSM-7', parts: 1 });
      t.true(english.includes(RECEIPT.reference) && english.includes(RECEIPT.paymentNo));
      const bangla = receiptText('bn', { ...RECEIPT, brand, deliveryPaisa: 99_999_900, method: 'বিকাশ' });
      t.true((measureText(bangla)?.parts ?? 9) <= 2, bangla);
    }),
  );
});
