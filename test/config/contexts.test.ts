import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  chooseContext,
  contextNameField,
  contextsFile,
  loadContexts,
  withoutPassword,
  writeContexts,
} from '../../src/config/contexts.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const URL = 'postgres://kash:geheim@db.example.com:5432/kashbox?sslmode=require';
const SHOPS = {
  used: 'shop',
  contexts: {
    shop: { home: '/srv/shop', databaseUrl: null },
    live: { home: '/srv/live', databaseUrl: URL },
  },
};

test('the file is in the folder that KASHBOX_CONFIG_DIR or XDG names, else in ~/.config', (t) => {
  t.is(contextsFile({ KASHBOX_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b' }), '/a/contexts.json');
  t.is(contextsFile({ KASHBOX_CONFIG_DIR: '', XDG_CONFIG_HOME: '/b' }), '/b/kashbox/contexts.json');
  t.is(contextsFile({}), join(homedir(), '.config/kashbox/contexts.json'));
});

test('reads back what it wrote, and only the owner can read it', async (t) => {
  const env = { KASHBOX_CONFIG_DIR: join(await temporaryFolder(t), 'new', 'folder') };
  t.deepEqual(loadContexts(env), { used: null, contexts: {} });
  writeContexts(env, SHOPS);
  t.deepEqual(loadContexts(env), SHOPS);
  t.is(statSync(contextsFile(env)).mode & 0o777, 0o600);
  t.is(statSync(env.KASHBOX_CONFIG_DIR).mode & 0o777, 0o700);
});

test('reports a file that is not a list of contexts by its path', async (t) => {
  const folder = await temporaryFolder(t);
  const env = { KASHBOX_CONFIG_DIR: folder };
  for (const text of ['{', '[]', 'null', '{"used":7,"contexts":{}}', '{"used":null,"contexts":{"a":{}}}']) {
    writeFileSync(contextsFile(env), text);
    const error = t.throws(() => loadContexts(env), { code: 'config_invalid' }, text);
    t.true(error?.message.includes(contextsFile(env)));
  }
});

const choices: readonly (readonly [
  env: Record<string, string>,
  flag: string | undefined,
  home: string | undefined,
])[] = [
  [{}, undefined, '/srv/shop'],
  [{}, 'live', '/srv/live'],
  [{ KASHBOX_CONTEXT: 'live' }, undefined, '/srv/live'],
  [{ KASHBOX_CONTEXT: 'live' }, 'shop', '/srv/shop'],
  [{ KASHBOX_HOME: '/home/me' }, undefined, '/home/me'],
  [{ KASHBOX_HOME: '/home/me' }, 'live', '/srv/live'],
  [{ KASHBOX_HOME: '', KASHBOX_CONTEXT: '' }, undefined, '/srv/shop'],
  [{ KASHBOX_DATABASE_URL: 'postgres://other/x' }, undefined, undefined],
];
for (const [given, flag, home] of choices) {
  test(`with ${JSON.stringify(given)} and --context ${flag} the home is ${home}`, async (t) => {
    const env = { ...given, KASHBOX_CONFIG_DIR: await temporaryFolder(t) };
    writeContexts(env, SHOPS);
    const chosen = chooseContext(env, flag);
    t.is(chosen.env.KASHBOX_HOME, home);
    t.is(chosen.context, home?.startsWith('/srv/') ? home.slice(5) : null);
  });
}

test('a context is taken whole: its home never meets a database of the environment', async (t) => {
  const env = { KASHBOX_DATABASE_URL: 'postgres://other/x', KASHBOX_CONFIG_DIR: await temporaryFolder(t) };
  writeContexts(env, SHOPS);
  t.is(chooseContext(env, 'shop').env.KASHBOX_DATABASE_URL, undefined);
  t.is(chooseContext(env, 'live').env.KASHBOX_DATABASE_URL, URL);
});

test('rejects a contradictory environment and unknown names', async (t) => {
  const env = { KASHBOX_CONTEXT: 'live', KASHBOX_CONFIG_DIR: await temporaryFolder(t) };
  writeContexts(env, SHOPS);
  for (const other of ['KASHBOX_HOME', 'KASHBOX_DATABASE_URL']) {
    const error = t.throws(() => chooseContext({ ...env, [other]: '/x' }, undefined), {
      code: 'invalid_input',
    });
    t.regex(error?.message ?? '', new RegExp(other));
  }
  for (const name of ['nobody', 'toString', '']) {
    t.throws(() => chooseContext(env, name), { code: 'not_found' }, name);
  }
});

test('without a chosen context the environment is unchanged and no file is read', async (t) => {
  const folder = await temporaryFolder(t);
  const env = { KASHBOX_HOME: '/home/me', KASHBOX_CONFIG_DIR: folder };
  mkdirSync(contextsFile(env));
  t.deepEqual(chooseContext(env, undefined), { context: null, env });
});

test('names are short words, and an address is shown without password and parameters', (t) => {
  for (const name of ['', '-x', 'a b', 'a/b', 'x'.repeat(41)]) {
    t.throws(() => contextNameField(name), { code: 'invalid_input' }, name);
  }
  t.is(contextNameField('shop-1.live'), 'shop-1.live');
  t.is(withoutPassword(URL), 'postgres://kash@db.example.com:5432/kashbox');
  t.is(withoutPassword('postgres://u:p@/db?host=/tmp&password=p'), 'postgres://u@localhost/db');
});
