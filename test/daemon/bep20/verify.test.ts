/** USDT over the API: a real chain behind a node that can be ill, real transfers, and everything forged. */
import test, { type ExecutionContext } from 'ava';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import type { CoreOptions } from '../../../src/actions/core/core.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import { SHOP, STRANGER, startTokenChain } from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, CREATE, HOSTED_VERIFY, openApi, refusal, VERIFY } from '../api.js';
import { getOpenApi, judgeOf } from '../reference/documented.js';

/** The clock of the chain is the real one; it can be moved on. */
function movingClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
}

async function scene(
  t: ExecutionContext<unknown>,
  options: Partial<CoreOptions> & { engine?: 'sqlite' | 'postgres' } = {},
) {
  const clock = movingClock();
  const chain = await startTokenChain(t);
  const node = await startNodeProxy(t, chain);
  const api = await openApi(t, { ...options, clock });
  await takeUsdt(api.core, { brand: 'Alo Store', nodes: [node.node] });
  return { api, chain, node, clock };
}

interface Created {
  readonly id: string;
  readonly methods: readonly Readonly<Record<string, unknown>>[];
}

async function order(api: Api, amount = 500) {
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount } })).json() as Created;
  const method = created.methods.find(({ name }) => name === 'bep20');
  return { id: created.id, method, due: parseUsdt(String(method?.amount_usdt)) ?? 0n };
}

const verify = (api: Api, id: string, hash: string) =>
  api.call(VERIFY, { body: { id, method: 'bep20', transaction_id: hash } });

/** Asks again for what waits; the chain would lag behind a clock that went much further. */
async function recheck(api: Api, clock: { advance(ms: number): void }): Promise<void> {
  clock.advance(11_000);
  await recheckClaims(api.core);
}

for (const engine of enginesOfTier) {
  test(`${engine}: an exact final transfer completes the payment, and repeats return the same`, async (t) => {
    const { api, chain } = await scene(t, { engine });
    const { id, method, due } = await order(api);
    t.deepEqual(method, {
      name: 'bep20',
      active_payments: { transfer: true },
      network: 'BNB Smart Chain (BEP20)',
      currency: 'USDT',
      receiver_address: SHOP,
      dollar_rate: 120,
      amount_usdt: 4.1667,
    });
    const hash = await chain.pay(due);
    await chain.mine(3);
    const upper = `0x${hash.slice(2).toUpperCase()}`;
    const done = await verify(api, id, ` ${upper} `);
    t.is(done.statusCode, 200);
    t.like(done.json(), {
      status: true,
      data: {
        amount: 500,
        amount_usdt: 4.1667,
        receiver: SHOP,
        transaction_id: hash,
        payment_method: 'bep20',
        status: 'COMPLETED',
      },
    });
    t.is((await verify(api, id, hash)).body, done.body);
    const hosted = await api.call(HOSTED_VERIFY, { body: { transaction_id: hash } });
    t.like(hosted.json(), {
      data: { amount: '500.00', amount_usdt: 4.1667, receiver: SHOP, status: 'COMPLETED' },
    });
    const judge = judgeOf(await getOpenApi(api));
    judge.holds(t, `POST ${VERIFY}`, done);
    judge.holds(t, `POST ${HOSTED_VERIFY}`, hosted);
    const second = await order(api);
    t.is(
      refusal(await verify(api, second.id, hash)),
      '400 Transaction ID already verified and credited for another order',
    );
  });

  test(`${engine}: sessions of one price ask for different amounts, and a hash pays only whose amount it is`, async (t) => {
    const { api, chain } = await scene(t, { engine });
    const orders = await Promise.all(Array.from({ length: 8 }, () => order(api)));
    const amounts = orders.map(({ method }) => Number(method?.amount_usdt)).sort((a, b) => a - b);
    t.deepEqual(amounts, [4.1667, 4.1668, 4.1669, 4.167, 4.1671, 4.1672, 4.1673, 4.1674]);
    const [victim, thief] = [...orders].sort((a, b) => Number(b.due - a.due));
    const hash = await chain.pay(victim?.due ?? 0n);
    await chain.mine(3);
    t.is(
      refusal(await verify(api, thief?.id ?? '', hash)),
      '400 The transferred amount is that of another payment',
    );
    t.is((await verify(api, victim?.id ?? '', hash)).statusCode, 200);
  });
}

