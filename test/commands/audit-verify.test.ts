/** `kashbox audit verify`, as an operator and a script meet it. */
import test, { type ExecutionContext } from 'ava';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';

interface Verified {
  readonly ok: boolean;
  readonly rows: number;
  readonly head: { readonly number: number; readonly hash: string };
  readonly found: number;
}

async function installation(t: ExecutionContext<unknown>) {
  const kashbox = await openCli(t);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  const store = new SqliteFile(`${kashbox.home}/kashbox.db`);
  t.teardown(() => store.close());
  return { kashbox, store };
}

test('a command that has written puts it into the chain before it ends', async (t) => {
  const { kashbox, store } = await installation(t);
  const count = (table: string) => store.column(`SELECT count(*) FROM ${table}`)[0];
  t.true(Number(count('audit')) > 0);
  t.is(count('audit_chain'), count('audit'));
  await kashbox('merchants', 'suspend', 'Alo');
  t.is(count('audit_chain'), count('audit'));
});

test('an intact chain exits with 0, and the end that it prints is accepted again', async (t) => {
  const { kashbox } = await installation(t);
  const ran = await kashbox('audit', 'verify');
  t.is(ran.code, 0, ran.stderr);
  const [, rows, end = ''] =
    /^All (\d+) credits and audit entries in the chain are as they were written\.\nEnd of the chain: (\S+)\n$/.exec(
      ran.stdout,
    ) ?? [];
  const { head, ...rest } = (await kashbox('audit', 'verify', '--json')).json<Verified>();
  t.deepEqual(rest as unknown, {
    ok: true,
    rows: Number(rows),
    pending: 0,
    since: null,
    unchecked: 0,
    found: 0,
    findings: [],
  });
  t.is(`${head.number}:${head.hash}`, end);
  await kashbox('merchants', 'suspend', 'Alo');
  t.is((await kashbox('audit', 'verify', '--expect', end)).code, 0);
  const other = await kashbox('audit', 'verify', '--expect', `99:${head.hash}`);
  t.is(other.code, 4);
  t.regex(other.stdout, /^ {2}The chain does not contain the end that you gave, 99:/m);
});

test('a broken chain exits with 4 and a line for each finding, of many only the first', async (t) => {
  const { kashbox, store } = await installation(t);
  const id = String(store.column('SELECT id FROM audit LIMIT 1')[0]);
  store.exec(`UPDATE audit SET who = 'cli:nobody' WHERE id = '${id}'`);
  const ran = await kashbox('audit', 'verify');
  t.is(ran.code, 4);
  t.is(ran.stderr, '');
  const [first, second] = ran.stdout.split('\n');
  t.regex(first ?? '', /^1 thing is wrong with \d+ credits and audit entries:$/);
  t.regex(
    second ?? '',
    new RegExp(`^ {2}The audit entry ${id} merchant\\.create of 2.* is not as it was written$`),
  );
  const add = store.prepare("INSERT INTO audit VALUES (?, 1, 'x', 'y', 'z', NULL, NULL)");
  for (let n = 0; n < 30; n += 1) add.run(`aud_${String(n).padStart(24, '0')}`);
  const many = await kashbox('audit', 'verify');
  t.regex(many.stdout, /^31 things are wrong/);
  t.regex(many.stdout, /^ {2}… and 11 more: --json has them\.$/m);
  const { findings, found } = (await kashbox('audit', 'verify', '--json')).json<{
    findings: [];
    found: number;
  }>();
  t.deepEqual([findings.length, found], [31, 31]);
});

test('rejects an invalid end of a chain before the store is opened', async (t) => {
  const kashbox = await openCli(t);
  for (const end of ['12', 'nothing', '']) {
    const ran = await kashbox('audit', 'verify', '--expect', end, '--json');
    t.is(ran.code, 2, end);
    t.regex(ran.json<Failed>().error.hint, /a number, a colon and 43/);
  }
});
