/** The doctor on a computer with modems: the real agent and gammu-smsd at a modem that the test plays. */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { DoctorCheck } from '../../src/cli/doctor/check.js';
import { examineComputer } from '../../src/cli/doctor/doctor-computer.js';
import { checkSim, mayOpen } from '../../src/cli/doctor/doctor-modem.js';
import { isOldManager } from '../../src/cli/install/computer.js';
import { PATHS, udevRules } from '../../src/cli/install/modem-plan.js';
import { parseModems } from '../../src/cli/modems.js';
import { Home } from '../../src/ports/node-home.js';
import { AgentProcess, pairedHome, runAgent, tempFolder, until } from '../helpers/agent.js';
import { hasGammu } from '../helpers/modem/gammu-setup.js';
import { ScriptedModem } from '../helpers/modem/scripted-modem.js';
import { FakePrograms } from '../helpers/programs.js';
import { TestServer } from '../helpers/server.js';

const brief = ({ name, state }: DoctorCheck) => `${state} ${name}`;
const named = (checks: readonly DoctorCheck[], name: string) => checks.find((one) => one.name === name);

async function modemAgent(t: ExecutionContext) {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const device = join(dirname(home), 'tty');
  const modem = await ScriptedModem.open(device);
  t.teardown(() => modem.close());
  const args = ['--modems', `1=gammu:${device}`, '--home', home];
  const agent = new AgentProcess(t, ['run', ...args]);
  await until('the modem works', () => agent.stderr.includes('the modem works'), 120_000);
  return { server, modem, agent, args };
}

test('with the agent at work the doctor finds the modem well, and follows an SMS of the modem to the server', async (t) => {
  if (!hasGammu()) return t.pass('gammu-smsd or socat is not installed');
  const { server, modem, agent, args } = await modemAgent(t);
  await until('the SIM is told', () =>
    server.syncs.some(({ health }) => JSON.stringify(health).includes('"home"')),
  );
  const doctor = new AgentProcess(t, ['doctor', ...args]);
  await until('it asks', () => doctor.stderr.includes('Now send an SMS to a SIM in these modems'));
  modem.deliver({ from: 'bKash', text: 'You have received Tk 500.00' });
  const { code } = await doctor.ended;
  // The pseudo-terminal is held open by this process; nothing else is wrong.
  t.is(code, 4);
  const wrong = doctor.stdout.match(/^✗ .*$/gm) ?? [];
  t.is(wrong.length, 1, doctor.stdout);
  t.regex(wrong[0] ?? '', new RegExp(`^✗ modem 1 use: .*\\(process ${process.pid}\\)`));
  for (const line of [
    /^✓ gammu-smsd: version 1\./m,
    /^✓ modem 1: \/.*\/tty is there/m,
    /^✓ modem 1 access: the user \S+ may open it$/m,
    /^✓ SIM 1: SIM ready, registered, signal \d+ %$/m,
    /^! service: not installed/m,
    /^✓ server: reachable, trusted, and knows this computer$/m,
    /^✓ self-test: the SMS came and the server has stored it, after \d+ s$/m,
  ])
    t.regex(doctor.stdout, line);
  t.notRegex(doctor.stdout.replace('Counter phone', ''), /phone/);
  t.is(server.stored.size, 1);
  t.is(await agent.kill('SIGTERM'), 0);
});

test('reports a SIM without network and a program that uses the modem, with exit code 4', async (t) => {
  if (!hasGammu()) return t.pass('gammu-smsd or socat is not installed');
  const { modem, agent, args } = await modemAgent(t);
  modem.registration = 3;
  const [, , , home = ''] = args;
  await until('the agent knows', async () => {
    const { sims } = await new Home(home).readState();
    return sims?.readings[0]?.registration === 'denied';
  });
  const device = (args[1] ?? '').replace('1=gammu:', '');
  const thief = spawn('sleep', ['600'], {
    stdio: [openSync(device, 'r+'), 'ignore', 'ignore'],
  });
  t.teardown(() => thief.kill('SIGKILL'));
  const { code, stdout } = await runAgent(['doctor', '--no-sms', '--json', ...args]);
  t.is(code, 4);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: DoctorCheck[] };
  t.false(ok);
  t.is(named(checks, 'SIM 1')?.message, 'the network refuses the SIM');
  t.regex(named(checks, 'SIM 1')?.remedy ?? '', /Try the SIM in a phone/);
  t.true(named(checks, 'modem 1 use')?.message.includes(`sleep (process ${thief.pid})`));
  t.is(named(checks, 'self-test'), undefined);
  await agent.kill('SIGTERM');
});