test('a transfer that is not final is reported as such, and settles automatically once it is', async (t) => {
  const { api, chain, clock } = await scene(t);
  const { id, due } = await order(api);
  const hash = await chain.pay(due);
  t.regex(
    refusal(await verify(api, id, hash)),
    /^404 Transaction found but not final yet, \d+ of \d+ confirmations$/,
  );
  await recheck(api, clock);
  t.like((await api.call(HOSTED_VERIFY, { body: { transaction_id: id } })).json(), {
    data: { status: 'PENDING' },
  });
  await chain.mine(3);
  await recheck(api, clock);
  t.like((await api.call(HOSTED_VERIFY, { body: { transaction_id: id } })).json(), {
    data: { status: 'COMPLETED', transaction_id: hash },
  });
});

test('a hash that no node knows is kept, and settles by itself when its transfer appears', async (t) => {
  const { api, chain, clock } = await scene(t);
  const { id, due } = await order(api);
  await chain.rpc('evm_setAutomine', false);
  const hash = await chain.pay(due);
  t.is(
    refusal(await verify(api, id, hash)),
    '404 Transaction ID not found, ensure customer has completed transfer',
  );
  await chain.mine(4);
  await recheck(api, clock);
  t.like((await verify(api, id, hash)).json(), { data: { status: 'COMPLETED' } });
});

test('a transfer that a reorganisation takes back before it is final never pays', async (t) => {
  const { api, chain, clock } = await scene(t);
  const { id, due } = await order(api);
  const hash = await chain.pay(due);
  t.is((await verify(api, id, hash)).statusCode, 404);
  await chain.rpc('anvil_reorg', 1, []);
  await chain.mine(4);
  await recheck(api, clock);
  t.is(
    refusal(await verify(api, id, hash)),
    '404 Transaction ID not found, ensure customer has completed transfer',
  );
});

test('without a healthy node verify returns 502 and counts no miss, and the claim settles later', async (t) => {
  const { api, chain, node, clock } = await scene(t);
  const { id, due } = await order(api);
  const hash = await chain.pay(due);
  await chain.mine(3);
  node.be({ status: 500 });
  const answer = await verify(api, id, hash);
  t.is(refusal(answer), '502 Upstream blockchain node timeout, retry in 10 seconds');
  t.is(answer.headers['retry-after'], '10');
  const misses = await api.core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select('misses').executeTakeFirst(),
  );
  t.is(misses?.misses, 0);
  node.be('none');
  await recheck(api, clock);
  t.like((await verify(api, id, hash)).json(), { data: { status: 'COMPLETED' } });
});

test('a transfer of too little or to another account is refused by name and counted', async (t) => {
  const { api, chain } = await scene(t);
  const { id, due } = await order(api);
  const cases: [hash: string, answer: string][] = [
    [await chain.pay(due - 1n), '400 The transaction amount does not match the payment amount'],
    [await chain.pay(due / 10n ** 12n), '400 The transaction amount does not match the payment amount'],
    [
      await chain.pay(due, STRANGER),
      '400 The transaction was received by another account than those of this brand',
    ],
    [
      await chain.call({ to: SHOP, value: due }),
      '400 The transaction moves no USDT of the official contract',
    ],
  ];
  await chain.mine(3);
  for (const [hash, answer] of cases) t.is(refusal(await verify(api, id, hash)), answer);
  for (const text of [
    '0x12',
    `0X${'a'.repeat(63)}`,
    `0x${'a'.repeat(63)}`,
    `0x${'a'.repeat(65)}`,
    `0x${'a'.repeat(64)}\n0x${'b'.repeat(64)}`,
    'DHL1000001',
  ]) {
    t.is((await verify(api, id, text)).statusCode, 400, text);
  }
  const misses = await api.core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select('misses').executeTakeFirst(),
  );
  t.is(misses?.misses, 4);
  const [[hash, answer] = ['', '']] = cases;
  for (const spelling of [hash.toUpperCase(), `${hash}\nx`]) {
    t.is(refusal(await verify(api, id, spelling)), answer, spelling);
  }
});

test('an overpayment of more than two per cent needs manual review, which credits it', async (t) => {
  const { api, chain } = await scene(t);
  const { id, due } = await order(api);
  const hash = await chain.pay(due * 2n);
  await chain.mine(3);
  const answer = await verify(api, id, hash);
  t.is(answer.statusCode, 202);
  const reference = (await showPayment(api.core, id)).gateway_reference;
  t.like(answer.json(), { status: false, data: { status: 'PENDING', transaction_id: reference } });
});
