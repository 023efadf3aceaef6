/** Claims on a chain settle by themselves while a daemon runs, whatever was down meanwhile. */

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openJobRecords } from '../../../daemon/loops/job-records.js';
import { startRechecker } from '../../../daemon/loops/rechecker.js';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkOutside } from '../../../src/actions/doctor/check-sources.js';
import { openLog } from '../../../src/base/io/log.js';
import { type Clock, systemClock } from '../../../src/base/values/clock.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import { inEnglish } from '../../helpers/in-english.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import { startTokenChain } from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { type Api, CREATE, openApi, VERIFY } from '../api.js';

async function scene(t: ExecutionContext<unknown>, clock: Clock = systemClock) {
  const chain = await startTokenChain(t);
  const node = await startNodeProxy(t, chain);
  const api = await openApi(t, { clock });
  await takeUsdt(api.core, { brand: 'Alo Store', nodes: [node.node] });
  return { api, chain, node };
}

function openRechecker(t: ExecutionContext<unknown>, core: Core) {
  const { log } = openLog('silent');
  const records = openJobRecords(core, log);
  const rechecker = startRechecker(core, log, records);
  t.teardown(async () => {
    await rechecker.stop();
    await records.close();
  });
  return { rechecker, records };
}

async function order(api: Api) {
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount: 500 } })).json() as {
    readonly id: string;
    readonly methods: readonly { readonly name: string; readonly amount_usdt: number }[];
  };
  const method = created.methods.find(({ name }) => name === 'bep20');
  return { id: created.id, due: parseUsdt(String(method?.amount_usdt)) ?? 0n };
}

const claim = (api: Api, id: string, hash: string) =>
  api.call(VERIFY, { body: { id, method: 'bep20', hash } });

const statusOf = async (api: Api, id: string) =>
  (
    await api.core.store.read((db) =>
      db.query.selectFrom('sessions').where('id', '=', id).select('status').executeTakeFirst(),
    )
  )?.status;

async function untilCompleted(api: Api, id: string): Promise<void> {
  while ((await statusOf(api, id)) !== 'COMPLETED') await sleep(50);
}

test('a claim that is not final settles without another call, and waiting pages are notified', async (t) => {
  const { api, chain } = await scene(t);
  const { records } = openRechecker(t, api.core);
  const { id, due } = await order(api);
  const hash = await chain.pay(due);
  const told = new Promise<void>((resolve) => {
    t.teardown(api.core.moved.listen(id, () => resolve()));
  });
  t.is((await claim(api, id, hash)).statusCode, 404);
  await chain.mine(3);
  await untilCompleted(api, id);
  await told;
  t.is((await claim(api, id, hash)).statusCode, 200);
  t.true((records.all().find(({ name }) => name === 'recheck-claims')?.runs ?? 0) > 0);
});

test('failures of a node that was down are counted, and the doctor reports them', async (t) => {
  const { api, chain, node } = await scene(t);
  const { id, due } = await order(api);
  const hash = await chain.pay(due);
  await chain.mine(3);
  node.be({ status: 500 });
  t.is((await claim(api, id, hash)).statusCode, 502);
  const { rechecker } = openRechecker(t, api.core);
  node.be('none');
  await untilCompleted(api, id);
  await rechecker.stop();
  const [health, ...more] = await api.core.store.read((db) =>
    db.query.selectFrom('source_health').selectAll().execute(),
  );
  t.is(more.length, 0);
  t.true((JSON.parse(health?.failures ?? '{}') as { http_status?: number }).http_status !== undefined);
  t.not(health?.last_ok_at ?? null, null);
  const { body } = await api.callBare('/metrics', { method: 'GET', remoteAddress: '127.0.0.1' });
  t.regex(body, /^kashbox_source_failures_total\{source="nod_[0-9a-f]+",kind="http_status"\} \d+$/m);
  t.regex(body, /^kashbox_claims_asked_outside 0$/m);
  const [check] = (await inEnglish(checkOutside(api.core))).filter(({ name }) => name.startsWith('node '));
  t.is(check?.state, 'ok');
  t.regex(
    check?.message ?? '',
    /^chain 56, block \d+, \d+ ms; of \d+ calls \d+ failed \(http_status \d+, last at /,
  );
  t.notRegex(check?.name ?? '', /key/);
});

test('two daemons ask no more for a claim than one does', async (t) => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const { api, chain, node } = await scene(t, clock);
  const other = await openTestCore(t, 'sqlite', { folder: api.core.home.folder, clock });
  await chain.rpc('evm_setAutomine', false);
  const orders = await Promise.all(Array.from({ length: 5 }, () => order(api)));
  for (const { id, due } of orders) t.is((await claim(api, id, await chain.pay(due))).statusCode, 404);
  node.asked();
  const receipts = () =>
    node
      .asked()
      .flat()
      .filter((method) => method === 'eth_getTransactionReceipt').length;
  // Asked for again after two seconds, then after three.
  for (const later of [2_500, 3_500]) {
    ahead += later;
    const rounds = await Promise.all([recheckClaims(api.core), recheckClaims(other)]);
    t.is(rounds[0].taken + rounds[1].taken, 5);
    t.is(receipts(), 5);
  }
});
