/** Checks one modem: its device file, other programs that use it, and the state of its SIM. */

import type { Stats } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SimReading } from '../../core/health.js';
import { getList, Mmcli, part } from '../../platforms/modem/modem-manager/mmcli.js';
import { listModems, type ModemFacts } from '../../platforms/modem/modem-manager/modem-facts.js';
import { ifExists, readTextIfExists } from '../../ports/node-files.js';
import { type DeviceHolder, findDeviceHolders, runProgram } from '../../ports/programs.js';
import { type Machine, programOn, STOP_DEBIAN_GAMMU, serialDevices } from '../install/computer.js';
import { PATHS, udevLines } from '../install/modem-plan.js';
import type { ModemSpec } from '../modems.js';
import { type DoctorCheck, fail, ok, warn } from './check.js';

const INSTALL = 'sudo kashbox-relay install --modem';
const WEAK_SIGNAL = 10;
const UDEV_LIMIT_MS = 5_000;

interface ModemCheckPorts {
  readonly machine: Machine;
  /** The user under which the agent runs. */
  readonly user: User;
  /** Process of the agent; null if none runs. */
  readonly agent: number | null;
}

export async function checkModem(spec: ModemSpec, ports: ModemCheckPorts): Promise<DoctorCheck[]> {
  if (spec.program === 'mm') return [await checkManaged(spec.slot, spec.imei, ports.machine)];
  const { slot, device } = spec;
  const name = `modem ${slot}`;
  const facts = await ifExists(stat(device));
  if (facts === undefined) return [await missing(name, device)];
  if (!facts.isCharacterDevice())
    return [
      fail(
        name,
        `${device} is no serial device`,
        `Name another one: ${INSTALL} --modems ${slot}=gammu:/dev/…`,
      ),
    ];
  return [
    ok(name, `${device} is there (${basename(await realpath(device))})`),
    await accessCheck(`modem ${slot} access`, facts, ports.user),
    useCheck(`modem ${slot} use`, await findDeviceHolders(device, ports.agent), ports.agent),
    ...(await managerCheck(`modem ${slot} and ModemManager`, device, ports.machine)),
  ];
}

async function missing(name: string, device: string): Promise<DoctorCheck> {
  const there = await serialDevices();
  const list = there.length === 0 ? 'no serial device' : there.join(', ');
  return fail(
    name,
    `${device} is not there`,
    `Is the modem plugged in, and does it get enough power? Plugged in now: ${list}. If its name is another one: ` +
      `${INSTALL} --modems …`,
  );
}

async function accessCheck(
  name: string,
  facts: Parameters<typeof mayOpen>[1],
  user: User,
): Promise<DoctorCheck> {
  if (mayOpen(user, facts)) return ok(name, `the user ${user.name} may open it`);
  const group = await groupName(facts.gid);
  const remedy = `sudo usermod --append --groups ${group} ${user.name}; then: sudo systemctl restart kashbox-relay`;
  return fail(name, `the user ${user.name} may not open it: it belongs to the group ${group}`, remedy);
}

function useCheck(name: string, holders: readonly DeviceHolder[], agent: number | null): DoctorCheck {
  const [first] = holders;
  if (first !== undefined) {
    const all = holders.map((one) => `${one.name} (process ${one.pid})`).join(', ');
    return fail(name, `another program uses it: ${all}`, remedyFor(first.name));
  }
  if (process.getuid?.() !== 0)
    return warn(name, 'only root sees which other program uses it', 'Run: sudo kashbox-relay doctor');
  return ok(name, agent === null ? 'no program uses it' : 'no other program than the agent uses it');
}

function remedyFor(program: string): string {
  if (program === 'gammu-smsd') return STOP_DEBIAN_GAMMU;
  if (program === 'ModemManager') return `${INSTALL}, which keeps ModemManager from it`;
  return 'Stop that program, or plug in another modem for it: two cannot share one.';
}

/** @returns an empty list if ModemManager does not run */
async function managerCheck(name: string, device: string, machine: Machine): Promise<DoctorCheck[]> {
  const mmcli = new Mmcli(machine.path);
  const list = await mmcli.read(['-L']);
  if (list.kind !== 'answered') return [];
  const port = basename(await realpath(device));
  for (const path of getList(list.fields, 'modem-list')) {
    const read = await mmcli.read(['-m', path]);
    const ports = read.kind === 'answered' ? portsIn(read.fields) : [];
    if (ports.some((one) => one.startsWith(`${port} `) && !one.includes('(ignored)')))
      return [fail(name, 'ModemManager uses it, too', `Run again: ${INSTALL}`)];
  }
  return [await ruleCheck(name, device, machine)];
}

const portsIn = (fields: Parameters<typeof part>[0]) =>
  getList(part(part(fields, 'modem'), 'generic'), 'ports');

/** Queries udev if it is installed, otherwise searches the rules file. */
async function ruleCheck(name: string, device: string, machine: Machine): Promise<DoctorCheck> {
  const udevadm = programOn(machine, 'udevadm');
  const args = ['info', '--query=property', `--name=${device}`];
  const end = udevadm === undefined ? null : await runProgram(udevadm, { args, limitMs: UDEV_LIMIT_MS });
  const isTold = end?.kind === 'ended' && /^ID_MM_(DEVICE|PORT)_IGNORE=1$/m.test(end.stdout);
  const rules = (await readTextIfExists(join('/', machine.root, PATHS.udev)).catch(() => undefined)) ?? '';
  const lines = udevLines(device);
  const isWritten = lines.every((line) => rules.includes(line));
  if (isTold || (isWritten && end === null)) return ok(name, 'ModemManager leaves it alone');
  if (isWritten)
    return warn(
      name,
      'the rule for ModemManager is not in effect yet',
      'Pull the modem out and plug it in again.',
    );
  return warn(
    name,
    'ModemManager runs, and nothing keeps it from this modem',
    `Run: ${INSTALL}; or write into ${PATHS.udev}: ${lines.join(' and ')}`,
  );
}

