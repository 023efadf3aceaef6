/** What a line around a message of automatic money may not say: what is to be done with the money. */
import test from 'ava';
import { BKASH, bkash, NAGAD, nagad, read } from '../../helpers/shop/sms.js';

for (const tail of [
  'Get back Tk 1,240.00 by app',
  'Use bKash App to undo',
  'Dial *247# to approve',
  'Use bKash App to accept. Until then it is not yours',
  'Use bKash App to confirm, else the money is taken from your balance',
  'Use app within 24 hours, the balance above does not count yet',
]) {
  test(`"${tail}" after a message needs manual review`, (t) => {
    const reading = read(BKASH, bkash({ tail: `. ${tail}` }));
    t.is(reading.settle, 'review');
    t.true(reading.reasons.includes('tail_unknown'));
  });
}

for (const tail of [
  'Get 20% cashback on Example Mart payment with bKash! Offer valid till 30 Sep. T&C apply. Dial *247#',
  'Use bKash App for fast & secure transaction https://bka.sh/app',
  'Pay electricity bill from bKash App for free https://bka.sh/paybill',
  'Enjoy Tk 50 cashback on Mobile Recharge from bKash App',
]) {
  test(`"${tail}" behind a message changes nothing`, (t) => {
    t.is(read(BKASH, bkash({ tail: `. ${tail}` })).settle, 'auto');
  });
}

test('an offer may precede a Nagad message, but not a text that revokes it', (t) => {
  for (const head of ['NOT REAL MONEY nagad.io/x', 'GET NAGAD APP TO CONFIRM nagad.io/x']) {
    t.is(read(NAGAD, `${head}\n${nagad({})}`).settle, 'review', head);
  }
  t.is(read(NAGAD, `WIN LAND IN DHAKA! CLICK NOW nagad.io/exa\n${nagad({})}`).settle, 'auto');
});
