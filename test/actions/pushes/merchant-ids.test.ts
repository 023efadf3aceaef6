/** A code with several merchant accounts: a bank may name the merchant by any of them, and by no other. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { merchantAccount, payloadOf, printedObjects } from '../../helpers/shop/qr.js';
import { openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { statusOf } from './ground.js';

const CARD = '4111111111111111';
const FIRST = '1234567890123456789';
const SECOND = '555000111222333444';
const STRANGE = '1750000000000000099';

const code = payloadOf(
  printedObjects.flatMap((object) =>
    object.id === '26'
      ? [
          { id: '02', value: CARD },
          { id: '26', value: merchantAccount(FIRST) },
          { id: '27', value: merchantAccount(SECOND) },
        ]
      : [object],
  ),
);

async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const core = await openTestCore(t, engine, { clock: testClock() });
  const shop = await openShop(core);
  const why = async () => (await listPushes(core, { limit: 10 })).map((row) => row.why);
  const bank = await openBank(core, shop);
  const account = { brand: shop.brand.name, channel: 'qr_interbank', type: 'qr', details: { qr: code } };
  await setAccount(core, { ...account, who: 'test' });
  return { core, shop, why, bank };
}

for (const engine of enginesOfTier) {
  test(`${engine}: every merchant account of the code is the brand's, whether claim or push comes first`, async (t) => {
    const { core, bank, why } = await scene(t, engine);
    for (const merchant of [FIRST, SECOND, CARD]) {
      const [early, late] = [await bank.order(), await bank.order(70_000)];
      t.is(await bank.verify(early.id, PAYER), 'transaction_not_found');
      await bank.push({ merchant });
      t.is(await statusOf(core, early.id), 'COMPLETED credited', merchant);
      await bank.push({ merchant, amount: '700.00', reference: `LATE${merchant}` });
      t.is(await bank.verify(late.id, PAYER), `LATE${merchant}`);
    }
    t.deepEqual([...new Set(await why())], [null]);
  });

  test(`${engine}: a merchant id of none of the codes settles nothing, and the list says that it is that`, async (t) => {
    const { core, bank, why } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await bank.push({ merchant: STRANGE });
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.regex((await why())[0] ?? '', /^the merchant id 1750000000000000099 is in no QR code of a brand: set/);
  });

  test(`${engine}: the id of another brand of the merchant pays that one's orders, and the list says whose`, async (t) => {
    const { core, shop, bank, why } = await scene(t, engine);
    await createBrand(core, { merchant: shop.merchantId, name: 'Second', who: 'test' });
    const qr = payloadOf(
      printedObjects.map((one) => (one.id === '26' ? { id: '26', value: merchantAccount(STRANGE) } : one)),
    );
    const account = { channel: 'qr_interbank', type: 'qr', details: { qr }, who: 'test' };
    await setAccount(core, { ...account, brand: 'Second' });
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await bank.push({ merchant: STRANGE });
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.deepEqual(await why(), ['no customer of Second has claimed it with this amount and number']);
    await setAccount(core, { ...account, brand: shop.brand.name });
    t.is(await bank.verify(id, PAYER), 'RRN000000001', 'once the code is its own too');
  });
}
