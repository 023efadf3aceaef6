/**
 * Units of work that share a transaction on PostgreSQL: each is answered for itself, whatever becomes of the
 * others, and what was expected wrongly leaves nothing behind.
 */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { insertMany } from '../../src/store/compiled-rows.js';
import { openStore } from '../../src/store/open.js';
import type { Db } from '../../src/store/schema/index.js';
import type { Store } from '../../src/store/store.js';
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

const INSERT = 'INSERT INTO notes (id) VALUES ($1)';
const INSERT_NEW = `${INSERT} ON CONFLICT DO NOTHING RETURNING id`;
const SEE = 'UPDATE notes SET seen = seen + 1 WHERE id = $1';

const put = (id: string) => (db: Db) => db.send(INSERT, [id]);

async function idsOf({ own }: Scene): Promise<string[]> {
  const { rows } = await own.query('SELECT id FROM notes ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Long enough for whoever does not have to wait. */
const PATIENCE_MS = 1_500;
const isOver = (work: Promise<unknown>) =>
  Promise.race([
    work.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS)),
  ]);

test('units that come together are one transaction', async (t) => {
  const at = await scene(t);
  const { store, own } = at;
  await store.write(put('first'));
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.write(put(id))));
  const { rows } = await own.query("SELECT DISTINCT xmin::text FROM notes WHERE id <> 'first'");
  t.is(rows.length, 1);
});

test('one of a group that fails is refused, and all others stand', async (t) => {
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

test('however many of a group fail, each is refused by itself', async (t) => {
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

test('what a unit throws keeps its own changes out, and no others', async (t) => {
  const at = await scene(t);
  const failing = at.store.write(async (db) => {
    await db.send(INSERT, ['mine']);
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
  const at = await scene(t);
  const { store, own } = at;
  await store.write(put('held'));
  await own.query('BEGIN');
  await own.query("SELECT 1 FROM notes WHERE id = 'held' FOR UPDATE");
  const waiting = store.write((db) => db.send(SEE, ['held']));
  const together = store.write(put('a'));
  t.true(await isOver(together), 'in one group with it');
  t.true(await isOver(store.write(put('b'))), 'behind it');
  t.false(await isOver(waiting));
  await own.query('COMMIT');
  await waiting;
  t.deepEqual((await own.query('SELECT id, seen FROM notes ORDER BY id')).rows, [
    { id: 'a', seen: 0 },
    { id: 'b', seen: 0 },
    { id: 'held', seen: 1 },
  ]);
});

test('the patience of a group is not that of whoever has its connection next', async (t) => {
  const { store } = await scene(t);
  await Promise.all(['a', 'b'].map((id) => store.write(put(id))));
  const patience = (db: Db) => db.execute<{ lock_timeout: string }>('SHOW lock_timeout', []);
  const shown = await Promise.all(Array.from({ length: 10 }, () => store.write(patience)));
  t.deepEqual(new Set(shown.flat().map((row) => row.lock_timeout)), new Set(['0']));
});

test('what is as expected is not waited for', async (t) => {
  const at = await scene(t);
  const tries: boolean[] = [];
  const isNew = await at.store.write(async (db) => {
    tries.push(db.isAhead);
    await db.send(INSERT, ['before']);
    return db.expect(INSERT_NEW, ['a'], 1);
  });
  t.true(isNew);
  t.deepEqual(tries, [true]);
  t.deepEqual(await idsOf(at), ['a', 'before']);
});

test('what is not as expected leaves nothing behind, and is asked again and waited for', async (t) => {
  const at = await scene(t);
  const { store } = at;
  await store.write(put('there'));
  const tries: boolean[] = [];
  const unit = async (db: Db) => {
    tries.push(db.isAhead);
    await db.send(INSERT, [`before ${tries.length}`]);
    return db.expect(INSERT_NEW, ['there'], 1);
  };
  const [isNew] = await Promise.all([store.write(unit), store.write(put('beside'))]);
  t.false(isNew);
  t.deepEqual(tries, [true, false]);
  t.deepEqual(await idsOf(at), ['before 2', 'beside', 'there']);
});

test('an expectation holds, too, where the unit asks something behind it', async (t) => {
  const at = await scene(t);
  const { store } = at;
  await store.write(put('there'));
  const ask = (id: string) =>
    store.write(async (db) => {
      const isNew = await db.expect(INSERT_NEW, [id], 1);
      const [row] = await db.execute<{ n: string }>("SELECT count(*) AS n FROM notes WHERE id = 'new'", []);
      return { isNew, n: Number(row?.n), isAhead: db.isAhead };
    });
  t.deepEqual(await ask('new'), { isNew: true, n: 1, isAhead: true });
  t.deepEqual(await ask('there'), { isNew: false, n: 1, isAhead: false });
});

test('rows are expected by their number, and none is a number', async (t) => {
  const at = await scene(t);
  const find = 'SELECT id FROM notes WHERE id <> $1';
  const expect = (rows: number) => at.store.write((db) => db.expect(find, ['x'], rows));
  t.true(await expect(0));
  await at.store.write(put('a'));
  await at.store.write(put('b'));
  t.deepEqual(await Promise.all([0, 1, 2, 3].map(expect)), [false, false, true, false]);
});

test('a lock of a name is taken before whatever its group does, and let go with it', async (t) => {
  const at = await scene(t);
  const { store, own } = at;
  const unset = { mobile: '', whatsapp: '', email: '', allow_ips: '[]', created_at: 1 };
  const merchants = ['mer_1', 'mer_2'].map((id) => ({ id, name: id, status: 'ACTIVE' as const, ...unset }));
  await store.write((db) => insertMany(db, 'merchants', merchants, 'id'));
  const locked = (merchant: string, slots: number[], id: string) =>
    store.write(async (db) => {
      await db.lock({ merchant, slots });
      await db.send(INSERT, [id]);
    });
  await own.query('BEGIN');
  await own.query('SELECT 1 FROM lock_slots WHERE slot = 7 FOR UPDATE');
  const waiting = locked('mer_1', [7], 'seven');
  const others = Promise.all([locked('mer_2', [3, 9], 'three'), locked('mer_1', [9], 'nine')]);
  t.true(await isOver(others));
  t.false(await isOver(waiting));
  t.deepEqual(await idsOf(at), ['nine', 'three']);
  await own.query('COMMIT');
  await waiting;
  await locked('mer_1', [7], 'again');
  t.deepEqual(await idsOf(at), ['again', 'nine', 'seven', 'three']);
});

test('where the connection of a group breaks, none of it is taken for done', async (t) => {
  const url = await databaseWithTables(t);
  const proxy = await openPostgresProxy(t, url);
  const { store, own } = await open(t, url, proxy.url);
  await store.write(put('first'));
  await own.query('BEGIN');
  await own.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
  const ends = ['a', 'b', 'c'].map((id) => store.write(put(id)));
  const WAITING =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await own.query(WAITING)).rows.length > 0);
  proxy.cut();
  for (const end of ends) await t.throwsAsync(end, { code: 'store_unreachable' });
  await own.query('ROLLBACK');
  await t.notThrowsAsync(store.write(put('next')));
});
