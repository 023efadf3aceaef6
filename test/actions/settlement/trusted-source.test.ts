/** Money of a Bangla QR that an acquirer's app reports by SMS: before it is trusted, and afterwards. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core } from '../../../src/actions/core/core.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { approvePayment } from '../../../src/actions/reviews/decide-review.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { trustSource } from '../../../src/actions/sms/trust-sources.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { createSmsEngine } from '../../../src/channels/mfs/index.js';
import { printedPayload } from '../../helpers/shop/qr.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { loaded, sourceFile } from '../../helpers/shop/sources.js';
import { engines } from '../../helpers/stores/engines.js';

const who = 'test';
const MINUTE = 60_000;

for (const engine of engines) {
  test(`${engine}: digits in the text pay a merchant's code, once its sender is trusted`, async (t) => {
    const { clock, core: plain, shop } = await scene(t, engine);
    const core: Core = { ...plain, smsEngine: async () => createSmsEngine([loaded(sourceFile('tallypay'))]) };
    const account = { brand: shop.brand.name, channel: 'qr_interbank', details: { qr: printedPayload } };
    await setAccount(core, { ...account, who });
    let sent = 0;
    const receive = async (taka: number, payer: string) => {
      sent += 1;
      const id = `YY1Z${String(sent).padStart(2, '0')}HTP`;
      const body = `Tk ${taka}.00 received from ${payer} via TallyPay QR. Txn ID: ${id}`;
      const message = { id, sender: 'TallyPay', body, received_at: dhakaIso(clock.now()), sim_slot: 1 };
      await syncDevice(core, { device: shop.device, messages: [message], health: null });
      return id;
    };
    /** A payment of that amount, and a minute later its money. */
    const pay = async (taka: number, payer: string) => {
      const id = await shop.order(taka * 100);
      clock.advance(MINUTE);
      return { id, reference: await receive(taka, payer) };
    };
    const verify = (id: string, number: string) => answer(core, shop, id, number, 'qr_interbank');
    const stateOf = async (id: string) => (await showPayment(core, id)).status;

    for (let taka = 1_000; taka < 1_010; taka += 1) {
      const { id, reference } = await pay(taka, '017***4838');
      t.is(await verify(id, '4838'), 'transaction_not_found', 'it is not trusted yet');
      const approval = { payment: id, method: 'qr_interbank', reference } as const;
      await approvePayment(core, { ...approval, note: 'in the app', force: true, who });
    }
    await trustSource(core, { name: 'tallypay', who });

    const unnamed = await pay(2_000, '018***0001');
    t.is(await stateOf(unnamed.id), 'PENDING', 'the amount alone is one witness');
    t.is(await verify(unnamed.id, '0001'), 'completed');
    const named = await shop.order(300_000);
    clock.advance(2 * MINUTE);
    t.is(await verify(named, '01911110002'), 'transaction_not_found');
    const other = await shop.order(300_000);
    await receive(3_000, '01911110002');
    t.is(await stateOf(named), 'COMPLETED', 'a full number chooses between two payments');
    t.is(await stateOf(other), 'PENDING');
    t.is((await rows(core, 'transactions')).length, 12);
  });
}
