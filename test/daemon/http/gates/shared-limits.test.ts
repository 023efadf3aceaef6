/** How limits count: alone, by a clock that nobody sets; and together, of all daemons on one PostgreSQL. */
import test, { type ExecutionContext } from 'ava';
import { buildApp } from '../../../../daemon/http/app.js';
import { SharedRateStore, SteadyStore } from '../../../../daemon/http/gates/rate-stores.js';
import { openCore } from '../../../../src/actions/core/core.js';
import { openRateWindows, type RateWindows } from '../../../../src/actions/core/rate-windows.js';
import { openLog } from '../../../../src/base/io/log.js';
import { takePlaces } from '../../../../src/store/tables/limits.js';
import { openTestCore } from '../../../helpers/stores/engines.js';
import { type Api, CREATE, callsOf, openApi, PAIR, VERIFY } from '../../api.js';

type Env = Readonly<Record<string, string>>;

/** @returns three daemons on one database, with these settings. */
async function openThree(t: ExecutionContext, env: Env): Promise<Pick<Api, 'call' | 'callBare'>[]> {
  const first = await openApi(t, { engine: 'postgres', env });
  const { home, settings } = first.core;
  const beside = async () => {
    const core = await openCore({
      folder: home.folder,
      env: { ...env, KASHBOX_DATABASE_URL: settings.databaseUrl },
    });
    const app = await buildApp(core, { log: openLog('fatal').log });
    t.teardown(async () => {
      await app.close();
      await core.close();
    });
    return callsOf(app, first.shop);
  };
  return [first, await beside(), await beside()];
}

/** Calls one daemon after the other, some at once. @returns how many calls ended with each status. */
async function statusesOf(
  calls: number,
  call: (daemon: number) => Promise<{ readonly statusCode: number }>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let next = 0;
  const work = async () => {
    while (next < calls) {
      next += 1;
      const { statusCode } = await call(next % 3);
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 7 }, work));
  return statuses;
}

test('requests of one shop over three daemons are as many as the limit says, and say when to come again', async (t) => {
  const daemons = await openThree(t, { KASHBOX_REQUESTS_PER_MINUTE: '15' });
  const body = { cus_name: 'a', cus_email: 'a@shop.example', amount: '10' };
  const statuses = await statusesOf(60, (at) => daemons[at]?.call(CREATE, { body }) as never);
  t.is(statuses[429], 45);
  const refused = await daemons[1]?.call(CREATE, { body });
  t.is(refused?.statusCode, 429);
  const seconds = Number(refused?.headers['retry-after']);
  t.true(seconds >= 1 && seconds <= 60, String(seconds));
});

test('places are taken some at a time where the limit is large, and never more than there are', async (t) => {
  const daemons = await openThree(t, { KASHBOX_REQUESTS_PER_MINUTE: '100' });
  const statuses = await statusesOf(300, (at) => daemons[at]?.call(VERIFY, { body: {} }) as never);
  const allowed = 300 - (statuses[429] ?? 0);
  t.true(allowed <= 100 && allowed > 100 - 3 * 5, `${allowed} allowed`);
});

test('wrong keys are counted over all daemons, and no other guesses there either', async (t) => {
  const daemons = await openThree(t, { KASHBOX_FAILED_AUTH_PER_MINUTE: '9' });
  const wrong = { headers: { 'brand-key': 'kb_wrong' }, body: {} };
  t.deepEqual(await statusesOf(30, (at) => daemons[at]?.callBare(CREATE, wrong) as never), {
    401: 9,
    429: 21,
  });
  for (const daemon of daemons) {
    t.is((await daemon.callBare(PAIR, { body: { pairing_code: 'ABCD-EFGH' } })).statusCode, 429);
    t.not((await daemon.call(CREATE, { body: {} })).statusCode, 429, 'a right key is let in');
  }
});

const MINUTE = 60_000;

