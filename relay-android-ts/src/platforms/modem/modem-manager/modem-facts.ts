/** Converts ModemManager's information about a modem to the agent's types. */
import { parsePercent, type Registration, type SimState } from '../../../core/health.js';
import type { ModemState } from '../modem.js';
import {
  getList,
  getText,
  Mmcli,
  type MmcliFailure,
  type MmcliFields,
  part,
  problemOfFailure,
} from './mmcli.js';

/** A modem as ModemManager knows it. */
export interface ModemFacts {
  /** D-Bus object; another one after each plugging in. */
  readonly path: string;
  /** Null if the modem does not report it. */
  readonly imei: string | null;
  /** Maker, name and firmware, for people. */
  readonly model: string | null;
  /** State as ModemManager names it: `disabled`, `registered`, `locked`, `failed` and others. */
  readonly state: string;
  readonly sim: SimState;
  readonly registration: Registration;
  /** Per cent; null before the modem is enabled. */
  readonly signal: number | null;
  readonly number: string | null;
  /** True if ModemManager drives it by AT commands only, not by QMI or MBIM. */
  readonly isAtOnly: boolean;
  readonly problem: string | null;
}

const REGISTRATIONS: Readonly<Record<string, Registration>> = {
  home: 'home',
  'home-sms-only': 'home',
  'home-csfb-not-preferred': 'home',
  roaming: 'roaming',
  'roaming-sms-only': 'roaming',
  'roaming-csfb-not-preferred': 'roaming',
  searching: 'searching',
  denied: 'denied',
  'emergency-only': 'denied',
  'attached-rlos': 'denied',
  idle: 'none',
};
const NOT_YET = new Set(['initializing', 'disabled', 'disabling', 'enabling', 'unknown']);
const NO_STATE = {
  registration: null,
  sim: null,
  signal: null,
  temperature: null,
  number: null,
  model: null,
} as const;

/** @param fields as `mmcli -J -m` prints them. */
export function parseModemFacts(fields: MmcliFields): ModemFacts {
  const modem = part(fields, 'modem');
  const generic = part(modem, 'generic');
  const network = part(modem, '3gpp');
  const state = getText(generic, 'state') ?? 'unknown';
  const lock = getText(generic, 'unlock-required');
  const sim = simOf(generic, state, lock);
  const registration = REGISTRATIONS[getText(network, 'registration-state') ?? ''] ?? 'unknown';
  const names = ['manufacturer', 'model', 'revision'].flatMap((name) => getText(generic, name) ?? []);
  const isOn = !NOT_YET.has(state) && state !== 'locked' && state !== 'failed';
  const value = getText(part(generic, 'signal-quality'), 'value');
  return {
    path: getText(modem, 'dbus-path') ?? '',
    imei: getText(generic, 'equipment-identifier') ?? getText(network, 'imei'),
    model: names.length === 0 ? null : names.join(' '),
    state,
    sim,
    registration,
    signal: isOn && value !== null ? parsePercent(Number(value)) : null,
    number: getList(generic, 'own-numbers')[0] ?? null,
    isAtOnly: !getList(generic, 'ports').some((port) => /\((qmi|mbim)\)/.test(port)),
    problem: problemIn({ state, sim, registration, lock }),
  };
}

export function toModemState(facts: ModemFacts): ModemState {
  const { problem, registration, sim, signal, number, model } = facts;
  return { problem, registration, sim, signal, number, model, temperature: null };
}

/** State of a modem about which nothing is known. */
export function stateWithout(problem: string): ModemState {
  return { problem, ...NO_STATE };
}

/**
 * Lists the modems of ModemManager, in its order.
 * @param path PATH in which mmcli is looked up
 * @returns the modems; if they cannot be listed, an empty list and the problem
 */
export async function listModems(
  path: string | undefined,
  limitMs?: number,
): Promise<{ readonly modems: readonly ModemFacts[]; readonly problem: string | null }> {
  const found = await loadModems(new Mmcli(path, limitMs));
  if ('kind' in found) return { modems: [], problem: problemOfFailure(found) };
  return { modems: found, problem: null };
}

/**
 * The version of ModemManager's command, such as `1.20.4`; null where it is not there. Before 1.24 parts of
 * SMS of different senders can be taken for one SMS.
 */
export async function loadManagerVersion(path: string | undefined): Promise<string | null> {
  const answer = await new Mmcli(path).run(['--version']);
  return answer.kind === 'answered' ? (/^mmcli (\d[\d.]*)/.exec(answer.stdout)?.[1] ?? null) : null;
}

/** Leaves out modems that vanish in the meantime. */
export async function loadModems(mmcli: Mmcli): Promise<readonly ModemFacts[] | MmcliFailure> {
  const list = await mmcli.read(['-L']);
  if (list.kind !== 'answered') return list;
  const modems: ModemFacts[] = [];
  for (const path of getList(list.fields, 'modem-list')) {
    const read = await mmcli.read(['-m', path]);
    if (read.kind === 'answered') modems.push(parseModemFacts(read.fields));
    else if (read.kind !== 'no_modem') return read;
  }
  return modems;
}

function simOf(generic: MmcliFields, state: string, lock: string | null): SimState {
  const reason = getText(generic, 'state-failed-reason');
  if (state === 'failed' && reason === 'sim-missing') return 'absent';
  if (state === 'failed' && reason === 'sim-error') return 'failed';
  // A second PIN is for other things than SMS.
  if (state === 'locked' || (lock !== null && /^(sim-pin|sim-puk|ph-.*)$/.test(lock))) return 'locked';
  return getText(generic, 'sim') === null ? 'unknown' : 'ready';
}

function problemIn(facts: {
  readonly state: string;
  readonly sim: SimState;
  readonly registration: Registration;
  readonly lock: string | null;
}): string | null {
  const { state, sim, registration, lock } = facts;
  if (sim === 'absent') return 'there is no SIM in the modem';
  if (sim === 'failed') return 'the modem cannot read its SIM';
  if (sim === 'locked') return lockProblem(lock);
  if (state === 'failed') return 'ModemManager cannot use this modem';
  if (NOT_YET.has(state)) return 'the modem is not ready yet';
  if (registration === 'denied') return 'the network refuses the SIM';
  const isRegistered = registration === 'home' || registration === 'roaming';
  return isRegistered ? null : 'not registered with the network';
}

function lockProblem(lock: string | null): string {
  if (lock === 'sim-puk') return 'the SIM is locked and wants its PUK: unlock it in a phone';
  if (lock === null || lock === 'sim-pin') return 'the SIM wants its PIN: switch the PIN off in a phone';
  return 'the modem takes only SIMs of another operator';
}
