import test from 'ava';
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { findBrandInFull, listBrands } from '../../../src/actions/brands/brand-view.js';
import { createBrand, updateBrand } from '../../../src/actions/brands/change-brand.js';
import {
  changeMerchantStatus,
  createMerchant,
  updateMerchant,
} from '../../../src/actions/merchants/change-merchant.js';
import { findMerchantInFull, listMerchants } from '../../../src/actions/merchants/merchant-view.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf, everyRow } from '../../helpers/stores/rows.js';

const who = 'cli:tester';
const IP = '203.0.113.7';

for (const engine of engines) {
  test(`on ${engine}, a new merchant has a brand whose key opens the door, and no secret is in any row`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await createMerchant(core, {
      name: 'Alo',
      allowIps: [],
      webhookUrl: 'https://a.example/h',
      who,
    });
    const brand = await authenticateBrand(core, { credentials: [made.brand_key], ip: IP });
    t.is(brand.brandId, made.brand.id);
    t.is(brand.merchantId, made.merchant.id);
    t.is(brand.sessionMinutes, core.settings.sessionMinutes);
    const rows = await everyRow(core);
    t.true(rows.includes('Alo'));
    t.false(rows.includes(made.brand_key));
    t.false(rows.includes(made.webhook_secret));
    const { webhook_secret } = await core.store.read((db) =>
      db.query.selectFrom('brands').select('webhook_secret').executeTakeFirstOrThrow(),
    );
    t.is(core.secrets.open(webhook_secret, `brand:${made.brand.id}:webhook`), made.webhook_secret);
    const [audited] = await auditOf(core, made.merchant.id);
    t.like(audited, { who, action: 'merchant.create', before: null });
  });

  test(`on ${engine}, of many merchants that want one name at the same moment one gets it`, async (t) => {
    const core = await openTestCore(t, engine);
    const tries = Array.from({ length: 8 }, () => createMerchant(core, { name: 'Alo', allowIps: [], who }));
    const ended = await Promise.allSettled(tries);
    t.is(ended.filter((one) => one.status === 'fulfilled').length, 1);
    for (const one of ended) if (one.status === 'rejected') t.is(one.reason.code, 'already_exists');
    t.is((await listMerchants(core)).length, 1);
    t.is((await listBrands(core, {})).length, 1);
  });

  test(`on ${engine}, a merchant whose brand's name is taken is not made at all`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    await createBrand(core, { merchant: 'Alo', name: 'Eid', who });
    await t.throwsAsync(createMerchant(core, { name: 'Eid', allowIps: [], who }), {
      code: 'already_exists',
      message: 'There is already a brand named "Eid"',
    });
    t.is((await listMerchants(core)).length, 1);
  });

  test(`on ${engine}, suspending holds for the next request, twice is once, and activating undoes it`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const request = () => authenticateBrand(core, { credentials: [made.brand_key], ip: IP });
    for (let times = 0; times < 2; times += 1) {
      const view = await changeMerchantStatus(core, { merchant: 'Alo', status: 'SUSPENDED', who });
      t.is(view.status, 'SUSPENDED');
    }
    await t.throwsAsync(request(), { code: 'merchant_suspended' });
    await changeMerchantStatus(core, { merchant: made.merchant.id, status: 'ACTIVE', who });
    await t.notThrowsAsync(request());
    const actions = (await auditOf(core, made.merchant.id)).map((row) => row.action).sort();
    t.deepEqual(actions, ['merchant.activate', 'merchant.create', 'merchant.suspend']);
  });

  test(`on ${engine}, an update keeps what was not named and audits only what changed`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const made = await createMerchant(core, { name: 'Alo', email: 'a@example.com', allowIps: [], who });
    await createMerchant(core, { name: 'Bela', allowIps: [], who });
    clock.advance(1_000);
    const view = await updateMerchant(core, {
      merchant: 'Alo',
      mobile: '+8801712345678',
      allowIps: [IP],
      who,
    });
    t.like(view, { name: 'Alo', email: 'a@example.com', mobile: '01712345678', allow_ips: [IP] });
    const update = (await auditOf(core, made.merchant.id)).at(-1);
    t.deepEqual(JSON.parse(update?.before ?? ''), { mobile: '', allow_ips: '[]' });
    t.deepEqual(JSON.parse(update?.after ?? ''), { mobile: '01712345678', allow_ips: `["${IP}"]` });

    await updateMerchant(core, { merchant: 'Alo', mobile: '01712345678', who });
    t.is((await auditOf(core, made.merchant.id)).length, 2);
    await t.throwsAsync(updateMerchant(core, { merchant: 'Alo', name: 'Bela', who }), {
      code: 'already_exists',
    });
    await t.throwsAsync(updateMerchant(core, { merchant: 'Alo', who }), { code: 'invalid_input' });
    await t.throwsAsync(updateMerchant(core, { merchant: 'Nobody', name: 'X', who }), { code: 'not_found' });
  });

  test(`on ${engine}, a brand can be renamed, its webhook cleared, its limits set within theirs`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await createMerchant(core, {
      name: 'Alo',
      webhookUrl: 'https://a.example/h',
      allowIps: [],
      who,
    });
    const change = (input: { sessionMinutes?: number; proofWindowHours?: number; webhookUrl?: string }) =>
      updateBrand(core, { brand: 'Alo', ...input, who });
    t.is((await change({ webhookUrl: '' })).webhook_url, null);
    t.is((await change({ sessionMinutes: 43_200 })).session_minutes, 43_200);
    t.is((await change({ proofWindowHours: 1 })).proof_window_hours, 1);
    for (const input of [{ sessionMinutes: 0 }, { sessionMinutes: 43_201 }, { proofWindowHours: 1.5 }]) {
      await t.throwsAsync(change(input), { code: 'invalid_input' });
    }
    await updateBrand(core, { brand: made.brand.id, name: 'আলো', who });
    t.is((await findBrandInFull(core, 'আলো')).id, made.brand.id);
    const { brands } = await findMerchantInFull(core, 'Alo');
    t.deepEqual(brands, [{ id: made.brand.id, name: 'আলো' }]);
  });
}

test('one name typed on two keyboards is one name', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const composed = 'ড়োদ'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  const cafe = 'Café';
  await createMerchant(core, { name: composed, allowIps: [], who });
  await createMerchant(core, { name: cafe.normalize('NFD'), allowIps: [], who });
  t.is((await findMerchantInFull(core, ` ${decomposed} `)).name, composed);
  t.is((await findMerchantInFull(core, cafe.normalize('NFC'))).name, cafe);
  await t.throwsAsync(createMerchant(core, { name: cafe, allowIps: [], who }), { code: 'already_exists' });
});

test('a name that could be taken for an identifier or for stdin is refused', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const made = await createMerchant(core, { name: 'Alo', allowIps: [], who });
  for (const name of [made.merchant.id, '-', '--json', 'a\u202eb', 'a\u0000b', '\u200b', '']) {
    await t.throwsAsync(createMerchant(core, { name, allowIps: [], who }), { code: 'invalid_input' }, name);
  }
});
