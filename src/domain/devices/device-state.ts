/**
 * State of a relay phone, derived from the time of its last call, and the changes that an operator is alerted
 * to: its state changed, its battery is low, it reports a problem, or a problem is resolved. Pure;
 * src/actions raises the alerts.
 */
import type { AlertKind } from '../alerts/alert.js';

export type DeviceState = 'ONLINE' | 'STALE' | 'OFFLINE' | 'REVOKED';

const MINUTE = 60_000;
const ONLINE_MS = 3 * MINUTE;
/** Silence in milliseconds after which a phone is taken for lost. */
export const OFFLINE_AFTER_MS = 15 * MINUTE;

/** Largest first: name, abbreviation, length in minutes. A month has 30 days and a year 365. */
const UNITS = [
  ['year', 'y', 365 * 1_440],
  ['month', 'mo', 30 * 1_440],
  ['week', 'w', 7 * 1_440],
  ['day', 'd', 1_440],
  ['hour', 'h', 60],
  ['minute', 'm', 1],
] as const;

/** @param lastSeenAt milliseconds since the epoch, null if never. */
export function deviceState(revoked: boolean, lastSeenAt: number | null, now: number): DeviceState {
  if (revoked) return 'REVOKED';
  if (lastSeenAt === null) return 'OFFLINE';
  const silent = now - lastSeenAt;
  if (silent < ONLINE_MS) return 'ONLINE';
  return silent < OFFLINE_AFTER_MS ? 'STALE' : 'OFFLINE';
}

/** Change that is reported to an operator: the SMS of a phone stop, or come again. */
type DeviceChange = 'offline' | 'online' | 'none';

/**
 * @param before the last recorded state; empty before the first check, which reports no change.
 * @param now a revoked phone is not reported either: the person who revoked it knows.
 */
export function deviceChange(before: string, now: DeviceState): DeviceChange {
  switch (now) {
    case 'ONLINE':
    case 'STALE':
      return before === 'OFFLINE' ? 'online' : 'none';
    case 'OFFLINE':
      return before === 'ONLINE' || before === 'STALE' ? 'offline' : 'none';
    case 'REVOKED':
      return 'none';
    default:
      return now satisfies never;
  }
}

/** Formats the time since then: `now` under a minute, else rounded down: `5m` `2h` `3d` `1w` `2mo` `1y`. */
export function lastActive(lastSeenAt: number, now: number): string {
  const minutes = Math.floor((now - lastSeenAt) / MINUTE);
  const unit = UNITS.find(([, , size]) => minutes >= size);
  return unit === undefined ? 'now' : `${Math.floor(minutes / unit[2])}${unit[1]}`;
}

/**
 * Formats the time since a phone's last call; empty while it is online. Counts from the enrolment if the
 * phone has never called.
 */
export function formatDowntime(
  state: DeviceState,
  { lastSeenAt, enrolledAt }: { readonly lastSeenAt: number | null; readonly enrolledAt: number },
  now: number,
): string {
  return state === 'ONLINE' ? '' : durationText(now - (lastSeenAt ?? enrolledAt));
}

/**
 * Formats a duration with the largest unit that fits and, if it is not zero, the next smaller unit: `3
 * minutes`, `2 hours 5 minutes`, `1 month`, `1 year 2 months`.
 * @param ms less than a minute, and negative values after a clock was set back, return `less than a minute`.
 */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  const at = UNITS.findIndex(([, , size]) => minutes >= size);
  if (at === -1) return 'less than a minute';
  let rest = minutes;
  const words: string[] = [];
  for (const [unit, , size] of UNITS.slice(at, at + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return words.join(' ');
}

/** Battery percentage that raises an alert, and the level above which it can be raised again. */
const LOW = 20;
const FULL_ENOUGH = 25;

/** Kinds whose silence is a problem. Forwarder apps and scripts call only when an SMS arrives. */
const WITH_HEARTBEAT: readonly string[] = ['relay', 'app'];

/**
 * True if a phone that is not revoked can report money now, as far as is known: it is online, or it calls
 * only when an SMS arrives.
 * @param lastSeenAt milliseconds since the epoch, null if never.
 */
export function canReport(agent: string, lastSeenAt: number | null, now: number): boolean {
  if (lastSeenAt !== null && !WITH_HEARTBEAT.includes(agent)) return true;
  return deviceState(false, lastSeenAt, now) === 'ONLINE';
}

/** Alerts that end when a phone is revoked. Gaps belong to the wallet and stay open. */
export const ALERTS_CLOSED_ON_REVOKE: readonly AlertKind[] = [
  'device.offline',
  'device.battery_low',
  'device.problem',
];

export interface WatchedPhone {
  readonly isRevoked: boolean;
  readonly agent: string;
  /** Milliseconds since the epoch; null if never. */
  readonly lastSeenAt: number | null;
  readonly battery: number | null;
  readonly charging: boolean | null;
  /** Problem that the phone reports; null if there is none. */
  readonly problem: string | null;
  /** Last recorded state; empty before the first check. */
  readonly notedState: string;
  readonly openAlerts: readonly AlertKind[];
}

export interface Findings {
  /** Change from the recorded state; null if there is none. */
  readonly move: { readonly to: DeviceState; readonly news: DeviceChange } | null;
  /** True if the change raises an alert. */
  readonly isTold: boolean;
  readonly battery: 'low' | 'well_again' | 'as_before';
  readonly problem: 'new' | 'over' | 'as_before';
  /** True if the phone is revoked and has open alerts that end with it. */
  readonly isOver: boolean;
}

/**
 * @param listeningSince since when this process could receive calls. A restarted daemon does not count its
 *   own absence as a phone's silence.
 */
export function inspectDevice(phone: WatchedPhone, now: number, listeningSince: number): Findings {
  const { isRevoked, lastSeenAt, notedState, openAlerts } = phone;
  const to = deviceState(isRevoked, lastSeenAt, now);
  const isEarly = to === 'OFFLINE' && notedState !== '' && now - listeningSince < OFFLINE_AFTER_MS;
  const isHeard = to === 'ONLINE' || to === 'STALE';
  const move = to === notedState || isEarly ? null : { to, news: deviceChange(notedState, to) };
  return {
    move,
    isTold: WITH_HEARTBEAT.includes(phone.agent),
    battery: isHeard ? judgeBattery(phone) : 'as_before',
    problem: isHeard ? judgeProblem(phone) : 'as_before',
    isOver: isRevoked && openAlerts.some((kind) => ALERTS_CLOSED_ON_REVOKE.includes(kind)),
  };
}

/** Changes nothing between the two limits, so that a battery level at the limit causes only one alert. */
function judgeBattery({ agent, battery, charging, openAlerts }: WatchedPhone): Findings['battery'] {
  const isLow = openAlerts.includes('device.battery_low');
  if (battery === null || !WITH_HEARTBEAT.includes(agent)) return 'as_before';
  if (isLow) return charging === true || battery > FULL_ENOUGH ? 'well_again' : 'as_before';
  return battery <= LOW && charging !== true ? 'low' : 'as_before';
}

/** A changed text is not a new problem. */
function judgeProblem({ problem, openAlerts }: WatchedPhone): Findings['problem'] {
  const isTold = openAlerts.includes('device.problem');
  if (isTold) return problem === null ? 'over' : 'as_before';
  return problem === null ? 'as_before' : 'new';
}
