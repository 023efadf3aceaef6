import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';
import { freshDatabase } from '../../helpers/stores/postgres.js';

const open = async (t: ExecutionContext, env: Record<string, string> = {}) => {
  const config = await temporaryFolder(t);
  const base = { KASHBOX_HOME: '', KASHBOX_CONFIG_DIR: config, ...env };
  return { kashbox: await openCli(t, base), base, folder: config };
};

test.serial('commands work on the context that is used, or on the one that --context names', async (t) => {
  const { kashbox, base, folder } = await open(t);
  for (const name of ['alo', 'bina']) {
    t.is((await kashbox('contexts', 'add', name, '--home', join(folder, name))).code, 0);
    t.is((await kashbox('merchants', 'create', '--name', name, '--context', name)).code, 0);
  }
  const merchant = async (...args: string[]) =>
    (await kashbox('merchants', 'list', ...args, '--json'))
      .json<{ name: string }[]>()
      .map(({ name }) => name);
  t.is((await kashbox('contexts', 'use', 'alo')).code, 0);
  t.deepEqual(await merchant(), ['alo']);
  t.deepEqual(await merchant('--context', 'bina'), ['bina']);
  const other = await openCli(t, { ...base, KASHBOX_CONTEXT: 'bina' });
  t.is((await other('merchants', 'list', '--json')).json<object[]>().length, 1);
  t.like((await other('merchants', 'show', 'bina', '--json')).json(), { name: 'bina' });
  const placed = await openCli(t, { ...base, KASHBOX_HOME: join(folder, 'bina') });
  t.like((await placed('merchants', 'show', 'bina', '--json')).json(), { name: 'bina' });
  const listed = await placed('contexts', 'list');
  t.notRegex(listed.stdout, /\*/);
  t.regex(listed.stderr, /^Note: "alo" is chosen .* something else overrides/);
  for (const words of [
    ['use', 'alo'],
    ['add', 'alo', '--home', join(folder, 'alo'), '--use', '--force'],
  ]) {
    const overruled = await placed('contexts', ...words, '--json');
    t.like(overruled.json(), { name: 'alo', current: false }, 'the environment names another one');
    t.is(
      overruled.stderr,
      'Note: KASHBOX_HOME is set and overrides that. Unset it to use "alo": unset KASHBOX_HOME\n',
    );
    t.like(await kashbox('contexts', 'use', 'alo', '--json'), { stderr: '', code: 0 });
  }
  t.regex((await kashbox('contexts', 'use', 'alo')).stdout, /^Used now +yes$/m);
  t.regex(
    (await other('contexts', 'use', '--none')).stderr,
    /^Note: KASHBOX_CONTEXT is set and overrides that\. Unset it to use no context: unset KASHBOX_CONTEXT\n$/,
  );
});

test.serial('list marks the one that is used; use, --none and remove change that', async (t) => {
  const { kashbox, folder } = await open(t);
  t.regex((await kashbox('contexts', 'list')).stdout, /^There are no contexts in .*contexts add NAME/);
  t.deepEqual((await kashbox('contexts', 'list', '--json')).json(), []);
  await kashbox('contexts', 'add', 'bina', '--home', folder);
  await kashbox('contexts', 'add', 'alo', '--home', folder, '--use');
  const lines = (await kashbox('contexts', 'list')).stdout.split('\n');
  t.regex(lines[1] ?? '', /^\* +alo /);
  t.regex(lines[2] ?? '', /^ +bina /);
  const used = async () => {
    const all = (await kashbox('contexts', 'list', '--json')).json<{ name: string; current: boolean }[]>();
    return all.filter(({ current }) => current).map(({ name }) => name);
  };
  await kashbox('contexts', 'use', 'bina');
  t.deepEqual(await used(), ['bina']);
  t.is((await kashbox('contexts', 'use', '--none', '--json')).stdout, 'null\n');
  t.deepEqual(await used(), []);
  await kashbox('contexts', 'use', 'alo');
  t.is((await kashbox('contexts', 'remove', 'alo')).code, 0);
  t.deepEqual(await used(), []);
  t.is((await kashbox('contexts', 'list', '--json')).json<object[]>().length, 1);
});

test.serial(
  'errors say what to do, and the list shows names even if the chosen one is unknown',
  async (t) => {
    const { kashbox, base, folder } = await open(t);
    await kashbox('contexts', 'add', 'alo', '--home', folder);
    t.is((await kashbox('contexts', 'add', 'alo', '--home', '/elsewhere')).code, 2);
    t.is((await kashbox('contexts', 'add', 'alo', '--home', '/elsewhere', '--force')).code, 0);
    t.is((await kashbox('contexts', 'use')).code, 2);
    t.is((await kashbox('contexts', 'use', 'alo', '--none')).code, 2);
    t.is((await kashbox('contexts', 'remove', 'nobody')).code, 3);
    const unknown = await kashbox('payments', 'list', '--context', 'nobody', '--json');
    t.is(unknown.code, 3);
    t.regex(unknown.json<Failed>().error.hint, /kashbox contexts list/);
    const mistyped = await openCli(t, { ...base, KASHBOX_CONTEXT: 'nobody' });
    t.is((await mistyped('payments', 'list')).code, 3);
    t.regex((await mistyped('contexts', 'list')).stdout, /alo/);
    const inFile = await openCli(t, { KASHBOX_CONFIG_DIR: join(folder, 'contexts.json', 'config') });
    const unwritten = await inFile('contexts', 'add', 'bina', '--home', folder, '--json');
    t.is(unwritten.code, 2);
    t.regex(unwritten.json<Failed>().error.message, /contexts\.json cannot be written/);
    t.regex(unwritten.json<Failed>().error.hint, /KASHBOX_CONFIG_DIR/);
  },
);

test.serial('a context may have a database, whose password is never shown', async (t) => {
  const { kashbox, folder } = await open(t);
  const url = await freshDatabase(t);
  const secret = url.replace('postgres://', 'postgres://').replace('@', ':s3cret@');
  const made = await kashbox.piped(
    `${secret}\n`,
    'contexts',
    'add',
    'pg',
    '--home',
    folder,
    '--database-url',
    '-',
  );
  t.is(made.code, 0, made.stderr);
  for (const how of [[], ['--json'], ['--csv'], ['--ndjson']]) {
    const { stdout, stderr } = await kashbox('contexts', 'list', ...how);
    t.regex(stdout, /pg/);
    t.notRegex(stdout + stderr, /s3cret/);
  }
  const wrong = await kashbox(
    'contexts',
    'add',
    'x',
    '--home',
    folder,
    '--database-url',
    'mysql://u:s3cret@h/d',
  );
  t.is(wrong.code, 2);
  t.notRegex(wrong.stdout + wrong.stderr, /s3cret/);
  await kashbox('contexts', 'add', 'live', '--home', folder, '--database-url', url);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo', '--context', 'live')).code, 0);
  t.is((await kashbox('payments', 'list', '--context', 'live')).code, 0);
  await kashbox('contexts', 'add', 'file', '--home', folder);
  t.is(
    (await kashbox('payments', 'list', '--context', 'file')).code,
    5,
    'the same folder without its database',
  );
});
