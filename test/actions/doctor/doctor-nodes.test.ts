/** Whether as many nodes are well as payments in USDT need, and what the doctor says of it. */

import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Check } from '../../../src/actions/doctor/check.js';
import { checkOutside } from '../../../src/actions/doctor/check-sources.js';
import { checkNodes } from '../../../src/actions/usdt/check-nodes.js';
import { systemClock } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { later, latest } from '../../channels/bep20/ground.js';
import { inEnglish } from '../../helpers/in-english.js';
import { type Illness, startNodeProxy, withResult } from '../../helpers/network/node-proxy.js';
import { startAnvil } from '../../helpers/outside/anvil.js';
import { SHOP } from '../../helpers/outside/chain-token.js';
import { openShop } from '../../helpers/shop/shop.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';

const WRONG_CHAIN: Illness = (call, answer) =>
  call.method === 'eth_chainId' ? withResult(answer, '0x61') : answer;
const LAGGING = latest(({ timestamp }) => ({ timestamp: later(timestamp, -60) }));

/** A shop that takes USDT on chain 56 by nodes that are as ill as that. */
async function scene(
  t: ExecutionContext<unknown>,
  { engine = 'sqlite', ills, agreeing = 1 }: { engine?: Engine; ills: readonly Illness[]; agreeing?: number },
) {
  const env = { KASHBOX_AGREEING_NODES: String(agreeing) };
  const core = await openTestCore(t, engine, { clock: systemClock, env });
  const { brand } = await openShop(core);
  const chain = await startAnvil(t);
  await chain.mine(3);
  const nodes = await Promise.all(
    ills.map(async (ill) => {
      const proxy = await startNodeProxy(t, chain);
      proxy.be(ill);
      return proxy.node;
    }),
  );
  await takeUsdt(core, { brand: brand.name, nodes });
  return { core, brand };
}

const short = ({ name, state, message }: Check) => `${state} ${name}: ${message}`;
/** Each check in a word, those of the whole chain with what they say. */
const told = (checks: readonly Check[]) =>
  checks.map((check) => (check.name.startsWith('node ') ? check.state : short(check)));

for (const engine of enginesOfTier) {
  test(`${engine}: no node that is well fails, whatever each of them suffers from`, async (t) => {
    const { core } = await scene(t, { engine, ills: [WRONG_CHAIN, LAGGING] });
    const checks = await inEnglish(checkOutside(core));
    t.deepEqual(told(checks), [
      'fail nodes of chain 56: 0 usable, 1 needed: no transfer can be confirmed',
      'warn',
      'warn',
    ]);
    t.regex(checks[0]?.remedy ?? '', /^Fix those that fail .* kashbox nodes add --chain 56 --public/);
  });
}

test('one healthy node is enough, however many others fail', async (t) => {
  const { core } = await scene(t, { ills: [WRONG_CHAIN, 'none', 'html'] });
  t.deepEqual(told(await inEnglish(checkOutside(core))), ['warn', 'ok', 'warn']);
});

test('where several must agree, as many must be well', async (t) => {
  const why = '2 needed, because this many must agree (KASHBOX_AGREEING_NODES): no transfer can be confirmed';
  const few = await scene(t, { ills: ['none'], agreeing: 2 });
  const checks = await inEnglish(checkOutside(few.core));
  t.deepEqual(told(checks), [`fail nodes of chain 56: 1 usable, ${why}`, 'ok']);
  t.regex(checks[0]?.remedy ?? '', /^Add what is missing: .* or lower KASHBOX_AGREEING_NODES\.$/);
  const ill = await scene(t, { ills: ['none', { status: 500 }], agreeing: 2 });
  t.deepEqual(told(await inEnglish(checkOutside(ill.core))), [
    `fail nodes of chain 56: 1 usable, ${why}`,
    'ok',
    'warn',
  ]);
  const enough = await scene(t, { ills: ['none', { status: 500 }, 'none'], agreeing: 2 });
  t.deepEqual(told(await inEnglish(checkOutside(enough.core))), ['ok', 'warn', 'ok']);
});

test('a node that is asked several questions at once and takes but one answers no payment', async (t) => {
  const { core } = await scene(t, { ills: ['no_batches'] });
  t.deepEqual(told(await inEnglish(checkOutside(core))), [
    'fail nodes of chain 56: 0 usable, 1 needed: no transfer can be confirmed',
    'warn',
  ]);
});

test('each chain on which somebody is paid is counted by itself, and no other', async (t) => {
  const { core, brand } = await scene(t, { ills: ['none'] });
  const shortages = async (chainId?: number) =>
    (await checkNodes(core, { chainId })).shortages.map((one) => [one.chainId, one.usable, one.needed]);
  t.deepEqual(await shortages(), []);
  const test97 = { brand: brand.name, channel: 'bep20', number: SHOP, details: { chain_id: '97' } };
  await setAccount(core, { ...test97, who: 'test' });
  t.deepEqual(await shortages(), [[97, 0, 1]]);
  t.deepEqual(await shortages(56), []);
  t.deepEqual(await shortages(97), [[97, 0, 1]]);
  t.deepEqual(told(await inEnglish(checkOutside(core))), [
    'fail nodes of chain 97: 0 usable, 1 needed: no transfer can be confirmed',
    'ok',
  ]);
});

test('two nodes of one origin are distinguished by their ids', async (t) => {
  const { core, brand } = await scene(t, { ills: ['none'] });
  const [node] = (await checkNodes(core, {})).nodes;
  await takeUsdt(core, { brand: brand.name, nodes: [{ url: `${node?.origin}/other` }] });
  const names = (await inEnglish(checkOutside(core))).map(({ name }) => name);
  t.is(new Set(names).size, 2);
  t.true(names.includes(`node ${node?.origin} (${node?.id})`));
});