function openShare(windows: RateWindows) {
  const clock = { ms: 1_000 };
  const store = new SharedRateStore(windows, () => clock.ms, 'requests', 10);
  const used = (limit: number, caller = 'a') =>
    new Promise<{ current: number; ttl: number } | undefined>((resolve, reject) => {
      store.incr(caller, (error, count) => (error ? reject(error) : resolve(count)), MINUTE, limit);
    });
  return { clock, used };
}

test('while the store cannot be asked each daemon counts by itself', async (t) => {
  const fails = () => Promise.reject(new Error('no store'));
  const { clock, used } = openShare({ take: fails, look: fails });
  for (let count = 0; count < 3; count += 1) t.deepEqual(await used(3), { current: 1, ttl: MINUTE });
  t.deepEqual(await used(3), { current: 4, ttl: MINUTE });
  clock.ms += MINUTE;
  t.deepEqual(await used(3), { current: 1, ttl: MINUTE });
});

test('a window ends by the clock of the server, also one that was begun while it was days ahead', async (t) => {
  const { store } = await openTestCore(t, 'postgres');
  const take = (length = MINUTE) => store.write((db) => takePlaces(db, { caller: 'a', length }, 2));
  t.is((await take()).used, 2);
  const again = await take();
  t.is(again.used, 4);
  t.true(again.leftMs > 0 && again.leftMs <= MINUTE);
  const shift = (ms: number) =>
    store.write((db) => db.execute(`UPDATE rate_windows SET ends_at = ends_at + ${ms}`, []));
  await shift(again.leftMs);
  t.is((await take()).used, 6, 'begun by another daemon after this one had read the clock');
  await shift(-2 * MINUTE);
  t.is((await take()).used, 2, 'a new one');
  await shift(2 * 86_400_000);
  const { used, leftMs } = await take();
  t.is(used, 2, 'a new one');
  t.true(leftMs <= MINUTE);
});

test('windows that are over are deleted, and name nobody', async (t) => {
  const core = await openTestCore(t, 'postgres');
  const windows = openRateWindows(core.store);
  const rows = () =>
    core.store.read((db) => db.execute<{ caller: string }>('SELECT * FROM rate_windows', []));
  await windows?.take('requests', '203.0.113.7', 1, 0);
  t.regex((await rows())[0]?.caller ?? '', /^[\w-]{22}$/);
  for (let takes = 0; takes < 1_000; takes += 1) await windows?.take('requests', 'other', 1, MINUTE);
  t.is((await rows()).length, 1);
  t.is(openRateWindows((await openTestCore(t, 'sqlite')).store), null);
});

function openStore(cache: number) {
  const clock = { ms: 1_000 };
  const store = new SteadyStore(() => clock.ms, cache);
  const counted = (caller: string) => {
    let seen: { current: number; ttl: number } | undefined;
    store.incr(caller, (_error, result) => (seen = result), MINUTE);
    return seen;
  };
  const peeked = (caller: string) => {
    let seen: { current: number; ttl: number } | undefined;
    store.read(caller, (_error, result) => (seen = result));
    return seen;
  };
  return { clock, counted, peeked };
}

test('a minute begins with the first request and ends a minute later, regardless of later requests', (t) => {
  const { clock, counted, peeked } = openStore(10);
  t.deepEqual(peeked('a'), { current: 0, ttl: 0 });
  t.deepEqual(counted('a'), { current: 1, ttl: MINUTE });
  clock.ms += MINUTE - 1;
  t.deepEqual(counted('a'), { current: 2, ttl: 1 });
  t.deepEqual(peeked('a'), { current: 2, ttl: 1 });
  t.deepEqual(counted('b'), { current: 1, ttl: MINUTE });
  clock.ms += 1;
  t.deepEqual(peeked('a'), { current: 0, ttl: 0 });
  t.deepEqual(counted('a'), { current: 1, ttl: MINUTE });
});

test('of more callers than are remembered, the one that has been silent for longest is forgotten', (t) => {
  const { counted, peeked } = openStore(2);
  counted('a');
  counted('b');
  counted('a');
  counted('c');
  t.deepEqual([peeked('a')?.current, peeked('b')?.current, peeked('c')?.current], [2, 0, 1]);
});
