/** Collects facts about the computer on which the agent is to be installed. Changes nothing. */
import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '../../core/errors.js';
import { loadManagerVersion } from '../../platforms/modem/modem-manager/modem-facts.js';
import { ifExists, readTextIfExists } from '../../ports/node-files.js';
import { findProgram, runProgram, splitPath } from '../../ports/programs.js';
import { type ModemSpec, parseModems, specsHere } from '../modems.js';
import { type ComputerFacts, modemsInUnit, PATHS, SERVICE_USER } from './modem-plan.js';
import { copyOfProgram, ownProgram } from './plan.js';

const BY_ID = '/dev/serial/by-id';
const RUN_LIMIT_MS = 15_000;
/** Hidden from the service, or emptied at some time. */
const PRIVATE_PLACES = /^\/(home|root|tmp|var\/tmp|run)\//;
/** First version that does not join parts of long SMS from different senders. */
const GOOD_MODEM_MANAGER = [1, 24] as const;

/** Target of an installation, and the PATH of its programs. */
export interface Machine {
  /** Folder used as `/`; empty for this computer. */
  readonly root: string;
  /** PATH in which programs are looked up. */
  readonly path: string;
}

/** Programs for root are not on the PATH of everybody. */
export function machineAt(root: string | undefined, path = process.env.PATH): Machine {
  return { root: root ?? '', path: `${path ?? ''}:/usr/sbin:/sbin` };
}

export const programOn = ({ path }: Machine, name: string): string | undefined =>
  findProgram(splitPath(path), name);

/** @returns the modems of an earlier installation; undefined if there is none */
export async function installedModems(root = ''): Promise<readonly ModemSpec[] | undefined> {
  const unit = await readTextIfExists(join('/', root, PATHS.unit));
  const text = unit === undefined ? null : modemsInUnit(unit);
  return text === null ? undefined : parseModems(text);
}

/** The device files of USB modems that are plugged in, by their lasting names. */
export async function serialDevices(): Promise<string[]> {
  return ((await ifExists(readdir(BY_ID))) ?? []).map((name) => join(BY_ID, name));
}

/** @returns the named modems, otherwise the existing installation's, otherwise ModemManager's */
export async function chosenModems(
  named: readonly ModemSpec[] | undefined,
  { root, path }: Machine,
): Promise<readonly ModemSpec[]> {
  const known = named ?? (await installedModems(root));
  if (known !== undefined) return known;
  if (root !== '') throw new RelayError('no_modem', 'No GSM modem is named');
  return specsHere(path).catch(async (error: unknown) => {
    const devices = await serialDevices();
    if (!(error instanceof RelayError) || devices.length === 0) throw error;
    throw new RelayError('no_modem', `${error.message}. Plugged in: ${devices.join(', ')}`);
  });
}

export async function loadComputerFacts(
  modems: readonly ModemSpec[],
  machine: Machine,
): Promise<ComputerFacts> {
  const { root } = machine;
  const isHere = root === '';
  const own = ownProgram();
  const isOneFile = own.kind === 'one_file';
  const passwd = (await readTextIfExists(join('/', root, 'etc/passwd'))) ?? '';
  return {
    node: process.execPath,
    program: isOneFile ? PATHS.program : own.path,
    copy: isOneFile ? await copyOfProgram(PATHS.program, 0o644) : null,
    modems,
    lastingNames: isHere ? await lastingNames(modems) : new Map(),
    hasUser: passwd.split('\n').some((line) => line.startsWith(`${SERVICE_USER}:`)),
    hasSystemd: isHere && existsSync('/run/systemd/system'),
    hasUdev: isHere && programOn(machine, 'udevadm') !== undefined,
    hasModemManager: programOn(machine, 'ModemManager') !== undefined,
    udevNow: (await readTextIfExists(join('/', root, PATHS.udev))) ?? null,
  };
}

async function lastingNames(modems: readonly ModemSpec[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const spec of modems) {
    if (spec.program !== 'gammu' || spec.device.startsWith('/dev/serial/')) continue;
    const target = await ifExists(realpath(spec.device));
    for (const name of await serialDevices()) {
      if (target !== undefined && (await ifExists(realpath(name))) === target) names.set(spec.device, name);
    }
  }
  return names;
}

/** @returns why the agent could not work after installation; null if no reason is known */
export function obstacle({ node, program, modems }: ComputerFacts, machine: Machine): RelayError | null {
  if (programOn(machine, 'systemctl') === undefined) return new RelayError('no_systemd');
  const uses = (name: ModemSpec['program']) => modems.some((spec) => spec.program === name);
  if (uses('gammu') && programOn(machine, 'gammu-smsd') === undefined) return new RelayError('no_gammu');
  if (uses('mm') && programOn(machine, 'mmcli') === undefined) return new RelayError('no_modem_manager');
  const hidden = [node, program].find((path) => PRIVATE_PLACES.test(path));
  if (hidden !== undefined) return new RelayError('out_of_sight', `The service cannot see ${hidden}`);
  return null;
}

/** @returns advice for the user, one item per line */
export async function warnings(facts: ComputerFacts, machine: Machine): Promise<string[]> {
  const told: string[] = [];
  for (const spec of facts.modems) {
    if (spec.program !== 'gammu') continue;
    const lasting = facts.lastingNames.get(spec.device);
    if (lasting !== undefined)
      told.push(`${spec.device} may be another device later; name it ${lasting} instead.`);
    if (!existsSync(spec.device)) told.push(`${spec.device} is not there: is the modem plugged in?`);
  }
  if (await isActive('gammu-smsd.service', machine)) told.push(DEBIAN_GAMMU);
  const usesManager = facts.modems.some(({ program }) => program === 'mm');
  const version = usesManager ? await loadManagerVersion(machine.path) : null;
  if (version !== null && isOldManager(version)) told.push(`ModemManager ${version} ${OLD_MANAGER}`);
  return told;
}

export const STOP_DEBIAN_GAMMU = 'sudo systemctl disable --now gammu-smsd.service';
const DEBIAN_GAMMU =
  "Debian's own service gammu-smsd.service runs, and may take the modem away. The agent runs gammu-smsd " +
  `itself; unless you use that service for something else: ${STOP_DEBIAN_GAMMU}`;
export const OLD_MANAGER =
  'may join parts of SMS from different senders; 1.24 does not. Better here: gammu-smsd, ' +
  '--modems 1=gammu:/dev/serial/by-id/…';

/** @param version such as `1.20.4` */
export function isOldManager(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [goodMajor, goodMinor] = GOOD_MODEM_MANAGER;
  return major < goodMajor || (major === goodMajor && minor < goodMinor);
}

/** The one word that `systemctl is-active`, or another question to it, is answered with; null without it. */
export async function querySystemd(question: string, unit: string, machine: Machine): Promise<string | null> {
  const systemctl = programOn(machine, 'systemctl');
  if (systemctl === undefined) return null;
  const end = await runProgram(systemctl, { args: [question, unit], limitMs: RUN_LIMIT_MS });
  return end.kind === 'ended' ? end.stdout.trim() || null : null;
}

export async function isActive(unit: string, machine: Machine): Promise<boolean> {
  return (await querySystemd('is-active', unit, machine)) === 'active';
}
