/** The demo's SMS against the engine that every SMS meets. */

import test from 'ava';
import fc from 'fast-check';
import { systemRandom } from '../../src/base/values/ids.js';
import { createSmsEngine, readSms } from '../../src/channels/mfs/index.js';
import { moneySent } from '../../src/demo/sms.js';

test("the demo's SMS is money that may settle by itself, on every day of many years", (t) => {
  const engine = createSmsEngine([]);
  const days = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const at = date.getTime();
      const sms = moneySent(
        { amount: '500.00', balance: '7,350.25', from: '01900000002', to: '01700000001', at },
        systemRandom,
      );
      const { channel, settle, credit, amountPaisa, trxId } = readSms(engine, { ...sms, receivedAtMs: at });
      t.deepEqual(
        { channel, settle, credit, amountPaisa, trxId },
        { channel: 'mfs_a', settle: 'auto', credit: true, amountPaisa: 50_000, trxId: sms.trxId },
      );
    }),
  );
});
