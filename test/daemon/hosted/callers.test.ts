/** Other people's programs are recognised by what they send: kept once, told in the log and by the doctor. */
import test from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, HOSTED_CREATE, HOSTED_VERIFY, openApi } from '../api.js';
import { form, ORDER, query } from './orders.js';

const who = 'test';
const BRAND = 'Alo Store';

async function kept({ core }: Api): Promise<string> {
  const [row] = await core.store.read((db) => db.query.selectFrom('brands').select('called_by').execute());
  return row?.called_by ?? '';
}

async function advised(core: Core) {
  const checks = await examine(core.home.folder, async () => core);
  return checks.find(({ name }) => name === `brand ${BRAND}`);
}

const warnings = ({ logLines }: Api) =>
  logLines
    .map((line) => JSON.parse(line) as { level: string; msg: string; remedy?: string })
    .filter(({ level }) => level === 'warn');

for (const engine of enginesOfTier) {
  test(`${engine}: SOHOJPAY-API-KEY sent to a brand with the standard dialect is reported once`, async (t) => {
    const api = await openApi(t, { engine });
    const headers = { 'SOHOJPAY-API-KEY': api.shop.brandKey };
    t.is(await advised(api.core), undefined);
    for (let turn = 0; turn < 3; turn += 1) {
      t.is((await api.callBare(HOSTED_CREATE, { headers, body: ORDER })).statusCode, 200);
      t.is((await api.callBare(HOSTED_VERIFY, { headers, body: { trx: 'x' } })).statusCode, 404);
    }
    t.is(await kept(api), 'SOHOJPAY-API-KEY');
    const [warning, ...more] = warnings(api);
    t.deepEqual(more, []);
    t.regex(
      warning?.msg ?? '',
      /called by a program that uses SOHOJPAY-API-KEY, but verify answers it in the dialect standard/,
    );
    t.regex(warning?.remedy ?? '', /kashbox brands update brd_\w+ --plugin sohojpay-whmcs/);
    const check = await advised(api.core);
    t.is(check?.state, 'warn');
    t.regex(check?.message ?? '', /SOHOJPAY-API-KEY/);
    t.regex(check?.remedy ?? '', /kashbox brands update 'Alo Store' --plugin sohojpay-whmcs/);
    await updateBrand(api.core, { brand: BRAND, plugin: 'sohojpay-smm', who });
    t.is(await advised(api.core), undefined);
    await api.callBare(HOSTED_CREATE, { headers, body: ORDER });
    t.deepEqual([await kept(api), await advised(api.core)], ['SOHOJPAY-API-KEY', undefined]);
    t.is(warnings(api).length, 1);
  });
}

test('every sign is detected wherever it appears, and requests after the specification leave none', async (t) => {
  const api = await openApi(t);
  const key = api.shop.brandKey;
  await api.call(HOSTED_CREATE, { body: ORDER });
  await api.call(query(ORDER), { method: 'GET' });
  await api.callBare(HOSTED_VERIFY, { headers: { authorization: `Bearer ${key}` }, body: { trx: 'x' } });
  t.is(await kept(api), '');
  const calls = [
    () => api.callBare(query({ ...ORDER, api_key: key }), { method: 'GET' }),
    () => api.callBare(HOSTED_CREATE, form({ ...ORDER, api_key: key })),
    () => api.call('/api/payment/verify-payment', { body: { trx: 'x' } }),
    () => api.call(query({ ...ORDER, fullname: 'R' }), { method: 'GET' }),
    () => api.call('/api/payment/checkout', { headers: { 'x-api-key': 'placeholder' }, body: ORDER }),
    () => api.call(HOSTED_CREATE, { headers: { 'api-key': '', 'secret-key': '' }, body: ORDER }),
  ];
  const seen: string[] = [];
  for (const call of calls) {
    await call();
    seen.push(await kept(api));
  }
  t.deepEqual(seen, [
    'api_key',
    'api_key',
    'api_key /api/payment/verify-payment',
    'api_key /api/payment/verify-payment fullname',
    'X-API-KEY api_key /api/payment/checkout /api/payment/verify-payment fullname',
    'API-KEY SECRET-KEY X-API-KEY api_key /api/payment/checkout /api/payment/verify-payment fullname',
  ]);
});

test('a program other than the configured one is reported', async (t) => {
  const api = await openApi(t);
  await updateBrand(api.core, { brand: BRAND, plugin: 'nagorikpay', who });
  await api.callBare(HOSTED_CREATE, { headers: { 'X-API-KEY': api.shop.brandKey }, body: ORDER });
  t.regex(
    (await advised(api.core))?.message ?? '',
    /called by a program that uses X-API-KEY, but its plugin is nagorikpay/,
  );
  t.is(warnings(api).length, 1);
});

test('strict causes no warning; standard with forms causes a warning of the doctor', async (t) => {
  const api = await openApi(t);
  await updateBrand(api.core, { brand: BRAND, dialect: 'strict', who });
  await api.callBare(HOSTED_CREATE, { headers: { 'API-KEY': api.shop.brandKey }, body: ORDER });
  t.deepEqual([await kept(api), await advised(api.core), warnings(api)], ['API-KEY', undefined, []]);
  await updateBrand(api.core, { brand: BRAND, webhookFormat: 'form', dialect: 'standard', who });
  const check = await advised(api.core);
  t.is(check?.state, 'warn');
  t.regex(check?.remedy ?? '', /kashbox brands update 'Alo Store' --dialect flat/);
});
