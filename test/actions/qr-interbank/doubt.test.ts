/** Pushes that may be money that was counted before, or was taken back; and codes that were changed since. */
import test, { type ExecutionContext } from 'ava';
import type { Core } from '../../../src/actions/core.js';
import { setAccount } from '../../../src/actions/set-account.js';
import type { Engine } from '../../../src/store/schema.js';
import { openBank, PAYER } from '../../helpers/bank.js';
import { engines, openTestCore, testClock } from '../../helpers/engines.js';
import { MERCHANT_ID, merchantAccount, payloadOf, printedObjects } from '../../helpers/qr.js';
import { rows } from '../../helpers/scene.js';
import { openShop } from '../../helpers/shop.js';

async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  return { clock, core, shop, bank: await openBank(core, shop) };
}

const statusOf = async (core: Core, id: string) => {
  const row = await core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select(['status', 'reason']).executeTakeFirst(),
  );
  return `${row?.status} ${row?.reason}`;
};

for (const engine of engines) {
  test(`${engine}: an order is paid by its own code although the shop has another code by then`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const [scanned, less, more] = [await bank.order(), await bank.order(), await bank.order()];
    const other = printedObjects.map((object) =>
      object.id === '26' ? { id: '26', value: merchantAccount('1750000000000000099') } : object,
    );
    const code = { channel: 'qr_interbank', type: 'qr', details: { qr: payloadOf(other) } };
    await setAccount(core, { brand: shop.brand.name, ...code, who: 'test' });
    await bank.push({ bill: scanned.gatewayReference, merchant: MERCHANT_ID });
    t.is(await statusOf(core, scanned.id), 'COMPLETED credited');
    await bank.push({ bill: less.gatewayReference, merchant: MERCHANT_ID, amount: '499.99' });
    t.is(await statusOf(core, less.id), 'PENDING initiated');
    await bank.push({ bill: more.gatewayReference, merchant: MERCHANT_ID, amount: '500.01' });
    t.is(await statusOf(core, more.id), 'PENDING review');
    t.is((await rows(core, 'transactions')).length, 1);
    t.is(await bank.verify(less.id, PAYER), 'transaction_not_found');
  });
}
