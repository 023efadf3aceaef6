/** `kashbox backup` and `kashbox restore`, as an operator and a script meet them. */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MIGRATIONS } from '../../src/store/migrate.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const WORDS = 'boat river morning seven';

/** An installation with a merchant, and a folder for backups. */
async function installation(t: ExecutionContext<unknown>, env: Readonly<Record<string, string>> = {}) {
  const kashbox = await openCli(t, env);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  const folder = await temporaryFolder(t);
  return { kashbox, folder, file: join(folder, 'kashbox.backup') };
}

/** The commands in a home that is not there yet. */
async function elsewhere(t: ExecutionContext<unknown>, env: Readonly<Record<string, string>> = {}) {
  const home = join(await temporaryFolder(t), 'home');
  return { home, kashbox: await openCli(t, { ...env, KASHBOX_HOME: home }) };
}

test('a backup is made, looked at and restored, each with one line of what to do next', async (t) => {
  const { kashbox, file } = await installation(t);
  const made = await kashbox('backup', file);
  t.is(made.code, 0, made.stderr);
  t.regex(
    made.stdout,
    /^.*kashbox\.backup \(\d+ KiB\): 0 payments, 1 merchant, 0 phones \(test brands included\)\.$/m,
  );
  t.regex(made.stdout, /^It is not encrypted, and holds the key to every secret/m);
  t.is(made.stderr, '');
  const checked = await kashbox('restore', file, '--check');
  t.is(checked.code, 0, checked.stderr);
  t.regex(checked.stdout, /made 2\d{3}-.* \(Bangladesh time\) by Kashbox \d.* from SQLite\.$/m);
  t.regex(checked.stdout, /^It is whole\.$/m);

  const new_ = await elsewhere(t);
  const restored = await new_.kashbox('restore', file, '--yes');
  t.is(restored.code, 0, restored.stderr);
  t.regex(restored.stdout, /^All of it is in .*home now\. Look whether all is well: kashbox doctor$/m);
  t.is(statSync(new_.home).mode & 0o777, 0o700);
  const listed = await new_.kashbox('merchants', 'list', '--json');
  t.deepEqual(
    listed.json<{ readonly name: string }[]>().map(({ name }) => name),
    ['Alo'],
  );
});

test('the merchant of a test brand is counted and named as what it is', async (t) => {
  const { kashbox, file } = await installation(t);
  t.is((await kashbox('brands', 'create', '--merchant', 'Alo', '--name', 'Trial', '--test')).code, 0);
  t.is((await kashbox('merchants', 'list', '--json')).json<unknown[]>().length, 1);
  const counted = /\b0 payments, 2 merchants, 0 phones \(test brands included\)/;
  t.regex((await kashbox('backup', file)).stdout, counted);
  t.regex((await kashbox('restore', file, '--check')).stdout, counted);
  const copy = `${file}.db`;
  t.regex((await kashbox('db', 'copy', '--to', copy)).stdout, counted);
  t.regex((await kashbox('db', 'status', '--help')).stdout, /counts\s+include\s+rows\s+of\s+test\s+brands/);
});

test('with --json each prints one value, that says what is in the backup', async (t) => {
  const { kashbox, file } = await installation(t);
  const made = (await kashbox('backup', file, '--json')).json();
  t.like(made, { file, encrypted: false, engine: 'sqlite', payments: 0, merchants: 1, phones: 0, notes: [] });
  t.is(made.bytes, statSync(file).size);
  const shown = (await kashbox('restore', file, '--check', '--json')).json();
  const { made_at, files } = made;
  t.like(shown, { file, made_at, files, encrypted: false, schema_version: MIGRATIONS.length, merchants: 1 });
  const { home, kashbox: other } = await elsewhere(t);
  t.deepEqual((await other('restore', file, '--yes', '--json')).json(), { ...shown, home, notes: [] });
});

test('does not prompt without a terminal, and changes nothing', async (t) => {
  const { kashbox, file } = await installation(t);
  await kashbox('backup', file);
  const { home, kashbox: other } = await elsewhere(t);
  const asked = await other('restore', file);
  t.is(asked.code, 2);
  t.is(asked.stdout, '');
  t.regex(asked.stderr, /It holds 0 payments, 1 merchant/);
  t.regex(asked.stderr, /Next: Give --yes to restore without being asked\.$/m);
  t.false(existsSync(home));
  t.deepEqual(readdirSync(dirname(home)), []);
});