/** A modem that ModemManager has. */
async function checkManaged(slot: number, imei: string | null, { path }: Machine): Promise<DoctorCheck> {
  const name = `modem ${slot}`;
  const { modems, problem } = await listModems(path);
  if (problem !== null) return fail(name, problem, 'See: systemctl status ModemManager');
  const [first, ...more] = modems;
  if (imei === null && more.length > 0)
    return fail(
      name,
      'ModemManager knows several modems',
      `${nameAnother(slot)} It knows: ${imeisOf(modems)}.`,
    );
  const found = imei === null ? first : modems.find((one) => one.imei === imei);
  if (found === undefined) {
    const which = imei === null ? 'no modem' : `no modem with the IMEI ${imei}`;
    const remedy = `Is it plugged in? It knows: ${imeisOf(modems)}. ${nameAnother(slot)}`;
    return fail(name, `ModemManager knows ${which}`, remedy);
  }
  if (found.problem !== null) return fail(name, found.problem, simRemedy(found.problem));
  return ok(name, `${found.model ?? 'a modem'}, ${describeSim({ ...found, state: found.sim })}`);
}

const nameAnother = (slot: number) => `To name one: ${INSTALL} --modems ${slot}=mm:IMEI`;

function imeisOf(modems: readonly ModemFacts[]): string {
  return modems.map(({ imei }) => imei ?? 'one that does not tell its IMEI').join(', ') || 'none';
}

/** @param reading last reading that the running agent reported; undefined if there is none */
export function checkSim(slot: number, reading: SimReading | undefined): DoctorCheck {
  const name = `SIM ${slot}`;
  if (reading === undefined)
    return warn(name, 'the agent has told nothing of it', 'See whether the agent runs, and wait a minute.');
  const problem = problemOf(reading);
  if (problem !== null) return fail(name, problem, simRemedy(problem));
  const { signal } = reading;
  const told = describeSim(reading);
  if (typeof signal === 'number' && signal < WEAK_SIGNAL)
    return warn(name, told, 'Put the modem nearer to a window, on a longer USB cable, or use an antenna.');
  const isRegistered = reading.registration === 'home' || reading.registration === 'roaming';
  if (!isRegistered) return warn(name, told, 'Wait a minute, then look again.');
  return ok(name, told);
}

function problemOf({ state, registration }: SimReading): string | null {
  if (state === 'absent') return 'there is no SIM in the modem';
  if (state === 'locked') return 'the SIM wants its PIN';
  if (state === 'failed') return 'the modem cannot read its SIM';
  if (registration === 'denied') return 'the network refuses the SIM';
  const isSearching = registration === 'searching' || registration === 'none';
  return isSearching ? 'not registered with the network' : null;
}

function simRemedy(problem: string): string {
  if (/PIN|PUK/.test(problem)) return 'Put the SIM into a phone, unlock it there and switch its PIN off.';
  if (/no SIM|read its SIM/.test(problem))
    return 'Push the SIM in again, the right way round; try it in a phone.';
  if (/refuses/.test(problem)) return 'Try the SIM in a phone: is it active, registered and recharged?';
  if (/another operator/.test(problem)) return 'The modem is locked to an operator: use an unlocked one.';
  return 'Is there an antenna or a better place? Does the modem speak 2G or 4G of this operator? Try the SIM in a phone.';
}

function describeSim({ state, registration, signal }: Omit<SimReading, 'slot' | 'number'>): string {
  const network = registration === 'roaming' ? 'registered, roaming' : 'registered';
  const isRegistered = registration === 'home' || registration === 'roaming';
  return [
    state === 'ready' ? 'SIM ready' : 'the SIM tells nothing',
    isRegistered ? network : 'whether it is registered is not known',
    typeof signal === 'number' ? `signal ${signal} %` : 'signal not known',
  ].join(', ');
}

const LIMIT_MS = 5_000;

interface User {
  readonly name: string;
  readonly uid: number;
  readonly groups: readonly number[];
}

export async function userNamed(name: string, machine: Machine): Promise<User | null> {
  const [uid] = await idsOf(['-u', name], machine);
  return uid === undefined ? null : { name, uid, groups: await idsOf(['-G', name], machine) };
}

/** The user of this process. */
export function userHere(): User {
  const uid = process.getuid?.() ?? 0;
  const name = uid === 0 ? 'root' : (process.env.USER ?? String(uid));
  return { name, uid, groups: process.getgroups?.() ?? [] };
}

async function idsOf(args: readonly string[], machine: Machine): Promise<number[]> {
  const end = await runProgram(programOn(machine, 'id') ?? 'id', { args, limitMs: LIMIT_MS });
  if (end.kind !== 'ended' || end.code !== 0) return [];
  return end.stdout.trim().split(/\s+/).map(Number);
}

/** True if the user may read and write the device file, judged by owner, group and mode only. */
export function mayOpen({ uid, groups }: User, { uid: owner, gid, mode }: Stats): boolean {
  if (uid === 0) return true;
  const bits = uid === owner ? 0o600 : groups.includes(gid) ? 0o060 : 0o006;
  return (mode & bits) === bits;
}

/** The name of a group, or its number where it has none. */
async function groupName(gid: number): Promise<string> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((one) => one.split(':')[2] === String(gid));
  return line?.split(':')[0] ?? String(gid);
}