async function computer(t: ExecutionContext, modems: string, scripts: Readonly<Record<string, string>> = {}) {
  const root = await tempFolder(t);
  const all = {
    systemctl: 'echo inactive',
    id: 'echo 990',
    'gammu-smsd': 'echo "Gammu-smsd version 1.42.0"',
  };
  const fakes = await FakePrograms.make(join(root, 'fakes'), { ...all, ...scripts });
  const machine = { root, path: join(root, 'fakes/bin') };
  const examine = async () => {
    const checks: DoctorCheck[] = [];
    for await (const check of examineComputer(parseModems(modems), new Home(join(root, 'home')), machine))
      checks.push(check);
    return checks;
  };
  return { root, fakes, examine };
}

test('missing programs and unusable devices are reported with a remedy', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'file'), '');
  const modems = `1=gammu:${folder}/none,2=gammu:${folder}/file,3=mm`;
  const { fakes, examine } = await computer(t, modems);
  await fakes.put('gammu-smsd', 'echo "no library" >&2; exit 127');
  const checks = await examine();
  t.is(named(checks, 'gammu-smsd')?.message, 'does not work (no library)');
  t.is(named(checks, 'ModemManager')?.remedy, 'Run: sudo apt install modemmanager');
  t.is(named(checks, 'modem 1')?.message, `${folder}/none is not there`);
  t.is(named(checks, 'modem 2')?.message, `${folder}/file is no serial device`);
  t.is(named(checks, 'modem 3')?.state, 'fail');
  t.is(named(checks, 'SIM 1')?.state, 'warn', 'no agent tells of it');
  t.is(named(checks, 'pairing')?.message, 'this computer is not paired');
  t.regex(named(checks, 'pairing')?.remedy ?? '', /sudo kashbox-relay pair 'kashbox:/);
});

const MM = (modem: object) => `case "$*" in
--version) echo "mmcli 1.20.4" ;;
*-L*) echo '{"modem-list":["/org/freedesktop/ModemManager1/Modem/0"]}' ;;
*) echo '${JSON.stringify({ modem })}' ;;
esac`;
const GENERIC = {
  'equipment-identifier': '356938035643809',
  state: 'registered',
  sim: '/sim',
  model: 'E3531',
};

test('a gammu modem that ModemManager uses or could use is reported with the udev rule', async (t) => {
  const device = '/dev/null';
  const { root, fakes, examine } = await computer(t, `1=gammu:${device}`, {
    mmcli: MM({ generic: { ...GENERIC, ports: ['null (at)'] } }),
  });
  const about = async () => named(await examine(), 'modem 1 and ModemManager');
  t.is((await about())?.message, 'ModemManager uses it, too');
  await fakes.put('mmcli', MM({ generic: { ...GENERIC, ports: ['ttyUSB7 (at)', 'null (ignored)'] } }));
  t.regex((await about())?.remedy ?? '', /77-kashbox-relay\.rules: SUBSYSTEM=="tty", KERNEL=="null"/);
  await mkdir(join(root, dirname(PATHS.udev)), { recursive: true });
  await writeFile(join(root, PATHS.udev), udevRules([device]));
  t.is((await about())?.state, 'ok');
  await fakes.put('udevadm', 'echo DEVNAME=/dev/null');
  t.regex((await about())?.message ?? '', /not in effect yet/);
  await fakes.put('udevadm', 'echo ID_MM_PORT_IGNORE=1');
  t.is((await about())?.state, 'ok');
  await fakes.put('mmcli', 'echo "error: couldn\'t find the ModemManager process in the bus" >&2; exit 1');
  t.is(await about(), undefined);
});

