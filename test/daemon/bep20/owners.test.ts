/** Whose transfer it is: hashes are public, and everybody can open a session. */
import test, { type ExecutionContext } from 'ava';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { parseUsdt, toBaseUnits } from '../../../src/base/values/usdt.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import { startTokenChain, type TokenChain } from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, CREATE, openApi, VERIFY } from '../api.js';

async function scene(t: ExecutionContext<unknown>, engine: Engine = 'sqlite') {
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
  const chain = await startTokenChain(t);
  const node = await startNodeProxy(t, chain);
  const api = await openApi(t, { clock, engine });
  await takeUsdt(api.core, { brand: 'Alo Store', nodes: [node.node] });
  return { api, chain, node, clock };
}

async function order(api: Api, amount: number) {
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount } })).json() as {
    readonly id: string;
    readonly methods: readonly { readonly name: string; readonly amount_usdt: number }[];
  };
  const method = created.methods.find(({ name }) => name === 'bep20');
  return {
    id: created.id,
    due: parseUsdt(String(method?.amount_usdt)) ?? 0n,
    isOffered: method !== undefined,
  };
}

const verify = async (api: Api, id: string, hash: string) =>
  (await api.call(VERIFY, { body: { id, method: 'bep20', transaction_id: hash } })).statusCode;

test('a session opened for an earlier transfer does not receive it, even in a quiet shop', async (t) => {
  const { api, chain, clock } = await scene(t);
  const hash = await chain.pay(toBaseUnits(500_000));
  await chain.mine(3);
  clock.advance(5_000);
  const thief = await order(api, 6_000);
  t.is(thief.due, toBaseUnits(500_000), 'exactly what came');
  t.is(await verify(api, thief.id, hash), 202);
});

test('an overpaid or underpaid transfer is not credited to another order automatically', async (t) => {
  const { api, chain } = await scene(t);
  const victim = await order(api, 1_200);
  const near = await order(api, 1_150);
  for (const paid of [victim.due + toBaseUnits(500), victim.due - toBaseUnits(500)]) {
    const hash = await chain.pay(paid);
    await chain.mine(3);
    t.is(await verify(api, near.id, hash), 202);
  }
});

/** Pays a hundredth too much. */
async function overpay(api: Api, chain: TokenChain, { id, due }: Awaited<ReturnType<typeof order>>) {
  const hash = await chain.pay(due + due / 100n);
  await chain.mine(3);
  return verify(api, id, hash);
}

for (const engine of enginesOfTier) {
  test(`${engine}: a little too much pays while all others are paid`, async (t) => {
    const { api, chain } = await scene(t, engine);
    for (let n = 0; n < 3; n += 1) t.is(await overpay(api, chain, await order(api, 500)), 200);
  });
}

for (const [status, reason] of [
  ['PENDING', 'initiated'],
  ['FAILED', 'cancelled'],
] as const) {
  test(`a small overpayment needs manual review while another session is ${status} and payable`, async (t) => {
    const { api, chain } = await scene(t);
    const other = await order(api, 5_000);
    await api.core.store.write((db) =>
      db.query.updateTable('sessions').set({ status, reason }).where('id', '=', other.id).execute(),
    );
    t.is(await overpay(api, chain, await order(api, 500)), 202);
  });
}

test('a session opened after a transfer does not compete for it', async (t) => {
  const { api, chain, clock } = await scene(t);
  const { id, due } = await order(api, 500);
  const hash = await chain.pay(due + 1n);
  await chain.mine(3);
  clock.advance(10_000);
  await order(api, 500);
  t.is(await verify(api, id, hash), 200);
});

test('a second transfer for a paid order does not pay another order automatically', async (t) => {
  const { api, chain } = await scene(t);
  const twice = await order(api, 505);
  const near = await order(api, 500);
  const [first, second] = [await chain.pay(twice.due), await chain.pay(twice.due)];
  await chain.mine(3);
  t.is(await verify(api, twice.id, first), 200);
  t.is(await verify(api, near.id, second), 202);
});

test('a transfer under review for one payment is not credited to another in the meantime', async (t) => {
  const { api, chain, clock } = await scene(t);
  const victim = await order(api, 1_200);
  const hash = await chain.pay(victim.due + toBaseUnits(5_000));
  await chain.mine(3);
  t.is(await verify(api, victim.id, hash), 202);
  clock.advance(1);
  const exact = await order(api, 1_260);
  t.is(await verify(api, exact.id, hash), 202);
});

test('thousands of sessions of one price do not drive it up: beyond a little the chain is not offered', async (t) => {
  const { api } = await scene(t);
  const session = await order(api, 120);
  await api.core.store.write(async (db) => {
    const { account_id, receiver, rate, merchant_id } = await db.query
      .selectFrom('quotes')
      .where('session_id', '=', session.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const held = Array.from({ length: 500 }, (_, n) => ({
      account_id,
      receiver,
      rate,
      merchant_id,
      amount: 10_001 + n,
    }));
    for (const [n, quote] of held.entries()) {
      await db.query
        .insertInto('quotes')
        .values({
          ...quote,
          session_id: session.id,
          channel: `held ${n}` as 'bep20',
          held_until: Number.MAX_SAFE_INTEGER,
        })
        .execute();
    }
  });
  const next = await order(api, 120);
  t.false(next.isOffered);
  t.true((await order(api, 121)).isOffered);
});

test('a claim needs manual review if no node was available until the end', async (t) => {
  const { api, chain, node, clock } = await scene(t);
  const { id, due } = await order(api, 500);
  const hash = await chain.pay(due);
  await chain.mine(3);
  node.be({ status: 500 });
  t.is(await verify(api, id, hash), 502);
  clock.advance(3 * 3_600_000);
  await recheckClaims(api.core);
  const reviews = await api.core.store.read((db) => db.query.selectFrom('reviews').selectAll().execute());
  t.is(reviews.length, 1);
  t.like(reviews[0], { session_id: id, reason: 'late_claim', reference: hash, state: 'OPEN' });
});

test('an honest claim is asked for at once, whatever others have made up before', async (t) => {
  const { api, chain, clock } = await scene(t);
  for (let n = 0; n < 120; n += 1) {
    const { id } = await order(api, 500 + n);
    await verify(api, id, `0x${n.toString(16).padStart(64, 'a')}`);
  }
  clock.advance(3_000);
  for (let round = 0; round < 3; round += 1) await recheckClaims(api.core);
  clock.advance(4_000);
  await chain.rpc('evm_setAutomine', false);
  // The chain's clock goes as far ahead as ours, and its newest block is new however long all that took.
  await chain.rpc('evm_increaseTime', 10);
  await chain.mine(1);
  const honest = await order(api, 5_000);
  const hash = await chain.pay(honest.due);
  t.is(await verify(api, honest.id, hash), 404);
  await chain.mine(4);
  clock.advance(2_500);
  await recheckClaims(api.core);
  t.is(await verify(api, honest.id, hash), 200);
  const completed = await api.core.store.read((db) =>
    db.query.selectFrom('sessions').where('status', '=', 'COMPLETED').select('misses').execute(),
  );
  t.deepEqual(completed, [{ misses: 1 }], 'it had settled by itself before it was asked again');
});
