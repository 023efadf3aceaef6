/**
 * Dispatches that a phone gets now, as pure functions. A phone may have sent anything that it got, so a
 * dispatch is leased again only if it certainly never arrived.
 */

import { asRecord } from '../../base/values/fields.js';

/** Report of a phone on its own journal of dispatches. */
export interface Outbox {
  /** Random name that the journal got when it was made: a new one knows nothing of the old. */
  readonly journal: string;
  /** Ids in the journal without a final report; null for a phone that does not send them. */
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
  /** Dispatches in this journal neither lost nor reported; 0 for a phone without a journal. */
  readonly held: number;
}

/**
 * @param reported ids with a report in this request: the phone has or had them.
 * @param leaseMs in ms. A lease is renewed when less than half is left, but not after the SMS expired.
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

/** Polling interval of a phone that has nothing to report, in ms. */
export const NEXT_POLL_MS = 10_000;
/** Minimum polling interval, in ms; a shorter one would be useless. */
const SOONEST_POLL_MS = 250;

export interface Choice<Waiting> {
  readonly chosen: readonly Waiting[];
  /** Delay until the phone should poll again, in ms. */
  readonly nextPollMs: number;
}

/**
 * Chooses dispatches from the head of the queue, as many as the phone may send in this minute. One that
 * exceeds the limit blocks those after it; otherwise a long SMS would wait until no short one is left. A slow
 * phone gets no more: queued dispatches can still be cancelled or expire unsent.
 * @param queue in the order of leasing; may be longer than `limit`.
 * @param recent dispatches leased within the last minute, oldest first.
 * @param held number that the phone has and has not sent; with the chosen ones at most `limit`.
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

/** Delay until enough recent leases are a minute old, at most the usual polling interval. */
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

/** @returns null for a phone without a journal, or if `held` cannot be parsed. */
export function parseOutbox(value: unknown): Outbox | null {
  const { journal, held } = asRecord(value);
  if (typeof journal !== 'string' || !/^[\w.-]+$/.test(journal) || journal.length > MAX_JOURNAL) return null;
  // A list that cannot be read says nothing of what is lost.
  if (!Array.isArray(held) || held.length > MAX_HELD) return null;
  return held.every((id) => typeof id === 'string') ? { journal, held } : null;
}
