/** Where two nodes must agree, none of them alone decides about a payment, whichever is asked first. */
import test, { type ExecutionContext } from 'ava';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { systemClock } from '../../../src/base/values/clock.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { receipt } from '../../channels/bep20/ground.js';
import { type Illness, startNodeProxy } from '../../helpers/network/node-proxy.js';
import { startTokenChain } from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { until } from '../../helpers/until.js';
import { CREATE, openApi, refusal, VERIFY } from '../api.js';

const LIES: Readonly<Record<string, Illness>> = {
  'does not say whether it succeeded': receipt({ status: undefined }),
  'says that it has failed': receipt({ status: '0x0' }),
  'says that it moved nothing': receipt({ logs: [] }),
  'says nothing at all': { status: 500 },
};

async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const chain = await startTokenChain(t);
  const nodes = [await startNodeProxy(t, chain), await startNodeProxy(t, chain)];
  const api = await openApi(t, { engine, clock: systemClock, env: { KASHBOX_AGREEING_NODES: '2' } });
  await takeUsdt(api.core, { brand: 'Alo Store', nodes: nodes.map(({ node }) => node) });
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount: 500 } })).json() as {
    readonly id: string;
    readonly methods: readonly { readonly name: string; readonly amount_usdt: number }[];
  };
  const asked = created.methods.find(({ name }) => name === 'bep20')?.amount_usdt;
  const hash = await chain.pay(parseUsdt(String(asked)) ?? 0n);
  await chain.mine(3);
  const verify = () => api.call(VERIFY, { body: { id: created.id, method: 'bep20', transaction_id: hash } });
  const recheck = async () => {
    const due = { next_at: systemClock.now() };
    await api.core.store.write((db) => db.query.updateTable('claims').set(due).execute());
    await recheckClaims(api.core);
  };
  const sessions = () =>
    api.core.store.read((db) => db.query.selectFrom('sessions').select(['status', 'misses']).execute());
  return { nodes, verify, recheck, sessions };
}

/** Each engine, and which of the two nodes is ill. */
for (const [engine, place, which] of [
  ['sqlite', 0, 'first'],
  ['postgres', 1, 'second'],
] as const) {
  for (const [what, lie] of Object.entries(LIES)) {
    test(`68: ${engine}: a valid transfer is neither credited nor refused if the ${which} of two nodes ${what}`, async (t) => {
      const { nodes, verify, recheck, sessions } = await scene(t, engine);
      nodes[place]?.be(lie);
      for (let n = 0; n < 2; n += 1) {
        t.is(refusal(await verify()), '502 Upstream blockchain node timeout, retry in 10 seconds');
      }
      await recheck();
      t.deepEqual(await sessions(), [{ status: 'PENDING', misses: 0 }]);
      nodes[place]?.be('none');
      // A node that was ill rests a while.
      await until(async () => {
        await recheck();
        return (await sessions())[0]?.status === 'COMPLETED';
      });
      t.deepEqual(await sessions(), [{ status: 'COMPLETED', misses: 0 }]);
      t.is((await verify()).statusCode, 200);
    });
  }
}
