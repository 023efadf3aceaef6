/**
 * Findings about one phone: its state changed, its battery is low, it reports a problem, or a problem is
 * over. Pure; src/actions raises the alerts.
 */
import type { AlertKind } from '../alerts/alert.js';
import {
  type DeviceChange,
  type DeviceState,
  deviceChange,
  deviceState,
  OFFLINE_AFTER_MS,
} from './device-state.js';

/** Percent at which an operator is told, and above which it may be told again. */
const LOW = 20;
const FULL_ENOUGH = 25;

/** Phones whose silence says something: forwarder apps and scripts call only when an SMS has come. */
const WITH_HEARTBEAT: readonly string[] = ['relay', 'app'];

/** Alerts that end when a phone is revoked. Gaps belong to the wallet and stay open. */
export const OVER_WITH_IT: readonly AlertKind[] = ['device.offline', 'device.battery_low', 'device.trouble'];

export interface WatchedPhone {
  readonly isRevoked: boolean;
  readonly agent: string;
  /** Milliseconds since the epoch; null if never. */
  readonly lastSeenAt: number | null;
  readonly battery: number | null;
  readonly charging: boolean | null;
  /** Its problem, as reported by the phone; null if there is none. */
  readonly trouble: string | null;
  /** The state that was last noted; empty before the first look. */
  readonly notedState: string;
  /** Its open alerts. */
  readonly openAlerts: readonly AlertKind[];
}

export interface Findings {
  /** Where its state is another than what was noted. */
  readonly move: { readonly to: DeviceState; readonly news: DeviceChange } | null;
  /** Whether that change raises an alert. */
  readonly isTold: boolean;
  readonly battery: 'low' | 'well_again' | 'as_before';
  readonly trouble: 'new' | 'over' | 'as_before';
  /** It is revoked, and there are alerts that are over with it. */
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
  const isHeard = to === 'ONLINE' || to === 'LATE';
  const move = to === notedState || isEarly ? null : { to, news: deviceChange(notedState, to) };
  return {
    move,
    isTold: WITH_HEARTBEAT.includes(phone.agent),
    battery: isHeard ? judgeBattery(phone) : 'as_before',
    trouble: isHeard ? judgeProblem(phone) : 'as_before',
    isOver: isRevoked && openAlerts.some((kind) => OVER_WITH_IT.includes(kind)),
  };
}

/** Nothing changes between the two limits, so that a battery at the limit causes one alert. */
function judgeBattery({ agent, battery, charging, openAlerts }: WatchedPhone): Findings['battery'] {
  const isLow = openAlerts.includes('device.battery_low');
  if (battery === null || !WITH_HEARTBEAT.includes(agent)) return 'as_before';
  if (isLow) return charging === true || battery > FULL_ENOUGH ? 'well_again' : 'as_before';
  return battery <= LOW && charging !== true ? 'low' : 'as_before';
}

/** A changed text is not a new problem. */
function judgeProblem({ trouble, openAlerts }: WatchedPhone): Findings['trouble'] {
  const isTold = openAlerts.includes('device.trouble');
  if (isTold) return trouble === null ? 'over' : 'as_before';
  return trouble === null ? 'as_before' : 'new';
}
