/**
 * What `install --modem` writes, beneath a folder of the test, what the system says of it, and what it runs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { loadComputerFacts, type Machine } from '../../src/cli/install/computer.js';
import { setUp } from '../../src/cli/install/modem-install.js';
import {
  modemsInUnit,
  PATHS,
  polkitRules,
  systemdUnit,
  udevRules,
} from '../../src/cli/install/modem-plan.js';
import { modemsText, parseModems } from '../../src/cli/modems.js';
import { Home } from '../../src/ports/node-home.js';
import { takeLock } from '../../src/ports/node-lock.js';
import { pairedHome, runAgent, tempFolder } from '../helpers/agent.js';
import { FakePrograms } from '../helpers/programs.js';
import { TestServer } from '../helpers/server.js';

const DEVICE = '/dev/serial/by-id/usb-HUAWEI_HUAWEI_Mobile-if00-port0';
const GAMMU = `1=gammu:${DEVICE}`;
const BOTH = `${GAMMU},2=mm:356938035643809`;

const unitOf = (modems: string, change: Partial<Parameters<typeof systemdUnit>[0]> = {}) =>
  systemdUnit({
    user: 'root',
    home: '/var/lib/kashbox-relay',
    node: process.execPath,
    program: '/usr/local/lib/kashbox-relay/kashbox-relay.mjs',
    modems: parseModems(modems),
    ...change,
  });

async function installed(t: ExecutionContext, modems: string) {
  const root = await tempFolder(t);
  const ran = await runAgent(['install', '--modem', '--root', root, '--modems', modems]);
  t.is(ran.code, 0, ran.stderr);
  const read = (path: string) => readFile(join(root, path), 'utf8');
  return { root, read, ...ran };
}

test('with --root all files go below it, readable by all users, and the other commands are printed', async (t) => {
  const { root, read, stdout } = await installed(t, BOTH);
  for (const [path, mode] of [
    [PATHS.unit, 0o644],
    [PATHS.udev, 0o644],
    [PATHS.polkit, 0o644],
    [PATHS.launcher, 0o755],
    ['/usr/local/bin', 0o755],
    ['/etc/udev/rules.d', 0o755],
  ] as const)
    t.is((await stat(join(root, path))).mode & 0o777, mode, path);
  t.regex(stdout, /useradd --system .*\/var\/lib\/kashbox-relay .*\/usr\/sbin\/nologin kashbox-relay\n/);
  t.regex(stdout, /usermod --append --groups dialout kashbox-relay\n.*install -d -m 0700/);
  t.regex(stdout, /systemctl enable kashbox-relay\.service\n/);
  t.is(modemsInUnit(await read(PATHS.unit)), BOTH);
  t.notThrows(() => execFileSync('sh', ['-n', join(root, PATHS.launcher)]));
});

test('the one file is copied to where the service starts it', async (t) => {
  const folder = await tempFolder(t);
  const bundle = new URL('../../../../dist/relay/kashbox-relay.mjs', import.meta.url).pathname;
  if (!existsSync(bundle)) return t.pass('it is not built here');
  const file = join(folder, 'kashbox-relay.mjs');
  await copyFile(bundle, file);
  const root = join(folder, 'root');
  const args = [file, 'install', '--root', root, '--modems', GAMMU];
  execFileSync(process.execPath, args, { stdio: 'pipe' });
  const copy = join(root, PATHS.program);
  t.deepEqual(await readFile(copy), await readFile(file));
  t.is((await stat(copy)).mode & 0o777, 0o644);
  t.regex(
    await readFile(join(root, PATHS.unit), 'utf8'),
    new RegExp(`^ExecStart=\\S+ ${PATHS.program} run`, 'm'),
  );
  const removed = execFileSync(process.execPath, [file, 'uninstall', '--root', root], { encoding: 'utf8' });
  t.regex(removed, /Kept: the pairing and all SMS .* \/var\/lib\/kashbox-relay/);
  for (const path of Object.values(PATHS)) t.false(existsSync(join(root, path)), path);
});

test('--dry-run writes nothing, and shows every file and every command', async (t) => {
  const root = await tempFolder(t);
  const { stdout } = await runAgent(['install', '--dry-run', '--root', root, '--modems', BOTH]);
  for (const path of [PATHS.unit, PATHS.udev, PATHS.polkit, PATHS.launcher])
    t.true(stdout.includes(`Would write ${path}:\n`), path);
  t.regex(stdout, /^ {2}Restart=always$/m);
  t.regex(stdout, /^ {2}systemctl enable kashbox-relay\.service$/m);
  t.false(existsSync(join(root, 'etc')));
});

test('again without --modems the same modems stay; with others what is not needed goes', async (t) => {
  const { root, read } = await installed(t, BOTH);
  const before = await read(PATHS.unit);
  t.is((await runAgent(['install', '--modem', '--root', root])).code, 0);
  t.is(await read(PATHS.unit), before);
  await runAgent(['install', '--root', root, '--modems', '1=mm']);
  t.false(existsSync(join(root, PATHS.udev)), 'ModemManager is to have its modem');
  t.true(existsSync(join(root, PATHS.polkit)));
  await runAgent(['install', '--root', root, '--modems', GAMMU]);
  t.true(existsSync(join(root, PATHS.udev)));
  t.false(existsSync(join(root, PATHS.polkit)));
});

test('rejects invalid options and names the next step', async (t) => {
  const root = await tempFolder(t);
  const none = await runAgent(['install', '--modem', '--root', root]);
  t.is(none.code, 4);
  t.regex(none.stderr, /No GSM modem is named\n.*--modems 1=gammu:/);
  const home = await runAgent(['install', '--root', root, '--modems', GAMMU, '--home', root]);
  t.is(home.code, 2);
  t.regex(home.stderr, /--home is for phones/);
  t.is((await runAgent(['install', '--root', root, '--modems', '1=toaster'])).code, 2);
});

test('systemd finds nothing wrong with the unit, and little that it could reach', async (t) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return t.pass('no systemd-analyze');
  const root = await tempFolder(t);
  for (const modems of [GAMMU, '1=mm', BOTH, '1=gammu:/dev/100%"odd"']) {
    const unit = join(root, 'kashbox-relay.service');
    // The user is not there, and the program must be.
    await writeFile(unit, unitOf(modems, { program: process.execPath }));
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    t.is(verified.stderr.replaceAll(/^.*(modprobe@|ModemManager).*\n/gm, ''), '', modems);
    t.is(verified.status, 0);
    await writeFile(unit, unitOf(modems, { user: 'kashbox-relay' }));
    const judged = execFileSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    });
    const exposure = Number(/exposure level.*: ([\d.]+)/.exec(judged)?.[1]);
    t.true(exposure < 2.5, `${exposure}`);
  }
});

test('a unit is read as it was written, and opens serial devices only', (t) => {
  const odd = '1=gammu:/dev/100%odd,2=mm';
  t.is(modemsInUnit(unitOf(odd)), odd);
  t.is(modemsText(parseModems(modemsInUnit(unitOf(BOTH)) ?? '')), BOTH);
  t.regex(unitOf(GAMMU), /^SupplementaryGroups=dialout\nDevicePolicy=closed\nDeviceAllow=char-ttyUSB rw$/m);
  t.notRegex(unitOf(GAMMU), /ModemManager|PrivateDevices|DeviceAllow=\//);
  t.regex(unitOf('1=gammu:/dev/wwan0at0'), /^DeviceAllow=\/dev\/wwan0at0 rw$/m);
  t.regex(unitOf('1=mm'), /^Wants=ModemManager\.service\nAfter=network\.target ModemManager\.service$/m);
  t.regex(unitOf('1=mm'), /^PrivateDevices=yes$/m);
  const spaced = unitOf(GAMMU, { node: '/opt/no de/$bin/node' });
  t.regex(spaced, /^ExecStart="\/opt\/no de\/\$\$bin\/node" \/usr\/local\/\S+ run --platform modem$/m);
});

test('the udev rule matches the stick by serial number or USB socket, otherwise the port', (t) => {
  const ruleOf = (device: string) => udevRules([device]).split('\n').slice(2, -2);
  t.deepEqual(ruleOf(DEVICE), ['ENV{ID_SERIAL}=="HUAWEI_HUAWEI_Mobile", ENV{ID_MM_DEVICE_IGNORE}="1"']);
  const socket = 'pci-0000:00:14.0-usb-0:1.2';
  for (const name of [`${socket}:1.0-port0`, `${socket.replace('usb', 'usbv2')}:1.0`]) {
    const [load, ignore] = ruleOf(`/dev/serial/by-path/${name}`);
    t.regex(load ?? '', /DEVTYPE}=="usb_device", .*IMPORT\{builtin}="path_id"$/);
    t.is(ignore, `ENV{ID_PATH}=="${socket}|${socket}:*", ENV{ID_MM_DEVICE_IGNORE}="1"`);
  }
  t.deepEqual(ruleOf('/dev/ttyAMA0'), ['SUBSYSTEM=="tty", KERNEL=="ttyAMA0", ENV{ID_MM_PORT_IGNORE}="1"']);
  t.deepEqual(ruleOf('/dev/serial/by-id/usb-A"B*$-if00'), [
    'ENV{ID_SERIAL}=="A?B??", ENV{ID_MM_DEVICE_IGNORE}="1"',
  ]);
  const twice = udevRules([DEVICE, DEVICE.replace('if00', 'if02')]);
  t.is(twice.split('ID_MM_DEVICE_IGNORE').length, 2, 'one line for two ports of a stick');
});

test('udev understands the rules, where it can say so', async (t) => {
  const file = join(await tempFolder(t), '77-kashbox-relay.rules');
  await writeFile(file, udevRules([DEVICE, '/dev/serial/by-path/x-usb-0:1:1.0', '/dev/ttyS0']));
  const verified = spawnSync('udevadm', ['verify', file], { encoding: 'utf8' });
  if (verified.error !== undefined || /Unknown command/i.test(verified.stderr)) return t.pass('it cannot');
  t.is(verified.status, 0, verified.stderr);
});

test('polkit lets the user of the service use modems, and nobody else', (t) => {
  const rules: ((action: { id: string }, subject: { user: string }) => string | undefined)[] = [];
  const polkit = { addRule: (rule: (typeof rules)[number]) => rules.push(rule), Result: { YES: 'yes' } };
  new Function('polkit', polkitRules('kashbox-relay'))(polkit);
  const ask = (id: string, user: string) => rules[0]?.({ id }, { user });
  t.is(ask('org.freedesktop.ModemManager1.Messaging', 'kashbox-relay'), 'yes');
  t.is(ask('org.freedesktop.ModemManager1.Messaging', 'nobody'), undefined);
  t.is(ask('org.freedesktop.systemd1.manage-units', 'kashbox-relay'), undefined);
});

test('the launcher uses the home of the service, and as root becomes its user', async (t) => {
  const { root } = await installed(t, GAMMU);
  const say = 'echo "$KASHBOX_RELAY_HOME $KASHBOX_RELAY_MODEMS"';
  const fakes = await FakePrograms.make(root, { setpriv: say, id: 'echo 0' });
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    execFileSync('sh', [join(root, PATHS.launcher), ...args], {
      env: { PATH: fakes.path, ...env },
      encoding: 'utf8',
    });
  t.is(run(['status', '--json']), `/var/lib/kashbox-relay ${GAMMU}\n`);
  const [, call] = await fakes.called();
  t.regex(call ?? '', /^setpriv --reuid=kashbox-relay --regid=kashbox-relay --init-groups .* status --json$/);
  const own = join(root, 'own');
  t.is(JSON.parse(run(['status', '--json'], { KASHBOX_RELAY_HOME: own })).paired, null);
  t.is(JSON.parse(run(['status', '--json', '--home', own])).paired, null);
  t.regex(run(['doctor', '--help']), /Usage: kashbox-relay doctor/);
  t.is((await fakes.called()).filter((line) => line.startsWith('setpriv')).length, 1);
});

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
  const read = async () => ({
    ...(await loadComputerFacts(parseModems(modems), machine)),
    ...isUsual,
    ...places,
  });
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

test('a missing program and a failing command are reported with a remedy', async (t) => {
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
