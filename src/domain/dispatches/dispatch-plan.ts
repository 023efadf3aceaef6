/**
 * What a phone is handed now: a pure decision. Whatever a phone has may have been sent, so nothing is leased
 * twice, save what certainly never arrived.
 */

import { fieldsOf } from '../../base/values/fields.js';

/** What a phone says of its own journal of dispatches. */
export interface Outbox {
  /** Random name that the journal got when it was made: a new one knows nothing of the old. */
  readonly journal: string;
  /** Ids that stand in it and are not reported finally; null for a phone that does not tell. */
  readonly held: readonly string[] | null;
}

/** A leased dispatch without a final report. */
export interface Lease {
  readonly id: string;
  readonly leased_to: string | null;
  readonly lease_ends_at: number | null;
  readonly expires_at: number;
}

export interface JudgedLeases {
  /** The answer that carried them was lost on its way. */
  readonly lost: readonly string[];
  /** The phone says that it still has them. */
  readonly renewed: readonly string[];
  /** How many this journal has that are neither lost nor reported; 0 for a phone without a journal. */
  readonly held: number;
}

/**
 * @param reported ids of which the same request says something: the phone has or had them.
 * @param leaseMs how long a lease lasts; it is renewed once half of it is over, not after the SMS expired.
 */
export function judgeLeases(
  leases: readonly Lease[],
  outbox: Outbox | null,
  reported: readonly string[],
  { now, leaseMs }: { readonly now: number; readonly leaseMs: number },
): JudgedLeases {
  if (outbox === null) return { lost: [], renewed: [], held: 0 };
  const own = leases.filter(({ leased_to }) => leased_to === outbox.journal);
  if (outbox.held === null) return { lost: [], renewed: [], held: own.length };
  const held = new Set(outbox.held);
  const known = new Set([...held, ...reported]);
  const lost = own.filter(({ id }) => !known.has(id));
  const renewed = leases.filter(
    ({ id, lease_ends_at, expires_at }) =>
      held.has(id) && now < expires_at && (lease_ends_at ?? 0) - now < leaseMs / 2,
  );
  const idOf = ({ id }: Lease) => id;
  return { lost: lost.map(idOf), renewed: renewed.map(idOf), held: own.length - lost.length };
}

/** Times and part counts of recent leases. */
interface RecentLease {
  readonly leased_at: number;
  readonly parts: number;
}

export const RATE_WINDOW_MS = 60_000;

/** How long a phone that has nothing to say waits before it asks again. */
export const NEXT_POLL_MS = 10_000;
/** Sooner would be asked in vain. */
const SOONEST_POLL_MS = 250;

export interface Choice<Waiting> {
  readonly chosen: readonly Waiting[];
  /** When the phone should ask again, in milliseconds. */
  readonly nextPollMs: number;
}

/**
 * As many of the queue, from its head on, as the phone may send this minute. What does not fit holds up what
 * is behind it: a long SMS would otherwise wait until no short one is left. A phone that does not get on with
 * sending gets no more: what waits here can still be cancelled, or sent by nobody when it expires.
 * @param queue in the order in which it is leased; it may go on behind `limit`.
 * @param recent what was leased within the last minute, the oldest first.
 * @param held how many the phone has and has not sent. With those that are chosen it has `limit` at most.
 */
export function chooseNext<Waiting extends { readonly parts: number }>(
  queue: readonly Waiting[],
  recent: readonly RecentLease[],
  {
    now,
    partsAMinute,
    limit,
    held,
  }: {
    readonly now: number;
    readonly partsAMinute: number;
    readonly limit: number;
    readonly held: number;
  },
): Choice<Waiting> {
  const room = Math.max(0, limit - held);
  let left = recent.reduce((sum, { parts }) => sum - parts, partsAMinute);
  const chosen: Waiting[] = [];
  for (const waiting of queue.slice(0, room)) {
    if (waiting.parts > left) return { chosen, nextPollMs: pollAfter(recent, waiting.parts - left, now) };
    left -= waiting.parts;
    chosen.push(waiting);
  }
  // One that holds some asks as soon as it has sent one.
  return { chosen, nextPollMs: chosen.length < limit ? NEXT_POLL_MS : SOONEST_POLL_MS };
}

/** When enough of what was leased is a minute old, at the latest when everybody asks again. */
function pollAfter(recent: readonly RecentLease[], missing: number, now: number): number {
  let freed = 0;
  for (const { leased_at, parts } of recent) {
    freed += parts;
    if (freed < missing) continue;
    const free = leased_at + RATE_WINDOW_MS - now;
    return Math.min(NEXT_POLL_MS, Math.max(SOONEST_POLL_MS, free));
  }
  return NEXT_POLL_MS;
}

const MAX_JOURNAL = 100;
const MAX_HELD = 10_000;

/** @param value what stands in the request. @returns null for a phone that names no journal. */
export function readOutbox(value: unknown): Outbox | null {
  const { journal, held } = fieldsOf(value);
  if (typeof journal !== 'string' || !/^[\w.-]+$/.test(journal) || journal.length > MAX_JOURNAL) return null;
  // A list that cannot be read says nothing of what is lost.
  if (!Array.isArray(held) || held.length > MAX_HELD) return null;
  return held.every((id) => typeof id === 'string') ? { journal, held } : null;
}
