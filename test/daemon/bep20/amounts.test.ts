/** Amounts on one address: which are free for the next order, and what is said when they run out. */
import test from 'ava';
import { examine } from '../../../src/actions/doctor/examine.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import { SHOP, startTokenChain } from '../../helpers/outside/chain-token.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, CREATE, openApi, VERIFY } from '../api.js';

const brand = 'Alo Store';
const MINUTE = 60_000;

/** @returns the order of that many taka, and what it asks for on the chain, or 0 where it is not offered. */
async function order(api: Api, amount = 120) {
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount } })).json() as {
    readonly id: string;
    readonly methods: readonly { readonly name: string; readonly amount_usdt: number }[];
  };
  return { id: created.id, asks: created.methods.find(({ name }) => name === 'bep20')?.amount_usdt ?? 0 };
}

const verify = (api: Api, id: string, method: string, reference: string) =>
  api.call(VERIFY, { body: { id, method, transaction_id: reference } });

/** @param n another for each payment. */
async function payByWallet(api: Api, id: string, n: number, amount = 120): Promise<number> {
  const at = api.core.clock.now();
  const trxId = bkashId(at, n);
  await api.shop.receive(bkashText({ taka: `${amount}.00`, trxId, at }));
  return (await verify(api, id, 'mfs_a', trxId)).statusCode;
}

/** All amounts from that one on, as many others would hold them. */
async function crowd(api: Api, from: number, count: number): Promise<void> {
  await api.core.store.write(async (db) => {
    const of = await db.query.selectFrom('quotes').selectAll().limit(1).executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, n) => ({
      ...of,
      channel: `held ${n}` as typeof of.channel,
      amount: from + n,
      held_until: api.core.clock.now() + 3_600_000,
    }));
    await db.query.insertInto('quotes').values(rows).execute();
  });
}

const statusOf = async (api: Api, id: string) => (await showPayment(api.core, id)).status;

const crowds = async (api: Api) =>
  (await examine(api.core.home.folder, async () => api.core)).filter(({ name }) =>
    name.startsWith('amounts'),
  );
const warnings = ({ logLines }: Api) => logLines.filter((line) => line.includes('was not offered bep20'));

for (const engine of enginesOfTier) {
  test(`${engine}: the amount of a payment is free for the next one as soon as a wallet has paid it`, async (t) => {
    const api = await openApi(t, { engine });
    await takeUsdt(api.core, { brand, nodes: [] });
    const orders = [await order(api), await order(api), await order(api)];
    t.deepEqual(
      orders.map(({ asks }) => asks),
      [1, 1.0001, 1.0002],
    );
    t.is(await payByWallet(api, orders[1]?.id ?? '', 1), 200);
    t.is((await order(api)).asks, 1.0001, 'between two that are open');
    t.is((await order(api)).asks, 1.0003);
    t.is(await payByWallet(api, orders[0]?.id ?? '', 2), 200);
    t.is((await order(api)).asks, 1, 'the very price');
    const asked = await Promise.all(Array.from({ length: 5 }, () => order(api)));
    t.is(new Set(asked.map(({ asks }) => asks)).size, 5);
  });

  test(`${engine}: an amount stays held for an hour after its payment has run out, and is then free`, async (t) => {
    const api = await openApi(t, { engine });
    await takeUsdt(api.core, { brand, nodes: [] });
    const first = await order(api);
    api.clock.advance(60 * MINUTE - 1);
    await expireSessions(api.core);
    t.is(await statusOf(api, first.id), 'PENDING');
    api.clock.advance(1);
    await expireSessions(api.core);
    t.is(await statusOf(api, first.id), 'FAILED');
    api.clock.advance(60 * MINUTE - 1);
    await expireSessions(api.core);
    t.is((await order(api)).asks, 1.0001, 'whoever pays late would pay the very amount of another');
    api.clock.advance(1);
    await expireSessions(api.core);
    t.is((await order(api)).asks, 1);
  });

  test(`${engine}: the doctor warns before the amounts of a price run out`, async (t) => {
    const api = await openApi(t, { engine });
    await takeUsdt(api.core, { brand, nodes: [] });
    t.is((await order(api)).asks, 1);
    await crowd(api, 10_001, 399);
    t.deepEqual(await crowds(api), []);
    t.is((await order(api)).asks, 1.04);
    t.like((await crowds(api))[0], {
      name: `amounts at ${SHOP}`,
      state: 'warn',
      message:
        '401 of the 501 amounts from 1 USDT are reserved; when all are, new payments of that price do not offer bep20',
    });
  });
}

test('a price whose amounts are all held is not offered, which is logged once a minute', async (t) => {
  const api = await openApi(t);
  await takeUsdt(api.core, { brand, nodes: [] });
  await order(api);
  await crowd(api, 10_001, 500);
  for (let n = 0; n < 3; n += 1) t.is((await order(api)).asks, 0);
  t.is(warnings(api).length, 1);
  const [line = ''] = warnings(api);
  t.like(JSON.parse(line), { level: 'warn' });
  t.regex(line, /session-minutes.*kashbox accounts set --channel bep20/);
  api.clock.advance(60_000);
  t.is((await order(api)).asks, 0);
  t.is(warnings(api).length, 2);
  t.regex((await crowds(api))[0]?.message ?? '', /^501 of the 501 /);
});

test('hundreds of orders of one price that wallets have paid leave it free', async (t) => {
  const api = await openApi(t);
  await takeUsdt(api.core, { brand, nodes: [] });
  const first = await order(api);
  t.is(await payByWallet(api, first.id, 1), 200);
  await crowd(api, 10_001, 600);
  t.is((await order(api)).asks, 1);
  t.deepEqual(await crowds(api), [], 'they are in nobody’s way');
});

test('an amount that was paid on the chain stays held until its time', async (t) => {
  const api = await openApi(t, { clock: { now: () => Date.now() } });
  const chain = await startTokenChain(t);
  await takeUsdt(api.core, { brand, nodes: [chain] });
  const { id, asks } = await order(api);
  const hash = await chain.pay(parseUsdt(String(asks)) ?? 0n);
  await chain.mine(3);
  t.is((await verify(api, id, 'bep20', hash)).statusCode, 200);
  t.is((await order(api)).asks, 1.0001);
});

test('a transfer for an order paid by wallet does not settle a later order of the same amount', async (t) => {
  let ahead = 0;
  const api = await openApi(t, { clock: { now: () => Date.now() + ahead } });
  const chain = await startTokenChain(t);
  await takeUsdt(api.core, { brand, nodes: [chain] });
  const twice = await order(api);
  const due = parseUsdt(String(twice.asks)) ?? 0n;
  const early = await chain.pay(due);
  await chain.mine(3);
  t.is(await payByWallet(api, twice.id, 1), 200);
  ahead += 5_000;
  const next = await order(api);
  t.is(next.asks, twice.asks);
  t.is((await verify(api, next.id, 'bep20', early)).statusCode, 202, 'a person decides');
});
