/** The files of docs/install and of the packages: they name what there is, and are well formed. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { envVariableName, SETTINGS } from '../../src/config/settings.js';
import { openCli } from '../helpers/programs/cli.js';
import { put, putPrograms } from '../helpers/programs/packages.js';
import { root } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const PLACES = ['docs/install', 'bin/package'];
const files = PLACES.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));

/** Of the files themselves, and read elsewhere than among the settings. */
const OTHERS = [
  'KASHBOX_HOME',
  'KASHBOX_CONTEXT',
  'KASHBOX_CONFIG_DIR',
  'KASHBOX_DOMAIN',
  'KASHBOX_UPSTREAM',
  'KASHBOX_',
];

test('every variable that they name is a setting', (t) => {
  const known = new Set([...Object.keys(SETTINGS).map(envVariableName), ...OTHERS]);
  const pages = [...files, 'docs/install.md', 'docs/upgrade.md'];
  const named = pages.flatMap((path) => read(path).match(/KASHBOX_[A-Z_]*/g) ?? []);
  t.true(named.length > 20);
  t.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  );
});

test('the files that compose.yaml and the Dockerfile name are there', (t) => {
  const compose = read('docs/install/compose.yaml');
  const dockerfile = read('docs/install/Dockerfile');
  for (const path of ['docs/install/Dockerfile', 'docs/install/docker-kashbox']) {
    t.true(files.includes(path), path);
    t.true((compose + dockerfile).includes(path), path);
  }
  t.true(compose.includes('./Caddyfile:') && files.includes('docs/install/Caddyfile'));
  const [, address] = /KASHBOX_TRUST_PROXY: (\S+)/.exec(compose) ?? [];
  t.true(address !== undefined && compose.includes(`ipv4_address: ${address}\n`), 'Caddy is who is trusted');
});

test('the shell scripts among them can be read by sh', async (t) => {
  const scripts = files.filter((path) => read(path).startsWith('#!/bin/sh'));
  t.true(scripts.length >= 5);
  for (const path of scripts) await t.notThrowsAsync(run('sh', ['-n', join(root, path)]), path);
});

test('in the container the address of PostgreSQL comes from its secret, and words reach the program whole', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nprintf "%s|" "$KASHBOX_DATABASE_URL" "$@"\n');
  chmodSync(join(folder, 'node'), 0o755);
  const secret = join(folder, 'database_url');
  writeFileSync(secret, 'postgres://kashbox:a$b@db/kashbox\n');
  const script = read('docs/install/docker-kashbox').replace('/run/secrets/database_url', secret);
  const { stdout } = await run('sh', ['-c', script, 'kashbox', 'payments', 'create', 'a b'], {
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  t.regex(
    stdout,
    /^postgres:\/\/kashbox:a\$b@db\/kashbox\|\/usr\/local\/\S+run\.js\|payments\|create\|a b\|$/,
  );
});

/** The command of an installed package with a `node` that says what it was given, run by that user. */
async function openWrapper(t: ExecutionContext<unknown>, user: string) {
  const folder = await temporaryFolder(t);
  const program = join(folder, 'lib', 'kashbox');
  const programs = putPrograms(join(folder, 'programs'), { id: `echo ${user}` });
  putPrograms(join(program, 'node'), { node: 'shift; echo "node $*"' });
  put(join(program, 'is-service'), '');
  symlinkSync(join(root, 'dist'), join(program, 'dist'));
  const command = join(folder, 'bin', 'kashbox');
  put(command, read('bin/package/kashbox'));
  return (line: string, more: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: `${programs}:${process.env.PATH}`, ...more };
    const ran = spawnSync('sh', [command, ...line.split(' ')], { env, encoding: 'utf8' });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
}

test('the command of an installed package asks for sudo only where it needs the shop', async (t) => {
  const kashbox = await openWrapper(t, 'alo');
  for (const line of [
    'contexts add shop --home /srv/shop',
    'payments list --context shop',
    'payments list --context=shop',
    'sms parse --sender bKash text',
    'webhooks verify --body-file body.json',
    'webhooks listen --port 9000',
    'restore a.backup --check',
    'monitor --url https://pay.example.com --device-keys -',
    'monitor --url=https://pay.example.com',
    'nosuch',
    'payments nosuch',
    'payments',
    '--json',
  ]) {
    t.deepEqual(kashbox(line), { code: 0, stdout: `node ${line}\n`, stderr: '' }, line);
  }
  for (const line of [
    'payments list',
    'monitor',
    'restore a.backup',
    'sms list',
    'webhooks verify --brand A',
    'why DAQ5X1Y2Z3',
  ]) {
    const [topic] = line.split(' ');
    const { code, stdout, stderr } = kashbox(line);
    t.deepEqual({ code, stdout }, { code: 4, stdout: '' }, line);
    t.regex(stderr, new RegExp(`belongs to the user kashbox\nNext: .*: sudo kashbox ${topic} …\n$`), line);
  }
  const { code, stdout, stderr } = kashbox('payments list --json');
  t.deepEqual({ code, stderr }, { code: 4, stderr: '' });
  t.like(JSON.parse(stdout).error, {
    code: 'state_refused',
    hint: 'Type it with sudo: sudo kashbox payments …',
  });
});

test('the command of an installed package needs no sudo for a context of your own that is chosen', async (t) => {
  const kashbox = await openWrapper(t, 'alo');
  const folder = await temporaryFolder(t);
  const own = await openCli(t, { KASHBOX_CONFIG_DIR: join(folder, 'kashbox') });
  await own('contexts', 'add', 'alo', '--home', folder);
  const codes = () =>
    [{ KASHBOX_CONFIG_DIR: join(folder, 'kashbox') }, { XDG_CONFIG_HOME: folder }].map(
      (env) => kashbox('payments list', env).code,
    );
  t.deepEqual(codes(), [4, 4]);
  await own('contexts', 'use', 'alo');
  t.deepEqual(codes(), [0, 0]);
  await own('contexts', 'use', '--none');
  t.deepEqual(codes(), [4, 4]);
});

test('the user of the daemon works on the shop', async (t) => {
  const kashbox = await openWrapper(t, 'kashbox');
  for (const line of ['payments list', 'sms parse text', 'restore a.backup --check']) {
    t.is(kashbox(line).stdout, `node ${line}\n`);
  }
});

test('the example of settings names the certificate where the page of install has it', (t) => {
  const named = (path: string) => read(path).match(/KASHBOX_TLS_(CERT|KEY)=\S+/g) ?? [];
  t.is(named('bin/package/default').length, 2);
  t.deepEqual(named('bin/package/default'), named('docs/install.md'));
});

test('configuration continues where the operator has removed the settings', (t) => {
  const lines = read('bin/package/postinst').split('\n');
  const at = lines.findIndex((line) => line.includes('chown root:kashbox /etc/default/kashbox'));
  t.is(lines[at - 1], '  if [ -e /etc/default/kashbox ]; then');
});
