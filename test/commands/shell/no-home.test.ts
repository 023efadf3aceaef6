/** Where there is no installation, only commands that begin one make one, and none tells of an empty shop. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { freshDatabase } from '../../helpers/stores/postgres.js';

/** Commands that begin an installation, bring one of their own, need none, or ask before they look for it. */
const OTHERS = [
  ...['setup', 'merchants:create', 'nodes:add', 'rates:set', 'alert-targets:create', 'secret-key:rebind'],
  ...[
    'daemon',
    'demo',
    'help',
    'version',
    'update',
    'completion',
    'contexts:add',
    'contexts:list',
    'contexts:use',
    'contexts:remove',
    'sms:parse',
    'restore',
    'webhooks:listen',
    'webhooks:verify',
  ],
];

/** What each needs beside its name, so that nothing else is wrong with it. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'accounts:set': '--brand A --channel mfs_a --type personal --number 01711000001',
  'acquirers:create': '--merchant A --name B',
  'acquirers:update': 'A --name B',
  'alert-targets:update': 'A --daily-summary 21:00',
  backup: 'A',
  'brands:connect': 'A',
  'brands:create': '--merchant A --name B',
  'brands:update': 'A --name B',
  'db:copy': '--to sqlite',
  'devices:enroll': '--merchant A --name B --sim 1=01711000001',
  'devices:rotate': 'A',
  'devices:update': 'A --name B',
  'messages:send': '--device A --to 01711000001 --message B',
  'links:create': '--brand A --amount 5',
  'links:update': 'A --quantity 2',
  'links:display': 'A --amount 5',
  'keys:rotate': '--brand A',
  'merchants:update': 'A --name B',
  open: 'docs',
  'payments:export': 'A',
  'payments:create': '--brand A --name B --amount 5',
  'payments:verify': 'A --channel mfs_a --transaction-id DAQ5X1Y2Z3',
  'refunds:create': 'ABCD --note B',
  'refunds:update': 'A --number 01711000001',
  'refunds:cancel': 'A --note B',
  'refunds:close': 'A --reference C --note B',
  'sms:add': '--merchant A --recipient 01711000001 --sender bKash --text B',
  'sms:close': 'A --note B',
  'sms:learn': 'A',
  'gaps:close': 'A --note B',
  'sms:reopen': 'A --note B',
  'test:pay': 'A',
  'verifications:approve': 'A --note B',
  'verifications:reject': 'A --note B',
  'verifications:reopen': 'A --note B',
  'webhooks:rotate': '--brand A',
  'webhooks:test': '--brand A',
  why: '410',
};

const NAMED = /:(show|revoke|remove|delete|disable|cancel|suspend|activate|replay)$/;
const NO_ARGUMENT = ['rates:show', 'rates:remove'];

const manifest = readFileSync(new URL('../../../../oclif.manifest.json', import.meta.url), 'utf8');
const commands = Object.keys(JSON.parse(manifest).commands).filter((id) => !OTHERS.includes(id));

const wordsOf = (id: string) => {
  const given = ARGUMENTS[id] ?? (NAMED.test(id) && !NO_ARGUMENT.includes(id) ? 'A' : '');
  return [...id.split(':'), ...given.split(' ').filter((word) => word !== '')];
};

for (const kind of ['empty', 'missing'] as const) {
  test.serial(
    `in a folder that is ${kind} a command exits with 5, says what to do and makes nothing`,
    async (t) => {
      const outer = await openCli(t);
      const home = join(outer.home, 'home');
      if (kind === 'empty') mkdirSync(home);
      const kashbox = await openCli(t, { KASHBOX_HOME: home });
      t.true(commands.length > 50);
      for (const id of commands) {
        const ran = await kashbox(...wordsOf(id), '--json');
        t.is(ran.code, 5, `${id}: ${ran.stdout}${ran.stderr}`);
        const { message, hint } = ran.json<Failed>().error;
        t.true(message.startsWith(`No Kashbox installation in ${home}: `), `${id}: ${message}`);
        t.regex(hint, /KASHBOX_HOME.*kashbox setup/, id);
      }
      t.deepEqual(readdirSync(outer.home), kind === 'empty' ? ['home'] : []);
      if (kind === 'empty') t.deepEqual(readdirSync(home), []);
    },
  );
}

test.serial('an emptied store is reported, and not treated as an empty shop', async (t) => {
  const kashbox = await openCli(t);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  for (const end of ['-wal', '-shm']) rmSync(join(kashbox.home, `kashbox.db${end}`), { force: true });
  writeFileSync(join(kashbox.home, 'kashbox.db'), '');
  for (const line of ['payments list', 'doctor', 'merchants create --name Bina', 'rates set 120', 'daemon']) {
    const refused = await kashbox(...line.split(' '), '--json');
    t.is(refused.code, 5, line);
    const { message, hint } = refused.json<Failed>().error;
    t.is(message, `The file ${join(kashbox.home, 'kashbox.db')} is empty`);
    t.regex(hint, /kashbox restore FILE.* new shop/);
  }
});

test.serial('a home with a key but without a store is not treated as an empty shop', async (t) => {
  const kashbox = await openCli(t);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  for (const end of ['', '-wal', '-shm']) rmSync(join(kashbox.home, `kashbox.db${end}`), { force: true });
  for (const line of ['payments list', 'doctor', 'merchants create --name Bina', 'rates set 120', 'daemon']) {
    const refused = await kashbox(...line.split(' '), '--json');
    t.is(refused.code, 5, line);
    const { message, hint } = refused.json<Failed>().error;
    t.is(
      message,
      `${kashbox.home} has a secret.key but no store: ${join(kashbox.home, 'kashbox.db')} is missing`,
    );
    t.regex(hint, /KASHBOX_DATABASE_URL.*kashbox restore FILE.*new shop.*secret\.key/);
  }
  t.deepEqual(readdirSync(kashbox.home), ['secret.key']);
  rmSync(join(kashbox.home, 'secret.key'));
  t.is((await kashbox('merchants', 'create', '--name', 'Bina')).code, 0, 'as the advice says');
});

test.serial('a first start that was interrupted before a key existed continues', async (t) => {
  const kashbox = await openCli(t);
  writeFileSync(join(kashbox.home, 'kashbox.db'), '');
  t.is((await kashbox('payments', 'list')).code, 5);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  t.is((await kashbox('payments', 'list')).code, 0);
});

test.serial('an empty database is left empty, and named as what it is', async (t) => {
  const url = await freshDatabase(t);
  const kashbox = await openCli(t, { KASHBOX_DATABASE_URL: url });
  const refused = await kashbox('payments', 'list', '--json');
  t.is(refused.code, 5);
  t.regex(refused.json<Failed>().error.message, /has no Kashbox tables/);
  t.deepEqual(readdirSync(kashbox.home), []);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  t.is((await kashbox('payments', 'list')).code, 0);
});

test.serial('commands that begin an installation create one', async (t) => {
  for (const line of [
    'rates set 120',
    'merchants create --name Alo',
    'nodes add --url http://127.0.0.1:9/',
  ]) {
    const kashbox = await openCli(t);
    t.is((await kashbox(...line.split(' '))).code, 0, line);
    t.is((await kashbox('payments', 'list')).code, 0, line);
  }
});
