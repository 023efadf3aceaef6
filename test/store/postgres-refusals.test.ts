/** A PostgreSQL that refuses: the operator reads what it says, and a limit of connections is waited for. */
import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { openStore } from '../../src/store/open.js';
import { databaseWithTables } from '../helpers/stores/postgres.js';

/** @param options of the role, beside LOGIN. @returns the address of a database with tables, as that role */
async function asRole(t: ExecutionContext, options: string, rights: readonly string[] = []): Promise<string> {
  const address = new URL(await databaseWithTables(t));
  const role = `role_${randomBytes(6).toString('hex')}`;
  const owner = new pg.Client({ connectionString: address.href });
  await owner.connect();
  t.teardown(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
  });
  await owner.query(`CREATE ROLE ${role} LOGIN ${options}`);
  for (const right of rights) await owner.query(`${right} TO ${role}`);
  address.username = role;
  return address.href;
}

const open = (databaseUrl: string) => openStore({ databaseUrl, file: '', now: Date.now(), mustExist: true });

test('a role without rights on the tables gets an error in the words of PostgreSQL', async (t) => {
  const error = await t.throwsAsync(open(await asRole(t, '')));
  t.true(isKashboxError(error, 'store_unreachable'));
  t.regex(error?.message ?? '', /no permission for the Kashbox tables/);
  t.regex(
    isKashboxError(error) ? error.hint : '',
    /PostgreSQL says: permission denied for schema public.*GRANT/,
  );
});

test('a database that is not there is named', async (t) => {
  const address = new URL(await databaseWithTables(t));
  address.pathname = '/no_such_database';
  const error = await t.throwsAsync(open(address.href));
  t.regex(
    isKashboxError(error) ? error.hint : '',
    /PostgreSQL says: database "no_such_database" does not exist/,
  );
});

test('a role that may have three connections answers everybody', async (t) => {
  const rights = ['GRANT ALL ON SCHEMA public', 'GRANT ALL ON ALL TABLES IN SCHEMA public'];
  const store = await open(await asRole(t, 'CONNECTION LIMIT 3', rights));
  t.teardown(() => store.close());
  const insert = (id: string) =>
    store.write(async (db) => {
      const row = { id, name: id, status: 'ACTIVE', mobile: '', whatsapp: '', email: '' } as const;
      const before = await db.query.selectFrom('merchants').select('id').where('id', '=', id).execute();
      t.deepEqual(before, []);
      await db.query
        .insertInto('merchants')
        .values({ ...row, allow_ips: '[]', created_at: 1 })
        .execute();
    });
  const count = () =>
    store.read((db) => db.query.selectFrom('merchants').select('id').where('id', '=', 'mer_0').execute());
  // Each has 10 s, as in the product. In rounds of more than the pool has, no busy machine needs that long.
  for (let round = 0; round < 4; round += 1) {
    const works = Array.from({ length: 24 }, (_, n) =>
      n % 2 === 0 ? insert(`mer_${round * 24 + n}`) : count(),
    );
    await Promise.all(works);
  }
  t.is((await store.read((db) => db.query.selectFrom('merchants').select('id').execute())).length, 48);
});
