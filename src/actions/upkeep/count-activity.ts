/**
 * Counts payments and SMS for `/metrics`, whichever process stores them. Each count reads only rows that are
 * new since the last one, so its cost depends on the activity and not on the size of the store.
 */
import type { Db } from '../../store/schema/index.js';
import {
  countChanges,
  countOpenedPayments,
  countStoredSms,
  creditedByChannel,
  refundedByChannel,
  type Span,
} from '../../store/tables/reports.js';
import type { Core } from '../core/core.js';

/** Overlap of two counts, ms: another process may commit a row after a row with a later time. */
const OVERLAP_MS = 30_000;
/** Maximum time between counts, ms. Beyond it, older rows are skipped: nobody was reading the counters. */
const LONGEST_MS = 3_600_000;
/** Later than every time that an identifier can hold. */
const END_MS = 2 ** 44 - 1;

const FAILURES = { 'payment.cancel': 'cancelled', 'payment.expire': 'expired', 'payment.reject': 'rejected' };
type FailureAction = keyof typeof FAILURES;

export const FAILURE_REASONS = Object.values(FAILURES);

const COUNTED = ['opened', 'completed', 'paisa', 'failed', 'sms', 'refunds', 'refundedPaisa'] as const;
type CounterName = (typeof COUNTED)[number];

/**
 * Counters for each kind, and the paisa credited to payments and refunded, since counting began. They never
 * decrease.
 */
export type Activity = Readonly<Record<CounterName, Readonly<Record<string, number>>>>;

const NOTHING: Activity = {
  opened: {},
  completed: {},
  paisa: {},
  failed: {},
  sms: {},
  refunds: {},
  refundedPaisa: {},
};

/** Begins to count now. @returns a function that counts on; calls at the same time wait for each other. */
export function openActivity(core: Core): () => Promise<Activity> {
  /** Counters up to `from`, before which no rows are added any longer. */
  let settled = NOTHING;
  let from = core.clock.now();
  /** Counters after `from`, found by the last count at `countedAt`. */
  let fresh = NOTHING;
  let countedAt = from;
  let last: Promise<unknown> = Promise.resolve();

  const count = async (): Promise<Activity> => {
    const now = core.clock.now();
    const isPaused = now - LONGEST_MS > countedAt;
    const since = isPaused ? now - LONGEST_MS : from;
    // A clock that was set back settles nothing.
    const until = Math.max(since, now - OVERLAP_MS);
    const [old, recent] = await core.store.read(async (db) => [
      await countSpan(db, { from: since, to: until }),
      await countSpan(db, { from: until, to: END_MS }),
    ]);
    settled = sum(isPaused ? sum(settled, fresh) : settled, old);
    [from, fresh, countedAt] = [until, recent, now];
    return sum(settled, fresh);
  };

  return () => {
    const counted = last.then(count);
    last = counted.catch(() => {});
    return counted;
  };
}

async function countSpan(db: Db, span: Span): Promise<Activity> {
  const opened = await countOpenedPayments(db, span);
  const credited = await creditedByChannel(db, { ...span, brandId: null });
  const refunded = await refundedByChannel(db, { ...span, brandId: null });
  const failed = await countChanges(db, span, Object.keys(FAILURES));
  const sms = await countStoredSms(db, span);
  return {
    opened: byName(opened.map(({ flow, count }) => [flow, count])),
    completed: byName(credited.map(({ channel, completed }) => [channel, completed])),
    paisa: byName(credited.map(({ channel, paid }) => [channel, paid ?? 0])),
    failed: byName(failed.map(({ action, count }) => [FAILURES[action as FailureAction], count])),
    refunds: byName(refunded.map(({ channel, refunds }) => [channel, refunds])),
    refundedPaisa: byName(refunded.map(({ channel, refunded: paisa }) => [channel, paisa ?? 0])),
    sms: byName(sms.map(({ kind, count }) => [kind, count])),
  };
}

function byName(rows: readonly (readonly [name: string, count: number | string])[]): Record<string, number> {
  return Object.fromEntries(rows.map(([name, count]) => [name, Number(count)]));
}

function sum(one: Activity, other: Activity): Activity {
  const total = (counted: CounterName) => {
    const sums = { ...one[counted] };
    for (const [name, count] of Object.entries(other[counted])) sums[name] = (sums[name] ?? 0) + count;
    return [counted, sums] as const;
  };
  return Object.fromEntries(COUNTED.map(total)) as Record<CounterName, Record<string, number>>;
}
