/** Two SMS are one if they say the same; without an id of a transaction also in the same second. */
import test from 'ava';
import fc from 'fast-check';
import { smsDedupeKey } from '../../../src/domain/sms/sms-identity.js';

const messages = fc.record({
  merchantId: fc.constantFrom('mer_1', 'mer_2'),
  sender: fc.constantFrom('bKash', 'NAGAD'),
  body: fc.constantFrom('a', 'b'),
  receivedAtMs: fc.constantFrom(5_000, 5_999, 6_000),
  trxId: fc.constantFrom(null, 'DHL7CD1EF2'),
  occasion: fc.constantFrom(null, undefined, 'first', 'second'),
});

test('the key depends on merchant, sender and text, and without an id on the moment', (t) => {
  fc.assert(
    fc.property(messages, messages, (one, two) => {
      const moment = ({ trxId, occasion, receivedAtMs }: typeof one) =>
        trxId === null ? (occasion ?? Math.floor(receivedAtMs / 1_000)) : 'whenever';
      const isSame =
        one.merchantId === two.merchantId &&
        one.sender === two.sender &&
        one.body === two.body &&
        moment(one) === moment(two);
      const told = (sms: typeof one) => {
        const { occasion, ...rest } = sms;
        return smsDedupeKey(occasion === undefined ? rest : { ...rest, occasion });
      };
      t.is(told(one) === told(two), isSame);
    }),
    { numRuns: 3_000 },
  );
});

test('keys stay what they are in stores that exist: an SMS that comes again after an update is known', (t) => {
  const sms = { merchantId: 'mer_1', sender: 'bKash', body: 'a', receivedAtMs: 5_000 };
  t.is(smsDedupeKey({ ...sms, trxId: 'DHL7CD1EF2' }), 'cAnkN8Duv0zaHIn-GmhQwJdTXY0JksQfj49_cu4vLzo');
  t.is(smsDedupeKey({ ...sms, trxId: null }), 'I9-c8SOihXV7RhQ9vHi2mHDaX32DMyANaYBhSsejEm8');
});
