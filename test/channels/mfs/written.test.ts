/** The SMS that test mode and the demo play, against the engine that every SMS meets. */
import test from 'ava';
import fc from 'fast-check';
import { systemRandom } from '../../../src/base/values/ids.js';
import { createSmsEngine, parseSms, writeSms } from '../../../src/channels/mfs/index.js';
import { KINDS_OF_TYPE } from '../../../src/domain/accounts/channels.js';

test('a played SMS is money that may settle by itself, on every day of many years', (t) => {
  const engine = createSmsEngine([]);
  const days = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const at = date.getTime();
      const money = { channel: 'mfs_a', amountPaisa: 50_000, at, kinds: KINDS_OF_TYPE.personal } as const;
      const sms = writeSms({ ...money, reference: null }, systemRandom);
      if (sms === null) return t.fail();
      const { channel, settle, credit, amountPaisa, trxId } = parseSms(engine, { ...sms, receivedAtMs: at });
      t.deepEqual(
        { channel, settle, credit, amountPaisa, trxId },
        { channel: 'mfs_a', settle: 'auto', credit: true, amountPaisa: 50_000, trxId: sms.trxId },
      );
    }),
  );
});
