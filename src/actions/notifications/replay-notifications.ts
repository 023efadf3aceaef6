/**
 * Replays notifications with their old id and body, so that shops can recognise them. Only makes them due;
 * the notifier sends them.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { quoted } from '../../base/values/text.js';
import { shownAddress } from '../../domain/notifications/address.js';
import { destinationOf } from '../../domain/notifications/fair-share.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import type { ListPosition } from '../../store/tables/list-position.js';
import {
  failedAfter,
  findLastReplayable,
  findReplayable,
  makeDueAgain,
  type ReplayableRow,
} from '../../store/tables/notification-list.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { noNotification, noNotifications, requirePayment } from './list-notifications.js';

/** `url` is without its query's values. */
export type Replayed = NonNullable<Awaited<ReturnType<typeof replay>>>;

/** @returns null, and nothing is written, while an attempt is under way. */
async function replay(core: Core, db: Db, row: ReplayableRow, who: string) {
  const now = core.clock.now();
  // An address that was repaired since is why most people replay.
  const url = row.own_url ?? row.brand_url;
  if (url === null) throw nowhere(row);
  if (!(await makeDueAgain(db, { id: row.id, ...destinationOf(row.brand_id, url), now }))) return null;
  await audit(core, db, who, 'notification.replay', row.id, {
    before: { state: row.state, tries: row.tries, url: shownAddress(row.url) },
    after: { state: 'DUE', tries: 0, url: shownAddress(url) },
  });
  const { id, event, gateway_reference } = row;
  const moved = url !== row.url;
  // Nothing has changed that would let it through, save for a setting of the daemon.
  const blocked = !moved && row.last_outcome === 'blocked';
  const went = { was: row.state, url: shownAddress(url), moved, blocked };
  return { id, event, gateway_reference, state: 'DUE' as const, ...went };
}

function nowhere({ id, brand }: ReplayableRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `${id} has nowhere to go: brand "${brand}" has no webhook address`,
    hint: `Set one: kashbox brands update ${quoted(brand)} --webhook-url https://shop.example.com/kashbox`,
  });
}

interface ReplayOne {
  /** Of a notification; or session id or gateway reference of a payment, whose last notification is meant. */
  readonly id: string;
  readonly who: string;
}

/** @throws KashboxError `not_found`, `state_refused` (under way, a test, or no address to send it to) */
export async function replayNotification(core: Core, input: ReplayOne): Promise<Replayed> {
  const replayed = await replayUnlessTest(core, input);
  if (replayed !== null) return replayed;
  throw new KashboxError('state_refused', {
    message: `${input.id.trim()} was a test, which is over`,
    hint: 'Make another with `kashbox webhooks test`.',
  });
}

/**
 * The same for one of many, among which a test is nothing to stop at.
 * @returns null, and nothing is written, for a test.
 * @throws KashboxError `not_found`, `state_refused` (under way, or no address to send it to)
 */
export async function replayUnlessTest(core: Core, input: ReplayOne): Promise<Replayed | null> {
  return core.store.write(async (db) => {
    const row = await requireReplayable(db, input.id.trim());
    if (row.session_id === null) return null;
    const replayed = await replay(core, db, row, input.who);
    if (replayed !== null) return replayed;
    throw new KashboxError('state_refused', {
      message: `${row.id} is being sent right now`,
      hint: 'Look in a few seconds what came of it: kashbox webhooks show.',
    });
  });
}

async function requireReplayable(db: Db, named: string): Promise<ReplayableRow> {
  if (named.startsWith('ntf_')) {
    const row = await findReplayable(db, named);
    if (row !== undefined) return row;
    throw noNotification(named);
  }
  const payment = await requirePayment(db, named);
  const last = await findLastReplayable(db, payment.id);
  if (last !== undefined) return last;
  throw noNotifications(payment.gateway_reference);
}

interface ReplayFailed {
  /** Identifier or name; absent for all. */
  readonly brand?: string | undefined;
  /** Made at this time or later, milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly who: string;
}

export interface ReplayedFailed {
  readonly replayed: readonly Replayed[];
  /** Those that were left alone because an attempt is under way. */
  readonly under_way: number;
}

/** So few in one unit of work that a daemon on the same store is not kept waiting. */
const PORTION = 100;

/**
 * Replays what was given up, or tried without success so far. What is under way is passed over.
 * @throws KashboxError `not_found` if there is no such brand
 */
export async function replayFailed(core: Core, input: ReplayFailed): Promise<ReplayedFailed> {
  const { brand } = input;
  const named = brand === undefined ? null : await core.store.read((db) => requireBrand(db, brand));
  const replayed: Replayed[] = [];
  let underWay = 0;
  let after: ListPosition | undefined = { at: input.sinceMs, id: '' };
  while (after !== undefined) {
    const filter = { brandId: named?.id ?? null, after, limit: PORTION };
    const portion: Portion = await replayPortion(core, filter, input.who);
    replayed.push(...portion.replayed);
    underWay += portion.underWay;
    after = portion.last;
  }
  return { replayed, under_way: underWay };
}

type Portion = Awaited<ReturnType<typeof replayPortion>>;

async function replayPortion(core: Core, filter: Parameters<typeof failedAfter>[1], who: string) {
  return core.store.write(async (db) => {
    const rows = await failedAfter(db, filter);
    const replayed: Replayed[] = [];
    for (const row of rows) {
      const done = await replay(core, db, row, who);
      if (done !== null) replayed.push(done);
    }
    const end = rows.length < filter.limit ? undefined : rows.at(-1);
    const last = end === undefined ? undefined : { at: end.created_at, id: end.id };
    return { replayed, underWay: rows.length - replayed.length, last };
  });
}
