/** `kashbox db status`, `migrate` and `copy`, as an operator and a script meet them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MIGRATIONS } from '../../src/store/migrate.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

const SECRET = 'hush-hush-hush';

/** The same database with a password, which the server of the tests does not ask for. */
async function databaseUrl(t: ExecutionContext<unknown>): Promise<string> {
  const url = new URL(await freshDatabase(t));
  url.password = SECRET;
  return url.href;
}

async function installation(t: ExecutionContext<unknown>) {
  const kashbox = await openCli(t);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  return kashbox;
}

const names = (ran: { json<T>(): T }) => ran.json<{ readonly name: string }[]>().map(({ name }) => name);

test('status and migrate say what there is', async (t) => {
  const kashbox = await installation(t);
  const shown = await kashbox('db', 'status');
  t.is(shown.code, 0, shown.stderr);
  t.regex(shown.stdout, /^Engine +SQLite\nWhere +\S+kashbox\.db\nSize +1 MiB\n/);
  t.regex(shown.stdout, new RegExp(`^Tables +version ${MIGRATIONS.length}, up to date$`, 'm'));
  t.regex(shown.stdout, /^Takes writes +yes\nmerchants +1$/m);
  t.like((await kashbox('db', 'status', '--json')).json(), {
    engine: 'sqlite',
    pending: [],
    no_writes: null,
  });
  const migrated = await kashbox('db', 'migrate');
  t.is(migrated.stdout, `The tables are up to date: version ${MIGRATIONS.length}.\n`);
  const { from, to, applied } = (await kashbox('db', 'migrate', '--json')).json<Record<string, unknown>>();
  t.deepEqual([from, to, applied], [MIGRATIONS.length, MIGRATIONS.length, []]);
});

test('a shop moves to PostgreSQL and back by these commands, and no password is ever shown', async (t) => {
  const kashbox = await installation(t);
  const url = await databaseUrl(t);
  const moved = await kashbox.piped(url, 'db', 'copy', '--to', '-');
  t.is(moved.code, 0, moved.stderr);
  t.regex(
    moved.stdout,
    /^postgres:\/\/kashbox@127\.0\.0\.1:\d+\/\S+ holds all \d+ rows now, each compared: 0 payments, 1 /,
  );
  t.regex(
    moved.stdout,
    /^ {2}Set KASHBOX_DATABASE_URL to the new address, for the daemon and for every command\.$/m,
  );

  const there = await openCli(t, { KASHBOX_HOME: kashbox.home, KASHBOX_DATABASE_URL: url });
  t.deepEqual(names(await there('merchants', 'list', '--json')), ['Alo']);
  t.is((await there('merchants', 'create', '--name', 'Second')).code, 0);
  t.is((await there('audit', 'verify')).code, 0);
  const status = await there('db', 'status');
  t.regex(status.stdout, /^Engine +PostgreSQL\nWhere +postgres:\/\/kashbox@127/);

  const taken = await there('db', 'copy', '--to', 'sqlite');
  t.is(taken.code, 4);
  t.regex(taken.stderr, /kashbox\.db already exists, so nothing is copied/);
  const file = join(await temporaryFolder(t), 'kashbox.db');
  const back = await there('db', 'copy', '--to', file, '--json');
  t.is(back.code, 0, back.stderr);
  t.like(back.json(), { from: 'postgres', to: 'sqlite', where: file, merchants: 2 });
  t.is(statSync(file).mode & 0o777, 0o600);
  t.deepEqual(readdirSync(join(file, '..')), ['kashbox.db']);
  for (const ran of [moved, status, taken, back]) t.false(`${ran.stdout}${ran.stderr}`.includes(SECRET));
});

test('rejects an invalid target store without repeating its password', async (t) => {
  const kashbox = await installation(t);
  const wrong: readonly (readonly [to: string, code: number, message: RegExp])[] = [
    [`mysql://root:${SECRET}@127.0.0.1/x`, 2, /The database address must be an address such as/],
    [`postgres://kashbox:${SECRET}@127.0.0.1:1/x`, 5, /cannot be reached/],
    [`postgres://kashbox:${SECRET}@/x?host=one,two`, 2, /several hosts/],
    ['', 2, /./],
    ['sqlite', 2, /is the store itself/],
    [kashbox.home, 2, /is a folder/],
    [join(kashbox.home, 'no', 'kashbox.db'), 2, /There is no folder/],
    [join(kashbox.home, 'secret.key'), 4, /already exists/],
  ];
  for (const [to, code, message] of wrong) {
    const ran = await kashbox('db', 'copy', '--to', to, '--json');
    t.is(ran.code, code, `${to}: ${ran.stdout}`);
    const { error } = ran.json<Failed>();
    t.regex(error.message, message, to);
    t.false(`${error.message}${error.hint}${ran.stderr}`.includes(SECRET), to);
  }
  t.false(existsSync(join(kashbox.home, 'no')));
});
