/** Detects new activity, to ring the terminal; formats the window title with waiting counts. Pure. */
import { isJobSilent } from '../domain/upkeep/jobs.js';
import { isOffline } from './panel-devices.js';
import type { Snapshot } from './snapshot.js';

/** Snapshot with the time of the reading, milliseconds since the epoch. */
export interface TimedSnapshot {
  readonly snapshot: Snapshot;
  readonly at: number;
}

type Shop = NonNullable<Snapshot['shop']>;
type Alert = Shop['alerts']['latest'][number];

/** The screen says so elsewhere, or it is good news. */
const QUIET: readonly Alert['kind'][] = [
  ...(['device.offline', 'device.recovered', 'node.recovered', 'payment.completed'] as const),
  ...(['review.waiting', 'webhook.failed', 'summary.quiet', 'summary.daily'] as const),
];

/**
 * Checks if no daemon works on the store: its delivery loop, which reports every 30 seconds, has not reported
 * for 90 seconds.
 * @returns null if a daemon runs, or if only phones are watched; else the time of the last report in ms since
 * the epoch, with `lastAt` null if no daemon has run yet.
 */
export function daemonGone({ shop }: Snapshot, now: number): { readonly lastAt: number | null } | null {
  if (shop === null) return null;
  const signs = shop.jobs.flatMap(({ last_at }) => (last_at === null ? [] : [Date.parse(last_at)]));
  const lastAt = signs.length === 0 ? null : Math.max(...signs);
  // A sign from the future is one of a clock that was ahead: nobody knows when it was.
  if (lastAt !== null && lastAt > now) return null;
  return isJobSilent('deliver-notifications', lastAt, now) ? { lastAt } : null;
}

/**
 * @param before null for the first reading, which never counts as new.
 * @returns true if the daemon or a phone went offline, or a review, alert or failed notification is new.
 */
export function hasNewActivity(before: TimedSnapshot | null, after: TimedSnapshot): boolean {
  if (before === null) return false;
  const wasGone = daemonGone(before.snapshot, before.at) !== null;
  if (!wasGone && daemonGone(after.snapshot, after.at) !== null) return true;
  return hasNew(offlineIds(before), offlineIds(after)) || isShopNews(before.snapshot, after.snapshot);
}

const offlineIds = ({ snapshot, at }: TimedSnapshot) =>
  snapshot.phones.filter((phone) => isOffline(phone, at)).map(({ id }) => id);

const hasNew = (before: readonly string[], after: readonly string[]) =>
  after.some((id) => !before.includes(id));

function isShopNews({ shop: before }: Snapshot, { shop: after }: Snapshot): boolean {
  if (before === null || after === null) return false;
  return (
    isLonger(reviewsOf(before), reviewsOf(after)) ||
    isLonger(failedOf(before), failedOf(after)) ||
    hasNewAlert(before, after)
  );
}

interface List {
  readonly count: number;
  /** Ids of the listed rows, which may be fewer than `count`. */
  readonly ids: readonly string[];
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const reviewsOf = ({ reviews }: Shop): List => ({ count: reviews.waiting, ids: idsOf(reviews.oldest) });

const failedOf = ({ notifications: { failed, failing } }: Shop): List => ({
  count: failed,
  ids: idsOf(failing.filter(({ state }) => state === 'FAILED')),
});

/** True if an entry is new. Partly read lists compare only counts: an entry that appears may be old. */
function isLonger(before: List, after: List): boolean {
  const wasWhole = before.count === before.ids.length;
  return after.count > before.count || (wasWhole && hasNew(before.ids, after.ids));
}

function hasNewAlert({ alerts: before }: Shop, { alerts: after }: Shop): boolean {
  const known = idsOf(before.latest);
  const last = before.latest.reduce((latest, { at }) => (at > latest ? at : latest), '');
  return after.latest.some(({ id, at, kind }) => !known.includes(id) && at >= last && !QUIET.includes(kind));
}

/**
 * Window title such as `(2) Kashbox: 1 review, 1 phone offline`; ASCII, without text from customers.
 * @param now milliseconds since the epoch; a daemon becomes silent between readings.
 */
export function formatTitle(read: TimedSnapshot | null, isAway: boolean, now: number): string {
  if (isAway) return 'Kashbox: store away';
  if (read === null) return 'Kashbox';
  const { shop } = read.snapshot;
  const open = shop?.alerts.latest.filter(({ ended_at, kind }) => ended_at === null && !QUIET.includes(kind));
  const counts = [
    { count: shop?.reviews.waiting ?? 0, one: 'review', many: 'reviews' },
    { count: offlineIds(read).length, one: 'phone offline', many: 'phones offline' },
    { count: open?.length ?? 0, one: 'alert', many: 'alerts' },
    { count: shop?.notifications.failed ?? 0, one: 'notification failed', many: 'notifications failed' },
  ].filter(({ count }) => count > 0);
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const texts = counts.map(({ count, one, many }) => `${count} ${count === 1 ? one : many}`);
  if (daemonGone(read.snapshot, now) !== null) texts.unshift('no daemon');
  if (texts.length === 0) return 'Kashbox';
  return `${all === 0 ? '' : `(${all}) `}Kashbox: ${texts.join(', ')}`;
}
