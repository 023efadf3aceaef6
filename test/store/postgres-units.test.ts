/** Units of work at once on PostgreSQL: each is answered for itself, whatever becomes of the others. */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { insertMany } from '../../src/store/compiled-rows.js';
import { openStore } from '../../src/store/open.js';
import type { Db } from '../../src/store/schema/index.js';
import type { Store } from '../../src/store/store.js';
import { lockNames } from '../../src/store/tables/locks.js';
import { databaseWithTables } from '../helpers/stores/postgres.js';
import { openPostgresProxy } from '../helpers/stores/postgres-proxy.js';
import { until } from '../helpers/until.js';

interface Scene {
  readonly store: Store;
  /** A connection of the test's own. */
  readonly own: pg.Client;
}

async function open(t: ExecutionContext, url: string, through = url): Promise<Scene> {
  const store = await openStore({ databaseUrl: through, file: '', now: Date.now() });
  t.teardown(() => store.close());
  const own = new pg.Client({ connectionString: url });
  await own.connect();
  t.teardown(() => own.end());
  await own.query('CREATE TABLE notes (id text PRIMARY KEY, seen integer NOT NULL DEFAULT 0)');
  return { store, own };
}

const scene = async (t: ExecutionContext): Promise<Scene> => open(t, await databaseWithTables(t));

/** The same, with statements that may wait for a lock as long as the test takes. */
async function patientScene(t: ExecutionContext): Promise<Scene> {
  const url = new URL(await databaseWithTables(t));
  const own = url.href;
  for (const limit of ['statement_timeout', 'query_timeout']) url.searchParams.set(limit, '180000');
  return open(t, own, url.href);
}

const INSERT = 'INSERT INTO notes (id) VALUES ($1)';
const SEE = 'UPDATE notes SET seen = seen + 1 WHERE id = $1';

const put = (id: string) => (db: Db) => db.execute(INSERT, [id]);

async function idsOf({ own }: Scene): Promise<string[]> {
  const { rows } = await own.query('SELECT id FROM notes ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Who waits for a lock in this database. `pg_stat_activity` stands still as long as a transaction. */
const WAITING = `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (
  SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const isOneWaiting = async ({ own }: Scene) => (await own.query(WAITING)).rows.length === 1;

test('one failing unit of several is refused, and all others are kept', async (t) => {
  const at = await scene(t);
  const { store } = at;
  await store.write(put('there'));
  const ends = await Promise.allSettled(['a', 'there', 'b'].map((id) => store.write(put(id))));
  t.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.is((ends[1] as PromiseRejectedResult).reason.code, 'already_exists');
  t.deepEqual(await idsOf(at), ['a', 'b', 'there']);
});

test('however many fail, each is refused by itself', async (t) => {
  const at = await scene(t);
  const { store } = at;
  await store.write(put('there'));
  const ids = Array.from({ length: 40 }, (_, n) => (n % 3 === 0 ? 'there' : `n${n}`));
  const ends = await Promise.allSettled(ids.map((id) => store.write(put(id))));
  t.deepEqual(
    ends.map(({ status }) => status === 'fulfilled'),
    ids.map((id) => id !== 'there'),
  );
  t.deepEqual(await idsOf(at), [...new Set(ids)].sort());
});

test('a unit that throws loses only its own changes', async (t) => {
  const at = await scene(t);
  const failing = at.store.write(async (db) => {
    await db.execute(INSERT, ['mine']);
    throw new Error('changed its mind');
  });
  const ends = await Promise.allSettled([at.store.write(put('a')), failing]);
  t.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  t.deepEqual(await idsOf(at), ['a']);
});

test('a row that somebody holds keeps only those from their answer who want it', async (t) => {
  const at = await patientScene(t);
  const { store, own } = at;
  await store.write(put('held'));
  await own.query('BEGIN');
  await own.query("SELECT 1 FROM notes WHERE id = 'held' FOR UPDATE");
  const waiting = store.write((db) => db.execute(SEE, ['held']));
  const beside = store.write(put('a'));
  await until(() => isOneWaiting(at));
  await beside;
  await store.write(put('b'));
  t.true(await isOneWaiting(at));
  await own.query('COMMIT');
  await waiting;
  t.deepEqual((await own.query('SELECT id, seen FROM notes ORDER BY id')).rows, [
    { id: 'a', seen: 0 },
    { id: 'b', seen: 0 },
    { id: 'held', seen: 1 },
  ]);
});

test('a name lock blocks units that want the same name of the merchant, until its unit is over', async (t) => {
  const at = await patientScene(t);
  const { store } = at;
  const unset = { mobile: '', whatsapp: '', email: '', allow_ips: '[]', created_at: 1 };
  const merchants = ['mer_1', 'mer_2'].map((id) => ({ id, name: id, status: 'ACTIVE' as const, ...unset }));
  await store.write((db) => insertMany(db, 'merchants', merchants, 'id'));
  const locked = (merchant: string, reference: string, id: string) =>
    store.write(async (db) => {
      await lockNames(db, merchant, [{ reference }]);
      await db.execute(INSERT, [id]);
    });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isLocked = false;
  const first = store.write(async (db) => {
    await lockNames(db, 'mer_1', [{ reference: 'SEVEN' }]);
    isLocked = true;
    await held;
  });
  await until(() => isLocked);
  const waiting = locked('mer_1', 'SEVEN', 'seven');
  await until(() => isOneWaiting(at));
  await Promise.all([locked('mer_2', 'THREE', 'three'), locked('mer_1', 'NINE', 'nine')]);
  t.true(await isOneWaiting(at));
  t.deepEqual(await idsOf(at), ['nine', 'three']);
  letGo();
  await Promise.all([first, waiting]);
  await locked('mer_1', 'SEVEN', 'again');
  t.deepEqual(await idsOf(at), ['again', 'nine', 'seven', 'three']);
});

test('where the connections of units break, none of them is taken for done', async (t) => {
  const url = await databaseWithTables(t);
  const proxy = await openPostgresProxy(t, url);
  const { store, own } = await open(t, url, proxy.url);
  await store.write(put('first'));
  await own.query('BEGIN');
  await own.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
  const ends = ['a', 'b', 'c'].map((id) => store.write(put(id)));
  await until(async () => (await own.query(WAITING)).rows.length > 0);
  proxy.cut();
  for (const end of ends) await t.throwsAsync(end, { code: 'store_unreachable' });
  await own.query('ROLLBACK');
  await t.notThrowsAsync(store.write(put('next')));
});
