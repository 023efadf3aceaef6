/** The state of writes comes from real ones; a write of its own is made only on request. */
import test, { type ExecutionContext } from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { createWriteProof, whyNoWrites } from '../../../src/actions/upkeep/prove-writes.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';

/** A core whose writes are counted, and fail where the test says so. */
async function openCounted(t: ExecutionContext, engine: Engine) {
  const core = await openTestCore(t, engine, { clock: testClock() });
  const state = { writes: 0, problem: null as KashboxError | null };
  const write: Core['store']['write'] = async (work) => {
    state.writes += 1;
    if (state.problem === null) return core.store.write(work);
    core.store.writing.failed(state.problem);
    throw state.problem;
  };
  // A busy machine may be slower than the deadline and the interval of tries.
  const now = performance.now();
  const timers = { ...core.timers, steadyMs: () => now, after: () => () => {} };
  return { core, state, now, proof: createWriteProof({ ...core, timers, store: { ...core.store, write } }) };
}

const ask = async (proof: ReturnType<typeof createWriteProof>, times: number) => {
  const asked = await Promise.allSettled(Array.from({ length: times }, () => proof.check()));
  return [...new Set(asked.map((one) => (one.status === 'fulfilled' ? 'ready' : one.reason.code)))];
};

for (const engine of engines) {
  test(`on ${engine}, after a write that worked nothing more is written to see, however often one asks`, async (t) => {
    const { core, state, proof } = await openCounted(t, engine);
    await openShop(core);
    t.deepEqual(await ask(proof, 100), ['ready']);
    t.is(state.writes, 0);
  });

  test(`on ${engine}, all who ask after a long silence share one write`, async (t) => {
    const { core, state, now, proof } = await openCounted(t, engine);
    core.store.writing.workedAt = now - 11_000;
    t.deepEqual(await ask(proof, 100), ['ready']);
    t.deepEqual(await ask(proof, 100), ['ready']);
    t.is(state.writes, 1);
  });

  test(`on ${engine}, a failed write is remembered, and tried again every few seconds at most`, async (t) => {
    const { core, state, proof } = await openCounted(t, engine);
    state.problem = new KashboxError('store_full');
    core.store.writing.failed(state.problem);
    for (let round = 0; round < 20; round += 1) t.deepEqual(await ask(proof, 10), ['store_full']);
    t.is(state.writes, 1);
    state.problem = null;
    await openShop(core);
    t.deepEqual(await ask(proof, 10), ['ready'], 'a payment that was written is proof enough');
    t.is(state.writes, 1);
  });

  test(`on ${engine}, a store migrated by a newer Kashbox in the meantime is not ready`, async (t) => {
    const core = await openTestCore(t, engine);
    const proof = createWriteProof({ ...core, timers: { ...core.timers, after: () => () => {} } });
    await t.notThrowsAsync(proof.check());
    const newer = "INSERT INTO schema_versions (version, name, applied_at) VALUES (9999, 'newer', 1)";
    await core.store.write((db) => db.execute(newer, []));
    await t.throwsAsync(proof.check(), { code: 'store_newer' });
  });

  test(`on ${engine}, a commit without changes does not clear a failure, a rejected row causes none`, async (t) => {
    const { store } = await openTestCore(t, engine);
    const shop = { id: 'mer_1', name: 'Alo', status: 'ACTIVE', mobile: '', whatsapp: '', email: '' } as const;
    const merchant = { ...shop, allow_ips: '[]', created_at: 1 };
    const insert = () => store.write((db) => db.query.insertInto('merchants').values(merchant).execute());
    const told: (string | null)[] = [];
    store.writing.onChange = (problem) => told.push(problem?.code ?? null);
    store.writing.failed(new KashboxError('store_full'));
    await store.write((db) => db.query.selectFrom('merchants').selectAll().execute());
    await store.write((db) => db.query.updateTable('merchants').set({ name: 'x' }).execute());
    t.is(store.writing.failure?.code, 'store_full');
    await insert();
    t.is(store.writing.failure, null);
    await t.throwsAsync(insert(), { code: 'already_exists' });
    t.is(store.writing.failure, null);
    const { workedAt } = store.writing;
    const touch = (db: Parameters<Parameters<typeof store.write>[0]>[0]) =>
      db.query.updateTable('merchants').set({ name: 'y' }).returning('id').execute();
    await store.write(touch);
    t.true(store.writing.workedAt > workedAt, 'rows that come back were changed, too');
    t.deepEqual(told, ['store_full', null]);
  });

  test(`on ${engine}, a look finds nothing wrong with a store that is well`, async (t) => {
    t.is(await whyNoWrites(await openTestCore(t, engine)), null);
  });
}

test('a store that does not answer within two seconds is reported as unreachable', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const deadlines: number[] = [];
  const after = (ms: number, callback: () => void) => {
    deadlines.push(ms);
    queueMicrotask(callback);
    return () => {};
  };
  const store = { ...core.store, read: () => new Promise<never>(() => {}) };
  const proof = createWriteProof({ ...core, store, timers: { ...core.timers, after } });
  await t.throwsAsync(proof.check(), { code: 'store_unreachable' });
  t.deepEqual(deadlines, [2_000]);
});
