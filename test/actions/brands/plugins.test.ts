/** What naming a shop's program does to a brand: its settings, what it is told, how customers come back. */
import test from 'ava';
import { findBrandInFull } from '../../../src/actions/brands/brand-view.js';
import { createBrand, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { setUpShop } from '../../../src/actions/merchants/set-up-shop.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { PLUGIN_NAMES, PLUGINS } from '../../../src/domain/plugins/plugins.js';
import { returnParameters } from '../../../src/domain/sessions/redirect.js';
import { hostedScene } from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';

const who = 'test';
const HOOK = 'https://shop.example/hook';
const PLAIN = { dialect: 'standard', metadata_as: 'object', webhook_format: 'json', return_type: 'GET' };

for (const engine of enginesOfTier) {
  test(`${engine}: a plugin name sets all formats at once, explicit flags override it, none removes it`, async (t) => {
    const core = await openTestCore(t, engine);
    const accounts = [{ channel: 'mfs_a', type: 'personal', number: '01711000001' }];
    await setUpShop(core, { name: 'Alo', accounts, plugin: 'sohojpay-smm' }, who);
    const set = { dialect: 'flat', metadata_as: 'string', webhook_format: 'form', return_type: 'GET' };
    t.like(await findBrandInFull(core, 'Alo'), { plugin: 'sohojpay-smm', ...set });
    for (const plugin of PLUGIN_NAMES) {
      const { dialect, metadataAs, webhookFormat, returnType } = PLUGINS[plugin];
      t.like(await updateBrand(core, { brand: 'Alo', plugin, who }), {
        ...{ plugin, dialect, metadata_as: metadataAs },
        ...{ webhook_format: webhookFormat, return_type: returnType },
      });
    }
    const own = {
      dialect: 'strict',
      metadataAs: 'string',
      webhookFormat: 'json',
      returnType: 'POST',
    } as const;
    t.like(await updateBrand(core, { brand: 'Alo', plugin: 'nagorikpay', ...own, who }), {
      ...{ plugin: 'nagorikpay', dialect: 'strict', metadata_as: 'string' },
      ...{ webhook_format: 'json', return_type: 'POST' },
    });
    t.like(await updateBrand(core, { brand: 'Alo', plugin: 'none', who }), { plugin: null, ...PLAIN });
    const wrong = updateBrand(core, { brand: 'Alo', plugin: 'whmcs', who });
    const error = await t.throwsAsync(wrong, { code: 'invalid_input', message: 'plugin "whmcs" is unknown' });
    for (const name of PLUGIN_NAMES) t.true((error as unknown as { hint: string }).hint.includes(name), name);
  });

  test(`${engine}: brands with form webhooks get flat answers, unless the dialect is given or strict`, async (t) => {
    const core = await openTestCore(t, engine);
    await setUpShop(core, { name: 'Alo', accounts: [] }, who);
    const created = { merchant: 'Alo', webhookFormat: 'form', who } as const;
    await createBrand(core, { ...created, name: 'B1' });
    await createBrand(core, { ...created, name: 'B2', dialect: 'standard' });
    const dialect = async (brand: string) => (await findBrandInFull(core, brand)).dialect;
    t.deepEqual([await dialect('B1'), await dialect('B2')], ['flat', 'standard']);
    const form = { brand: 'Alo', webhookFormat: 'form', who } as const;
    t.like(await updateBrand(core, form), { dialect: 'flat', webhook_format: 'form' });
    t.like(await updateBrand(core, { ...form, dialect: 'standard' }), { dialect: 'standard' });
    await updateBrand(core, { brand: 'Alo', dialect: 'strict', who });
    t.like(await updateBrand(core, form), { dialect: 'strict' });
    t.like(await updateBrand(core, { ...form, webhookFormat: 'json' }), { dialect: 'strict' });
  });

  test(`${engine}: a plugin is sent only events that its receiver supports`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK, plugin: 'sohojpay-whmcs' });
    const { core, shop, money } = stage;
    const told = async () => (await rows(core, 'notifications')).map(({ event }) => event);
    await cancelSession(core, await stage.order(50_000));
    await stage.bank(await stage.order(60_000), 'FT1');
    t.deepEqual(await told(), []);
    const paid = await stage.order(70_000);
    const { trxId, text } = money('700.00');
    await shop.receive(text);
    t.is(await stage.claim(paid, trxId), 'completed');
    t.deepEqual(await told(), ['payment.completed']);
    const [review] = await stage.open();
    await stage.approve(review?.id ?? '');
    t.deepEqual(await told(), ['payment.completed', 'payment.completed']);
  });

  test(`${engine}: customers come back with the names that the program looks for, and else with those of the API alone`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    const names = async () => {
      const checkout = await loadCheckout(stage.core, id);
      if (checkout === null) throw new Error('there is no such page');
      const parameters = returnParameters(checkout.facts, { otherNames: checkout.returnNames });
      return [parameters.slice(5), parameters.find(([name]) => name === 'transactionId')?.[1]] as const;
    };
    t.deepEqual((await names())[0], []);
    await updateBrand(stage.core, { brand: stage.shop.brand.name, plugin: 'rupantorpay-laravel', who });
    const [more, transactionId] = await names();
    t.deepEqual(more, [['transaction_id', transactionId ?? '']]);
  });
}