test('a backup is encrypted by the environment, by a file or not at all, and opened in the same ways', async (t) => {
  const words = { KASHBOX_BACKUP_PASSPHRASE: WORDS };
  const { kashbox, folder, file } = await installation(t, words);
  const made = await kashbox('backup', file);
  t.regex(made.stdout, /^It is encrypted: keep the passphrase where the backup is not\.$/m);
  t.false(`${made.stdout}${made.stderr}`.includes(WORDS));
  const without = await elsewhere(t);
  const refused = await without.kashbox('restore', file, '--check');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /is encrypted, and its passphrase is missing\nNext: Name a file/);
  const wrong = await elsewhere(t, { KASHBOX_BACKUP_PASSPHRASE: 'boat river morning eight' });
  const failed = await wrong.kashbox('restore', file, '--yes', '--json');
  t.is(failed.code, 2);
  t.is(failed.json<Failed>().error.code, 'passphrase_wrong');
  t.false(existsSync(wrong.home));

  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${WORDS}\r\nnever read\n`);
  t.is((await without.kashbox('restore', file, '--yes', '--passphrase-file', passphrase)).code, 0);
  const again = join(folder, 'again.backup');
  const sealed = await without.kashbox('backup', again, '--passphrase-file', passphrase);
  t.is(sealed.code, 0, sealed.stderr);
  t.is((await kashbox('restore', again, '--check')).code, 0);
  t.is((await without.kashbox('backup', join(folder, 'plain.backup'))).code, 0);
  t.is((await kashbox('restore', join(folder, 'plain.backup'), '--check')).code, 0, 'none is needed for it');
});

test('a passphrase that could be guessed, or is not there, makes no backup', async (t) => {
  const { kashbox, folder, file } = await installation(t);
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'short\n');
  const short = await kashbox('backup', file, '--passphrase-file', passphrase);
  t.is(short.code, 2);
  t.regex(short.stderr, /A passphrase has 12 to 1000 characters/);
  writeFileSync(passphrase, '\n');
  t.is((await kashbox('backup', file, '--passphrase-file', passphrase)).code, 2);
  t.is((await kashbox('backup', file, '--passphrase-file', join(folder, 'nothing'))).code, 2);
  const asked = await kashbox('backup', file, '--encrypt');
  t.is(asked.code, 2);
  t.regex(asked.stderr, /The passphrase is missing\nNext: Name a file/);
  t.deepEqual(readdirSync(folder), ['passphrase']);
});

test('a backup needs an installation, and a name that is free', async (t) => {
  const { kashbox, folder, file } = await installation(t);
  const { home, kashbox: other } = await elsewhere(t);
  const nothing = await other('backup', file);
  t.is(nothing.code, 5);
  t.false(existsSync(home));
  t.is((await kashbox('backup', file)).code, 0);
  const taken = await kashbox('backup', file);
  t.is(taken.code, 4);
  t.regex(taken.stderr, /already exists\nNext: .*--force/);
  t.is((await kashbox('backup', file, '--force')).code, 0);
  t.is((await kashbox('backup', folder)).code, 2);
  const long = await kashbox('backup', join(dirname(kashbox.home), 'x'.repeat(300)));
  t.is(long.code, 2);
  t.regex(long.stderr, /cannot be written \(ENAMETOOLONG\)\nNext: Choose an existing folder/);
});

test('a home that is in use gets nothing, before anything is read', async (t) => {
  const { kashbox, folder } = await installation(t);
  writeFileSync(join(folder, 'kashbox.backup'), Buffer.from([0x1f, 0x8b, 0]));
  const refused = await kashbox('restore', join(folder, 'kashbox.backup'), '--yes', '--json');
  t.is(refused.code, 4);
  t.regex(refused.json<Failed>().error.hint, /^Stop the daemon if one runs there, then .*: mv .* .*\.old$/);
});

test('a kashbox.json that names a database comes back without it, and the command says so', async (t) => {
  const { kashbox, file } = await installation(t, { KASHBOX_DATABASE_URL: '' });
  const settings = { databaseUrl: 'postgres://kashbox:tiger@localhost/live', sessionMinutes: 33 };
  writeFileSync(join(kashbox.home, 'kashbox.json'), JSON.stringify({ settings }));
  t.is((await kashbox('backup', file)).code, 0);
  const { home, kashbox: other } = await elsewhere(t);
  const restored = await other('restore', file, '--yes');
  t.is(restored.code, 0, restored.stderr);
  t.regex(restored.stderr, /^Note: kashbox\.json named a database/m);
  t.false(`${restored.stdout}${restored.stderr}`.includes('tiger'));
  const doctor = await other('doctor', '--json');
  const { checks } = doctor.json<{
    readonly checks: { readonly name: string; readonly message: string }[];
  }>();
  t.regex(checks.find(({ name }) => name === 'store')?.message ?? '', /^SQLite/);
  t.is(statSync(join(home, 'kashbox.json')).mode & 0o777, 0o600);
});

test('doctor knows when the last backup was made, and warns where there has been none', async (t) => {
  const { kashbox, file } = await installation(t);
  t.regex(
    (await kashbox('doctor')).stdout,
    /^warn {2}backup: no backup since .* restored\n.*kashbox backup '\/\S+kashbox\.backup' and/m,
  );
  await kashbox('backup', file);
  t.regex((await kashbox('doctor')).stdout, /^ok {4}backup: last backup 2\d{3}-.*kashbox\.backup$/m);
});
