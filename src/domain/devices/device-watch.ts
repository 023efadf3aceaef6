/**
 * What the watch finds at one phone: its state has moved, its battery runs down, it says that something is
 * wrong, or what was wrong is over. Pure; who looks, and how it is told, is the business of src/actions.
 */
import type { AlertKind } from '../alerts/alert.js';
import {
  type DeviceNews,
  type DeviceState,
  deviceNews,
  deviceState,
  OFFLINE_AFTER_MS,
} from './device-state.js';

/** Percent at which an operator is told, and above which it may be told again. */
const LOW = 20;
const FULL_ENOUGH = 25;

/** Phones whose silence says something: forwarder apps and scripts call only when an SMS has come. */
const WITH_HEARTBEAT: readonly string[] = ['relay', 'app'];

/** What troubles nobody any more once a phone is revoked. A gap is the wallet's, whose money is missing. */
export const OVER_WITH_IT: readonly AlertKind[] = ['device.offline', 'device.battery_low', 'device.trouble'];

export interface WatchedPhone {
  readonly isRevoked: boolean;
  readonly agent: string;
  /** Milliseconds since the epoch; null if never. */
  readonly lastSeenAt: number | null;
  readonly battery: number | null;
  readonly charging: boolean | null;
  /** What keeps it from its work, in its own words; null while nothing does. */
  readonly trouble: string | null;
  /** The state that was last noted; empty before the first look. */
  readonly notedState: string;
  /** What it is in trouble with already. */
  readonly troubles: readonly AlertKind[];
}

export interface Findings {
  /** Where its state is another than what was noted. */
  readonly move: { readonly to: DeviceState; readonly news: DeviceNews } | null;
  /** Whether somebody is told of that move. */
  readonly isTold: boolean;
  readonly battery: 'low' | 'well_again' | 'as_before';
  readonly trouble: 'new' | 'over' | 'as_before';
  /** It is revoked, and there are alerts that are over with it. */
  readonly isOver: boolean;
}

/**
 * @param listeningSince since when this process could have heard of it. A daemon that has just been started
 *   blames no phone for its own absence.
 */
export function lookAt(phone: WatchedPhone, now: number, listeningSince: number): Findings {
  const { isRevoked, lastSeenAt, notedState, troubles } = phone;
  const to = deviceState(isRevoked, lastSeenAt, now);
  const isEarly = to === 'OFFLINE' && notedState !== '' && now - listeningSince < OFFLINE_AFTER_MS;
  const isHeard = to === 'ONLINE' || to === 'LATE';
  const move = to === notedState || isEarly ? null : { to, news: deviceNews(notedState, to) };
  return {
    move,
    isTold: WITH_HEARTBEAT.includes(phone.agent),
    battery: isHeard ? judgeBattery(phone) : 'as_before',
    trouble: isHeard ? judgeTrouble(phone) : 'as_before',
    isOver: isRevoked && troubles.some((kind) => OVER_WITH_IT.includes(kind)),
  };
}

/** Between the two limits nothing changes, so that a battery at the edge is told of once. */
function judgeBattery({ agent, battery, charging, troubles }: WatchedPhone): Findings['battery'] {
  const isLow = troubles.includes('device.battery_low');
  if (battery === null || !WITH_HEARTBEAT.includes(agent)) return 'as_before';
  if (isLow) return charging === true || battery > FULL_ENOUGH ? 'well_again' : 'as_before';
  return battery <= LOW && charging !== true ? 'low' : 'as_before';
}

/** Other words for it, while it lasts, are no other trouble. */
function judgeTrouble({ trouble, troubles }: WatchedPhone): Findings['trouble'] {
  const isTold = troubles.includes('device.trouble');
  if (isTold) return trouble === null ? 'over' : 'as_before';
  return trouble === null ? 'as_before' : 'new';
}
