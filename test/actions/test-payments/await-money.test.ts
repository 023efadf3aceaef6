import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { setUpShop } from '../../../src/actions/merchants/set-up-shop.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { takeSms } from '../../../src/actions/sms/take-sms.js';
import { checkNewSms, openTestPayment } from '../../../src/actions/test-payments/await-money.js';
import { loadShopUnderTest } from '../../../src/actions/test-payments/simulate-payments.js';
import { parseIncomingSms } from '../../../src/domain/sms/incoming-sms.js';
import { bkashId, bkashReceived } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

const NUMBER = '01711000001';

async function arrives(core: Core, amount: string, trxId: string, recipient = NUMBER): Promise<void> {
  const { merchantId, devices } = await loadShopUnderTest(core, 'Alo');
  const at = core.clock.now();
  const body = bkashReceived({ amount, from: '01911000001', balance: '5000.00', at }, trxId);
  const read = parseIncomingSms({ id: trxId, sender: 'bKash', body, received_at: at }, at);
  if (!read.ok) throw new Error(read.reason);
  const source = { kind: 'relay', deviceId: devices[0]?.id ?? '' } as const;
  await takeSms(core, { merchantId, source, messages: [read.sms], recipientOf: () => recipient });
}

for (const engine of enginesOfTier) {
  test(`the SMS of the exact amount completes the payment, others are reported once (${engine})`, async (t) => {
    // It stands still: all happens in one moment, and what came before is told from what came after.
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const accounts = [{ channel: 'mfs_a', type: 'personal', number: NUMBER }];
    await setUpShop(core, { name: 'Alo', accounts, device: { name: 'c', sims: [`1=${NUMBER}`] } }, 'test');
    const shop = await loadShopUnderTest(core, 'Alo');
    const [early, more, astray, right] = [1, 2, 3, 4].map((n) => bkashId(clock.now(), n));
    await arrives(core, '10.00', early ?? '');
    const payment = await openTestPayment(core, shop, 1_000);
    const heard = async () =>
      (await checkNewSms(core, shop, payment)).map(({ sms, outcome }) => [sms.trx_id, outcome]);
    await arrives(core, '12.00', more ?? '');
    await arrives(core, '10.00', astray ?? '', '01811000009');
    t.deepEqual(await heard(), [
      [more, 'other'],
      [astray, 'other'],
    ]);
    t.deepEqual(await heard(), []);
    await arrives(core, '10.00', right ?? '');
    t.deepEqual(await heard(), [[right, 'completed']]);
    t.like(await showPayment(core, payment.id), {
      status: 'COMPLETED',
      transaction_id: right,
      cus_name: 'Test payment',
    });
  });
}
