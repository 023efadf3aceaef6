/** Deletes old rows that no money depends on (store/tables/retention). */
import { dhakaIso } from '../../base/values/clock.js';
import type { Db } from '../../store/schema/index.js';
import { forgetStrangerUses } from '../../store/tables/limits.js';
import {
  type DeletionCursor,
  type ExpiredLinkPayment,
  expiredLinkPayments,
  forgetAlerts,
  forgetCodes,
  forgetDispatches,
  forgetGaps,
  forgetIdempotencyKeys,
  forgetLinkPayments,
  forgetNotifications,
  forgetPaymentAlerts,
  oldNotifications,
} from '../../store/tables/retention.js';
import { forgetSlips } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import { IDEMPOTENCY_MS } from '../input/idempotency.js';

const DAY_MS = 86_400_000;
/** Maximum age of alerts about payments, days; the payments themselves are kept. */
const PAYMENT_ALERT_DAYS = 7;
/** Maximum age of unused payments of links, days: strangers can create any number of them. */
const LINK_PAYMENT_DAYS = 7;
/** Few enough that a request which shares the commit does not notice. */
const BATCH = 50;
/** Number of slips per batch. A slip may have 2 MiB, which the store reads again to delete it. */
const SLIPS = 5;

/** @returns how many rows were forgotten, attempts not counted. Safe to run in several processes at once. */
export async function prune(core: Core): Promise<number> {
  const { keepDays } = core.settings;
  const keys = await pruneAll(core, core.clock.now() - IDEMPOTENCY_MS, forgetIdempotencyKeys);
  if (keepDays === 0) return keys;
  const before = core.clock.now() - keepDays * DAY_MS;
  let total = await pruneNotifications(core, before);
  const paidBefore = Math.max(before, core.clock.now() - PAYMENT_ALERT_DAYS * DAY_MS);
  total += await pruneAll(core, paidBefore, forgetPaymentAlerts);
  for (const forget of [forgetCodes, forgetDispatches, forgetAlerts, forgetGaps]) {
    total += await pruneAll(core, before, forget);
  }
  total += await pruneLinkPayments(core, before);
  const today = dhakaIso(core.clock.now()).slice(0, 10);
  total += await pruneAll(core, today, forgetStrangerUses);
  return keys + total + (await pruneAll(core, before, forgetSlips, SLIPS));
}

/** Deletes unused payments; goes through all old rows, because some are kept, as with notifications. */
async function pruneLinkPayments(core: Core, before: number): Promise<number> {
  const openedBefore = Math.max(before, core.clock.now() - LINK_PAYMENT_DAYS * DAY_MS);
  let total = 0;
  let place: ExpiredLinkPayment | undefined = { expires_at: 0, session_id: '' };
  while (place !== undefined) {
    const after: ExpiredLinkPayment = place;
    const old = await core.store.read((db) => expiredLinkPayments(db, after, openedBefore, BATCH));
    place = old.at(-1);
    if (place === undefined) break;
    const ids = old.map(({ session_id }) => session_id);
    total += await core.store.write((db) => forgetLinkPayments(db, ids, before));
  }
  return total;
}

/** Goes through all that are old: some of them stay, and would be met again by each query for the oldest. */
async function pruneNotifications(core: Core, before: number): Promise<number> {
  let total = 0;
  let place: DeletionCursor | undefined = { created_at: 0, id: '' };
  while (place !== undefined) {
    const after: DeletionCursor = place;
    const old = await core.store.read((db) => oldNotifications(db, after, before, BATCH));
    place = old.at(-1);
    if (place === undefined) break;
    const ids = old.map(({ id }) => id);
    total += await core.store.write((db) => forgetNotifications(db, ids, before));
  }
  return total;
}

type Forget<Time> = (db: Db, before: Time, limit: number) => Promise<number>;

async function pruneAll<Time>(
  core: Core,
  before: Time,
  forget: Forget<Time>,
  batch = BATCH,
): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await core.store.write((db) => forget(db, before, batch));
    total += gone;
    if (gone < batch) return total;
  }
}