test('a modem of ModemManager is known by its IMEI, and its old version is a warning', async (t) => {
  const network = { 'registration-state': 'home' };
  const { fakes, examine } = await computer(t, '1=mm:356938035643809,2=mm:111111111111111', {
    mmcli: MM({ generic: GENERIC, '3gpp': network }),
  });
  const checks = await examine();
  t.is(named(checks, 'ModemManager')?.state, 'warn');
  t.regex(named(checks, 'ModemManager')?.message ?? '', /^version 1\.20\.4 may join parts of SMS/);
  t.is(named(checks, 'modem 1')?.message, 'E3531, SIM ready, registered, signal not known');
  t.is(named(checks, 'modem 2')?.message, 'ModemManager knows no modem with the IMEI 111111111111111');
  t.regex(named(checks, 'modem 2')?.remedy ?? '', /It knows: 356938035643809/);
  await fakes.put('mmcli', MM({ generic: { ...GENERIC, state: 'locked', 'unlock-required': 'sim-pin' } }));
  t.regex(named(await examine(), 'modem 1')?.remedy ?? '', /switch its PIN off/);
  t.deepEqual(['1.20.4', '1.23.9', '1.24.0', '2.0'].map(isOldManager), [true, true, false, false]);
});

test('the service is checked where it is installed: its files, its run, its start, its user', async (t) => {
  const modems = '1=gammu:/dev/null';
  const { root, fakes, examine } = await computer(t, modems);
  const install = ['install', '--root', root, '--modems', modems];
  t.is((await runAgent(install)).code, 0);
  const about = async () =>
    (await examine()).filter(({ name }) => /service|start|access/.test(name)).map(brief);
  const states = (...all: string[]) => all.map((one) => one.replace('=', ' '));
  t.deepEqual(
    await about(),
    states('ok=modem 1 access', 'ok=files of the service', 'fail=service', 'fail=start with the computer'),
  );
  await fakes.put('systemctl', '[ "$1" = is-enabled ] && echo enabled || echo active');
  await writeFile(join(root, PATHS.udev), '# changed\n');
  t.deepEqual(
    await about(),
    states(
      'ok=modem 1 access',
      'warn=files of the service',
      'ok=service',
      'ok=start with the computer',
      'warn=gammu-smsd.service',
    ),
  );
  await fakes.put('id', 'exit 1');
  t.is(named(await examine(), 'user')?.message, 'the user kashbox-relay is not there');
});

test('a device opens for its owner, its group and others as its mode says', async (t) => {
  const file = join(await tempFolder(t), 'file');
  await writeFile(file, '');
  const of = async (mode: number, user: { uid: number; groups: number[] }) => {
    await chmod(file, mode);
    const facts = Object.assign(await stat(file), { uid: 7, gid: 20 });
    return mayOpen({ name: 'x', ...user }, facts);
  };
  t.true(await of(0o660, { uid: 990, groups: [990, 20] }));
  t.false(await of(0o660, { uid: 990, groups: [990] }));
  t.false(await of(0o640, { uid: 990, groups: [20] }));
  t.true(await of(0o606, { uid: 990, groups: [990] }));
  t.true(await of(0o600, { uid: 7, groups: [] }));
  t.true(await of(0o000, { uid: 0, groups: [] }));
});

test('the SIM state reported by the agent is rated, with a remedy', (t) => {
  const reading = { slot: 1, number: null, signal: 61, registration: 'home', state: 'ready' } as const;
  const about = (change: object) => brief(checkSim(1, { ...reading, ...change }));
  t.is(checkSim(1, reading).message, 'SIM ready, registered, signal 61 %');
  t.is(brief(checkSim(1, undefined)), 'warn SIM 1');
  t.is(about({ signal: 5 }), 'warn SIM 1');
  t.is(about({ registration: null }), 'warn SIM 1');
  t.is(about({ signal: null }), 'ok SIM 1');
  for (const [change, remedy] of [
    [{ state: 'locked' }, /switch its PIN off/],
    [{ state: 'absent' }, /Push the SIM in again/],
    [{ registration: 'denied' }, /active, registered and recharged/],
    [{ registration: 'searching' }, /speak 2G or 4G/],
  ] as const) {
    const check = checkSim(1, { ...reading, ...change });
    t.is(check.state, 'fail');
    t.regex(check.remedy ?? '', remedy);
  }
});
