/**
 * What known ids of a wallet say about its counter: which ids it may have issued at a time, how fast it
 * counts, and how it compares with the forecast. Pure.
 */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET } from '../../domain/wallets/index.js';
import { doubtId } from './checks.js';

const DAY_MS = 86_400_000;

/** An id that is known to have been given out, and when; milliseconds since the epoch. */
export interface IssuedId {
  readonly id: string;
  readonly atMs: number;
}

/** An accepted id says so long what comes near it. */
export const ID_KNOWN_FOR_MS = 60 * DAY_MS;
/** Limits of the counter's speed between two ids, as factors; it also deviates by days (`UNEVEN_MS`). */
const [SLOWER, FASTER] = [0.4, 2.5];
const UNEVEN_MS = 7 * DAY_MS;

/** True if one counter could have issued both ids, each at its time. */
export function areIdsConsistent(channel: MfsChannel, one: IssuedId, other: IssuedId): boolean {
  const { guessable, shape } = WALLET[channel].ids;
  if (guessable?.kind !== 'counter' || !shape.test(one.id) || !shape.test(other.id)) return false;
  const [early, late] = one.atMs <= other.atMs ? [one, other] : [other, one];
  const count = ({ id }: IssuedId) => Number.parseInt(id, guessable.base);
  const passedMs = late.atMs - early.atMs;
  const countedMs = ((count(late) - count(early)) / guessable.perSecond) * 1_000;
  return (
    passedMs <= ID_KNOWN_FOR_MS &&
    countedMs >= passedMs * SLOWER - UNEVEN_MS &&
    countedMs <= passedMs * FASTER + UNEVEN_MS
  );
}

/** Lowest and highest pace for which ids ahead are expected. */
const AHEAD_PACES = [0.7, 1.4];

/** True if ids that follow this one are still expected after `aheadMs`. */
export function isExpectedAhead(channel: MfsChannel, { id, atMs }: IssuedId, aheadMs: number): boolean {
  const { guessable, shape } = WALLET[channel].ids;
  if (guessable?.kind !== 'counter') return true;
  const { base, perSecond } = guessable;
  return AHEAD_PACES.every((pace) => {
    const count = Number.parseInt(id, base) + Math.floor((perSecond * pace * aheadMs) / 1_000);
    const next = count.toString(base).toUpperCase();
    return shape.test(next) && doubtId(channel, next, atMs + aheadMs) !== 'id_range';
  });
}

/** Counters are followed this far into the future. */
const MAX_AHEAD_DAYS = 730;

/** @returns the time until which ids that follow this one are expected; null if this one already is not. */
export function expectedUntil(channel: MfsChannel, issued: IssuedId): number | null {
  let days = 0;
  while (days <= MAX_AHEAD_DAYS && isExpectedAhead(channel, issued, days * DAY_MS)) days += 1;
  return days === 0 ? null : issued.atMs + (days - 1) * DAY_MS;
}

/** @returns the wallet's counter; null for wallets whose ids carry their date. */
function counterOf(channel: MfsChannel) {
  const { guessable } = WALLET[channel].ids;
  return guessable?.kind === 'counter' ? guessable : null;
}

/** @returns the newest id that was seen in public; null for wallets whose ids carry their date. */
export function latestSample(channel: MfsChannel): IssuedId | null {
  const counter = counterOf(channel);
  if (counter === null) return null;
  const { value, ms: atMs } = counter.latest;
  return { id: value.toString(counter.base).toUpperCase(), atMs };
}

/** Time in ms by which the counter is ahead of its forecast at that id; negative if it is slower. */
export function aheadOfForecast(channel: MfsChannel, { id, atMs }: IssuedId): number | null {
  const counter = counterOf(channel);
  if (counter === null) return null;
  const { base, perSecond, latest } = counter;
  return ((Number.parseInt(id, base) - latest.value) / perSecond) * 1_000 - (atMs - latest.ms);
}

/** Shortest time in which the speed of a counter is measured. */
const MEASURED_MS = DAY_MS;

/** @param issued in the order of their times. @returns ids per second; null if too few or too near. */
export function measuredSpeed(channel: MfsChannel, issued: readonly IssuedId[]): number | null {
  const counter = counterOf(channel);
  const [first, last] = [issued[0], issued.at(-1)];
  if (counter === null || first === undefined || last === undefined) return null;
  const passedMs = last.atMs - first.atMs;
  if (passedMs < MEASURED_MS) return null;
  const count = ({ id }: IssuedId) => Number.parseInt(id, counter.base);
  return ((count(last) - count(first)) / passedMs) * 1_000;
}

/** Signs that are rounded away: within minutes at most a thousand, or 36^3, ids are given out. */
const BLOCK = '000';

/** @returns the first id of an id's block, which identifies nobody's transaction. */
export function blockOf(id: string): string {
  return id.slice(0, -BLOCK.length) + BLOCK;
}

/** How much the counter may have changed its speed since it was last seen in public, and be uneven. */
const [SLOWEST_YET, FASTEST_YET] = [0.25, 4];
const FAR_MS = 90 * DAY_MS;

type PointFault = 'shape' | 'future' | 'impossible';

/** @param now milliseconds since the epoch. @returns what is wrong with a point from elsewhere, or null. */
export function judgePoint(channel: MfsChannel, issued: IssuedId, now: number): PointFault | null {
  if (counterOf(channel) === null || !WALLET[channel].ids.shape.test(issued.id)) return 'shape';
  if (!(issued.atMs <= now)) return 'future';
  const passedMs = issued.atMs - (counterOf(channel)?.latest.ms ?? 0);
  const countedMs = (aheadOfForecast(channel, issued) ?? 0) + passedMs;
  const paces = [passedMs * SLOWEST_YET, passedMs * FASTEST_YET];
  const isPossible = countedMs >= Math.min(...paces) - FAR_MS && countedMs <= Math.max(...paces) + FAR_MS;
  return isPossible ? null : 'impossible';
}
