/** What a brand says of its hosted checkout: fees and how shops are answered. */
import test from 'ava';
import { findBrandInFull } from '../../../src/actions/brands/brand-view.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { hostedScene, OPERATOR, onlyReview } from '../../helpers/shop/hosted.js';
import { answer, rows } from '../../helpers/shop/scene.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const who = OPERATOR;

for (const engine of enginesOfTier) {
  test(`${engine}: amount and fee together are credited, the amount alone is too little`, async (t) => {
    const stage = await hostedScene(t, engine, { fees: ['mfs_a=1.85%'] });
    const { core, shop, money } = stage;
    const id = await stage.order(50_000);
    const [method] = (await loadCheckout(core, id))?.methods ?? [];
    t.like(method, { channel: 'mfs_a', feePaisa: 925, totalPaisa: 50_925 });
    const [bare, whole, more] = [money('500.00'), money('509.25'), money('509.26')];
    await shop.receive(bare.text, whole.text, more.text);
    t.is(await stage.claim(id, bare.trxId), 'disagrees');
    t.is(await stage.claim(id, whole.trxId), 'completed');
    const [transaction] = await rows(core, 'transactions');
    t.like(transaction, { amount_paisa: 50_925, fee_paisa: 925 });
    t.like(await showPayment(core, id), { amount: '500.00', paid: '509.25', fee: '9.25' });
    const { facts } = (await loadCheckout(core, id)) ?? {};
    t.like(facts, { paidPaisa: 50_000, feePaisa: 925 });
    t.is(await stage.claim(await stage.order(50_000), more.trxId), 'under_review');
  });

  test(`${engine}: a headless payment knows no fee`, async (t) => {
    const stage = await hostedScene(t, engine, { fees: ['mfs_a=10'] });
    const { core, shop, money } = stage;
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, id, trxId), 'completed');
    t.like(await showPayment(core, id), { flow: 'headless', paid: '500.00', fee: '0.00', fees: {} });
  });

  test(`${engine}: the fee that a customer was shown stays due, whatever the brand takes by then`, async (t) => {
    const stage = await hostedScene(t, engine, { fees: ['mfs_a=10', 'bank=0.5%'] });
    const { core, shop, money } = stage;
    const [wallet, bank] = [await stage.order(50_000), await stage.order(50_000)];
    await updateBrand(core, { brand: 'Alo Store', fees: ['mfs_a=0', 'bank=99'], who });
    const { trxId, text } = money('510.00');
    await shop.receive(text);
    t.is(await stage.claim(wallet, trxId), 'completed');
    await stage.bank(bank, 'FT1');
    t.like((await stage.open())[0], { amount: '500.00', fee: '2.50', due: '502.50' });
    await stage.approve(await onlyReview(stage));
    t.like(await showPayment(core, bank), { paid: '502.50', fee: '2.50' });
    t.deepEqual((await showPayment(core, bank)).fees, { mfs_a: '10.00', bank: '0.50%' });
    t.is((await loadCheckout(core, await stage.order(50_000)))?.methods[0]?.feePaisa, 0);
  });

  test(`${engine}: an update changes the fees of the channels it names, and audits before and after`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await createMerchant(core, { name: 'Alo', allowIps: [], fees: ['bank=10+0.5%'], who });
    const set = (...fees: string[]) => updateBrand(core, { brand: 'Alo', fees, who });
    t.deepEqual((await set('mfs_a = 1.85 %')).fees, { mfs_a: '1.85%', bank: '10.00+0.50%' });
    t.deepEqual((await set('bank=0', 'mfs_c=5')).fees, { mfs_a: '1.85%', mfs_c: '5.00' });
    const updates = (await auditOf(core, made.brand.id)).filter((row) => row.action === 'brand.update');
    const befores = updates.map((row) => (JSON.parse(row.before ?? '') as { fees: string }).fees);
    t.deepEqual(befores.map((fees) => Object.keys(JSON.parse(fees) as object).join()).sort(), [
      'bank',
      'mfs_a,bank',
    ]);
    await set('mfs_c=5.00');
    t.is((await auditOf(core, made.brand.id)).length, 3, 'the same fee again is no change');
    for (const wrong of ['mfs_a', 'mfs_a=', 'mfs_x=1%', 'mfs_a=-1', 'mfs_a=1.855%', 'mfs_a=51%', '']) {
      await t.throwsAsync(set('mfs_b=1', wrong), { code: 'invalid_input' }, wrong);
    }
    t.deepEqual((await findBrandInFull(core, 'Alo')).fees, { mfs_a: '1.85%', mfs_c: '5.00' });
    t.deepEqual((await set('mfs_a=0', 'mfs_c=0')).fees, {});
  });

  test(`${engine}: how a brand's shops are answered is a setting, standard until it is changed`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const before = await findBrandInFull(core, 'Alo');
    t.like(before, { dialect: 'standard', metadata_as: 'object', return_type: 'GET', fees: {} });
    await updateBrand(core, { brand: 'Alo', dialect: 'flat', who });
    await updateBrand(core, { brand: 'Alo', metadataAs: 'string', returnType: 'POST', who });
    const after = await findBrandInFull(core, 'Alo');
    t.like(after, { dialect: 'flat', metadata_as: 'string', return_type: 'POST' });
  });
}
