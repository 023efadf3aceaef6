/**
 * The connection to PostgreSQL breaks: nothing is taken for done that may not be, and every question is
 * answered, were it by an error.
 */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { claimedSession } from '../../src/store/tables/sessions.js';
import { databaseWithTables } from '../helpers/stores/postgres.js';
import { openPostgresProxy, type PostgresProxy } from '../helpers/stores/postgres-proxy.js';
import { until } from '../helpers/until.js';

interface Behind {
  readonly proxy: PostgresProxy;
  readonly store: Store;
  /** A connection of the test's own, past the proxy. */
  readonly own: pg.Client;
}

async function openBehindProxy(t: ExecutionContext): Promise<Behind> {
  const url = await databaseWithTables(t);
  const proxy = await openPostgresProxy(t, url);
  const store = await openStore({ databaseUrl: proxy.url, file: '', now: Date.now() });
  t.teardown(() => store.close());
  const own = new pg.Client({ connectionString: url });
  await own.connect();
  t.teardown(() => own.end());
  return { proxy, store, own };
}

const insertMerchant = (store: Store, id: string) =>
  store.write((db) => {
    const unset = { mobile: '', whatsapp: '', email: '', allow_ips: '[]', created_at: 1 };
    return db.query
      .insertInto('merchants')
      .values({ id, name: id, status: 'ACTIVE', ...unset })
      .execute();
  });

test('a unit of work whose commit succeeded without a reply does not count as done', async (t) => {
  const { proxy, store, own } = await openBehindProxy(t);
  await insertMerchant(store, 'mer_1');
  const seen: string[] = [];
  proxy.cutsBefore = (type) => {
    // BEGIN, INSERT and COMMIT each have a C of their own.
    const isCut = type === 'Z' && seen.filter((one) => one === 'C').length === 3;
    seen.push(type);
    return isCut;
  };
  await t.throwsAsync(insertMerchant(store, 'mer_2'), { code: 'store_unreachable' });
  t.deepEqual(seen.slice(-2), ['C', 'Z']);
  const { rows } = await own.query("SELECT id FROM merchants WHERE id = 'mer_2'");
  t.is(rows.length, 1, 'this server had committed it; another may die in between');
  proxy.cutsBefore = () => false;
  await insertMerchant(store, 'mer_3');
});

/** How each went, in the order of their ends; the list grows. */
function endsOf(works: readonly Promise<unknown>[]): unknown[] {
  const ends: unknown[] = [];
  for (const work of works) {
    work.then(
      () => ends.push('done'),
      (error: unknown) => ends.push(isKashboxError(error) ? error.code : error),
    );
  }
  return ends;
}

/** More than there are connections. */
const READS = 12;
const WAITING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const LOSSES = {
  'breaks on the way': ({ proxy }: Behind) => proxy.cut(),
  'is ended by the server': ({ own }: Behind) =>
    own.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) waiting`),
};

for (const [name, lose] of Object.entries(LOSSES)) {
  test(`reads that are under way together when their connection ${name} are all answered`, async (t) => {
    const behind = await openBehindProxy(t);
    const { own, store } = behind;
    const read = () =>
      store.read((db) =>
        claimedSession.first(db, { id: 'pay_1', brand: 'bra_1', channel: 'mfs_a', reference: null }),
      );
    const reads = () => Array.from({ length: READS }, read);
    await Promise.all(reads());
    await own.query('BEGIN');
    await own.query('LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
    const ends = endsOf(reads());
    await until(async () => (await own.query(WAITING)).rows.length >= READS - 2);
    await until(async () => {
      await lose(behind);
      return ends.length === READS;
    });
    // On a busy machine some have waited for the table as long as a statement may.
    t.true(
      ends.every((end) => end === 'store_unreachable' || end === 'store_busy'),
      `${ends}`,
    );
    await own.query('ROLLBACK');
    t.is(await read(), undefined, 'the next takes a new connection');
  });
}
