/** The commands of `install --modem`, with programs that only note how they were called. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Machine, readComputer } from '../../src/cli/install/computer.js';
import { setUp } from '../../src/cli/install/modem-install.js';
import { PATHS } from '../../src/cli/install/modem-plan.js';
import { parseModems } from '../../src/cli/modems.js';
import { Home } from '../../src/ports/node-home.js';
import { takeLock } from '../../src/ports/node-lock.js';
import { pairedHome, tempFolder } from '../helpers/agent.js';
import { FakePrograms } from '../helpers/programs.js';
import { TestServer } from '../helpers/server.js';

const GAMMU = '1=gammu:/dev/serial/by-id/usb-HUAWEI_HUAWEI_Mobile-if00-port0';

async function machineOf(
  t: ExecutionContext,
  modems: string,
  scripts: Readonly<Record<string, string>> = {},
) {
  const root = await tempFolder(t);
  const all = { systemctl: '', useradd: '', usermod: '', install: '', udevadm: '', 'gammu-smsd': '' };
  const fakes = await FakePrograms.make(join(root, 'fakes'), { ...all, ...scripts });
  const machine: Machine = { root, path: join(root, 'fakes/bin') };
  // As on a computer that systemd runs, and with Node for everybody.
  const isUsual = { hasSystemd: true, hasUdev: true, hasModemManager: true };
  const places = { node: '/usr/bin/node', program: PATHS.program as string };
  const read = async () => ({ ...(await readComputer(parseModems(modems), machine)), ...isUsual, ...places });
  return { root, fakes, machine, read };
}

const UDEV_CALLS = [
  'udevadm control --reload',
  'udevadm trigger --subsystem-match=usb --subsystem-match=tty',
  'udevadm settle --timeout=30',
];

test('without a pairing it starts nothing; with one it starts the agent, and leaves ModemManager alone', async (t) => {
  const server = await TestServer.start(t);
  const { root, fakes, machine, read } = await machineOf(t, GAMMU, { systemctl: 'echo inactive' });
  const home = new Home(join(root, 'home'));
  await t.throwsAsync(setUp(undefined, await read(), machine, home), { code: 'not_paired' });
  const made = await fakes.called();
  t.regex(made[0] ?? '', /^useradd --system .* kashbox-relay$/);
  t.deepEqual(made.slice(3), [...UDEV_CALLS, 'systemctl try-restart ModemManager.service']);
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), 'kashbox-relay:x:990:990::/var/lib/kashbox-relay:/x\n');
  const paired = new Home(await pairedHome(t, server));
  const lock = await takeLock(paired.lockPath);
  t.teardown(() => lock?.release());
  const told = await setUp(undefined, await read(), machine, paired);
  t.regex(told, /^Paired with https:.* as "Counter phone"\.\nThe agent runs \(process \d+\) and starts with/);
  t.regex(told, /is not there: is the modem plugged in\?/);
  t.notRegex(told, /gammu-smsd\.service/);
  t.deepEqual((await fakes.called()).slice(made.length), [
    'usermod --append --groups dialout kashbox-relay',
    'install -d -m 0700 -o kashbox-relay -g kashbox-relay /var/lib/kashbox-relay',
    ...UDEV_CALLS,
    'systemctl daemon-reload',
    'systemctl enable kashbox-relay.service',
    'systemctl restart kashbox-relay.service',
    'systemctl is-active gammu-smsd.service',
  ]);
});

test('a link is given to the launcher, which pairs as the user of the service', async (t) => {
  const { root, fakes, machine, read } = await machineOf(t, GAMMU);
  // The launcher starts this in place of Node; it may not lie in /tmp as it is seen by the service.
  await fakes.put('node', `echo '{"error":{"code":"pairing_refused","message":"too late"}}'; exit 4`);
  const facts = { ...(await read()), node: `/.${root}/fakes/bin/node`, hasSystemd: false };
  await fakes.put('setpriv', 'shift 3; exec "$@"');
  const link = 'kashbox://pair?url=https%3A%2F%2Fa&code=ABCD-EFGH';
  const own = { ...machine, path: fakes.path };
  await t.throwsAsync(setUp(link, facts, own, new Home(join(root, 'home'))), {
    code: 'pairing_refused',
    message: 'too late',
  });
  t.true((await fakes.called()).some((line) => line.endsWith(`kashbox-relay.mjs pair ${link} --json`)));
});

test("Debian's own gammu-smsd.service is named with how to stop it, and is not stopped", async (t) => {
  const server = await TestServer.start(t);
  const { fakes, machine, read } = await machineOf(t, GAMMU, { systemctl: 'echo active' });
  const paired = new Home(await pairedHome(t, server));
  const told = await setUp(undefined, { ...(await read()), hasSystemd: false }, machine, paired);
  t.regex(told, /systemd does not run here now/);
  t.regex(told, /sudo systemctl disable --now gammu-smsd\.service/);
  t.false((await fakes.called()).some((line) => /systemctl (disable|stop)/.test(line)));
});

test('a program that is missing and a command that fails are told with what to do', async (t) => {
  const { root, fakes, machine, read } = await machineOf(t, GAMMU, {
    usermod: 'echo "no such group" >&2; exit 6',
  });
  const home = new Home(join(root, 'home'));
  const facts = await read();
  const refused = async (change: Partial<typeof facts>) =>
    t.throwsAsync<Error & { code: string; hint: string }>(
      setUp(undefined, { ...facts, ...change }, machine, home),
    );
  const without = await refused({ modems: parseModems('1=mm') });
  t.is(without.code, 'no_modem_manager');
  t.regex(without.hint, /apt install modemmanager/);
  for (const place of ['/root/.nvm/node', '/home/karim/kashbox-relay.js', '/tmp/a.mjs']) {
    t.is((await refused({ program: place })).code, 'out_of_sight');
    t.is((await refused({ node: place })).message, `The service cannot see ${place}`);
  }
  t.false(existsSync(join(root, PATHS.unit)), 'nothing was written');
  const failed = await refused({});
  t.is(failed.code, 'command_failed');
  t.regex(failed.message, /usermod --append --groups dialout kashbox-relay \(no such group\)/);
  t.false((await fakes.called()).some((line) => line.startsWith('systemctl enable')));
});
