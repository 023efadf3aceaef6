/** What a driver throws has a name of the table, and what to do about it. */
import test from 'ava';
import { namePostgresError, nameSqliteError } from '../../src/store/driver-errors.js';

/** As Node throws it. */
const thrown = (errcode: number) =>
  Object.assign(new Error('locking protocol'), { code: 'ERR_SQLITE_ERROR', errcode });

for (const [name, errcode] of [
  ['SQLITE_PROTOCOL', 15],
  ['SQLITE_NOLFS', 22],
  ['SQLITE_IOERR_LOCK', 3850],
  ['SQLITE_IOERR_SHMLOCK', 5130],
] as const) {
  test(`${name}: locks that the system refuses are not damage; the hint names a place for the store`, (t) => {
    t.like(nameSqliteError(thrown(errcode)), {
      code: 'store_unreachable',
      status: 503,
      message: 'The operating system refuses to lock the files of the store',
      hint: 'Keep the store on a local disk, not on a network folder.',
    });
  });
}

test('another failure of a disk is damage, a unique key is not, and errors not of SQLite stay unchanged', (t) => {
  t.like(nameSqliteError(thrown(1034)), { code: 'store_damaged', status: 503 });
  t.like(nameSqliteError(thrown(2067)), { code: 'already_exists' });
  t.like(nameSqliteError(thrown(4874)), { code: 'store_full' });
  const own = new TypeError('ours');
  t.is(nameSqliteError(own), own);
});

test('a pooler that refuses how we connect is reported, with the line for its configuration', (t) => {
  const refusal = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
    code: '08P01',
    severity: 'FATAL',
  });
  t.like(namePostgresError(refusal), {
    code: 'store_unreachable',
    message: 'The server of KASHBOX_DATABASE_URL refuses the connection parameters of Kashbox',
    hint:
      'PostgreSQL says: unsupported startup parameter: statement_timeout. If it is a PgBouncer, set ' +
      'ignore_startup_parameters = statement_timeout in its configuration.',
  });
});
