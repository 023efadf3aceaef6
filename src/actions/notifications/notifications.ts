/**
 * Notifications as an operator sees them: listed with their attempts, replayed with their old id and body, so
 * that shops can recognise them, or sent as a test.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { echoed, quoted } from '../../base/values/text.js';
import { redactAddress } from '../../domain/notifications/address.js';
import { toDestination } from '../../domain/notifications/fair-share.js';
import {
  type AttemptOutcome,
  type NotificationState,
  notificationContent,
} from '../../domain/notifications/notification.js';
import type { NotificationSender } from '../../notify/send.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import type { ListPosition, Page } from '../../store/tables/list-position.js';
import {
  failedAfter,
  findLastReplayable,
  findNotification,
  findPaymentRow,
  findReplayable,
  insertAttempt,
  insertNotification,
  listAttempts,
  listedNotifications,
  makeDueAgain,
  type NotificationRow,
  notificationsOfSession,
  type ReplayableRow,
} from '../../store/tables/notifications.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfBrand, requireBrand } from '../input/require-row.js';
import { defineView, isoOrNull } from '../input/view.js';
import { sendNotification } from './deliver-notification.js';

export type NotificationView = ReturnType<typeof notificationView>;

const isUnderWay = (row: NotificationRow, now: number) =>
  row.state === 'PENDING' && row.lease !== null && row.next_at > now;

/** Takes the current time in milliseconds since the epoch. */
export const notificationView = defineView<NotificationRow, number>()(({ same, times }) => ({
  // The id is the `webhook-id`.
  ...same('id', 'event'),
  /** Session id of the payment; null for a test, as is the gateway reference. */
  payment: (row) => row.session_id,
  // The sequence is the place among those of its payment, from 1; a replay begins with no tries.
  ...same('gateway_reference', 'brand', 'state', 'sequence', 'tries'),
  /** True while an attempt is in progress. */
  under_way: isUnderWay,
  /** Time of the next attempt; null if none is scheduled. */
  next_at: (row, now) => isoOrNull(row.state === 'PENDING' && !isUnderWay(row, now) ? row.next_at : null),
  ...same('endpoint'),
  /** URL without the values of its query string, because shops have put keys there. */
  url: (row) => redactAddress(row.url),
  ...same('format'),
  // The last attempt; null before the first.
  ...times('created_at', 'closed_at', 'last_at'),
  ...same('last_outcome', 'last_status', 'last_detail'),
}));

export interface AttemptView {
  readonly id: string;
  readonly at: string;
  readonly outcome: AttemptOutcome;
  /** HTTP status, null where there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly detail: string;
  /** The beginning of the answer, at most 1 KiB. */
  readonly answer: string | null;
  /** `schedule`, or the operator who requested the attempt. */
  readonly asked_by: string;
}

export interface NotificationInFull extends NotificationView {
  /** The body, as it is signed and sent. */
  readonly content: string;
  /** The oldest first. */
  readonly attempts: readonly AttemptView[];
}

interface ListNotifications extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** Session id or gateway reference. */
  readonly payment?: string | undefined;
  readonly state?: NotificationState | undefined;
  /** Lists only notifications of payments that were abandoned, or attempted without success so far. */
  readonly failed: boolean;
}

/** Lists notifications, newest first. @throws KashboxError `not_found` (brand or payment) */
export function notificationPages(core: Core, input: ListNotifications): AsyncGenerator<NotificationView[]> {
  const { state = null, failed, sinceMs = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brandId = await idOfBrand(db, input.brand);
      const payment = input.payment === undefined ? null : await requirePayment(db, input.payment);
      const about = { brandId, sessionId: payment?.id ?? null };
      return listedNotifications(db, { ...about, state, failed, sinceMs, ...page });
    });
  return paginate(input, read, cursorBy('created_at'), (row) => notificationView(row, core.clock.now()));
}

export const listNotifications = collectAll(notificationPages);

/**
 * @param named id of a notification, or session id or gateway reference of a payment.
 * @returns the one, or all of the payment in their order.
 * @throws KashboxError `not_found`, also where the payment has none
 */
export async function showNotifications(
  core: Core,
  named: string,
): Promise<NotificationInFull | NotificationInFull[]> {
  return core.store.read(async (db) => {
    const now = core.clock.now();
    const inFull = async (row: NotificationRow) => ({
      ...notificationView(row, now),
      content: row.content,
      attempts: (await listAttempts(db, row.id)).map((attempt) => ({ ...attempt, at: dhakaIso(attempt.at) })),
    });
    const id = named.trim();
    if (id.startsWith('ntf_')) {
      const row = await findNotification(db, id);
      if (row === undefined) throw noNotification(named);
      return inFull(row);
    }
    const payment = await requirePayment(db, id);
    const all: NotificationInFull[] = [];
    for (const row of await notificationsOfSession(db, payment.id)) all.push(await inFull(row));
    if (all.length > 0) return all;
    throw noNotifications(payment.gateway_reference);
  });
}

/** @param named session id or gateway reference. @throws KashboxError `not_found` */
async function requirePayment(db: Db, named: string) {
  const typed = named.trim();
  const found = await findPaymentRow(db, { id: typed.toLowerCase(), reference: typed.toUpperCase() });
  if (found !== undefined) return found;
  throw new KashboxError('not_found', {
    message: `There is no notification and no payment "${echoed(named)}"`,
    hint: 'List them with `kashbox webhooks list` and `kashbox payments list`.',
  });
}

/** @param payment its gateway reference. */
function noNotifications(payment: string): KashboxError {
  return new KashboxError('not_found', {
    message: `There is no notification of payment ${payment} yet`,
    hint: 'A shop is notified after its brand has an address: kashbox brands update --webhook-url.',
  });
}

function noNotification(named: string): KashboxError {
  return new KashboxError('not_found', {
    message: `There is no notification "${echoed(named)}"`,
    hint: 'List them with `kashbox webhooks list`.',
  });
}

/** `url` is without its query's values. */
export type ReplayResult = NonNullable<Awaited<ReturnType<typeof replay>>>;

/** @returns null, and nothing is written, while an attempt is under way. */
async function replay(core: Core, db: Db, row: ReplayableRow, who: string) {
  const now = core.clock.now();
  // An address that was repaired since is why most people replay.
  const url = row.own_url ?? row.brand_url;
  if (url === null) throw nowhere(row);
  if (!(await makeDueAgain(db, { id: row.id, ...toDestination(row.brand_id, url), now }))) return null;
  await audit(core, db, who, 'notification.replay', row.id, {
    before: { state: row.state, tries: row.tries, url: redactAddress(row.url) },
    after: { state: 'PENDING', tries: 0, url: redactAddress(url) },
  });
  const { id, event, gateway_reference } = row;
  const moved = url !== row.url;
  // Nothing has changed that would let it through, save for a setting of the daemon.
  const blocked = !moved && row.last_outcome === 'blocked';
  const went = { was: row.state, url: redactAddress(url), moved, blocked };
  return { id, event, gateway_reference, state: 'PENDING' as const, ...went };
}

function nowhere({ id, brand }: ReplayableRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `${id} cannot be sent: brand "${brand}" has no webhook address`,
    hint: `Set one: kashbox brands update ${quoted(brand)} --webhook-url https://shop.example.com/kashbox`,
  });
}

interface ReplayOne {
  /** Id of a notification, or session id or gateway reference of a payment (its last notification). */
  readonly id: string;
  readonly who: string;
}

/** @throws KashboxError `not_found`, `state_refused` (under way, a test, or no address to send it to) */
export async function replayNotification(core: Core, input: ReplayOne): Promise<ReplayResult> {
  const replayed = await replayUnlessTest(core, input);
  if (replayed !== null) return replayed;
  throw new KashboxError('state_refused', {
    message: `${input.id.trim()} was a test notification, which is not repeated`,
    hint: 'Send a new one with `kashbox webhooks test`.',
  });
}

/**
 * Replays one notification of a batch, in which a test notification is no error.
 * @returns null for a test; nothing is written then.
 * @throws KashboxError `not_found`, `state_refused` (under way, or no address to send it to)
 */
export async function replayUnlessTest(core: Core, input: ReplayOne): Promise<ReplayResult | null> {
  return core.store.write(async (db) => {
    const row = await requireReplayable(db, input.id.trim());
    if (row.session_id === null) return null;
    const replayed = await replay(core, db, row, input.who);
    if (replayed !== null) return replayed;
    throw new KashboxError('state_refused', {
      message: `${row.id} is being sent right now`,
      hint: 'Check the result in a few seconds: kashbox webhooks show.',
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
  /** Earliest creation time, milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly who: string;
}

export interface ReplayedFailed {
  readonly replayed: readonly ReplayResult[];
  /** Number of notifications that were skipped because an attempt is under way. */
  readonly under_way: number;
}

/** Notifications per database transaction, few enough that a daemon on the store need not wait. */
const PORTION = 100;

/**
 * Replays abandoned or so far unsuccessful notifications, except those with an attempt under way.
 * @throws KashboxError `not_found` if there is no such brand
 */
export async function replayFailed(core: Core, input: ReplayFailed): Promise<ReplayedFailed> {
  const { brand } = input;
  const named = brand === undefined ? null : await core.store.read((db) => requireBrand(db, brand));
  const replayed: ReplayResult[] = [];
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
    const replayed: ReplayResult[] = [];
    for (const row of rows) {
      const done = await replay(core, db, row, who);
      if (done !== null) replayed.push(done);
    }
    const end = rows.length < filter.limit ? undefined : rows.at(-1);
    const last = end === undefined ? undefined : { at: end.created_at, id: end.id };
    return { replayed, underWay: rows.length - replayed.length, last };
  });
}

export interface PingResult {
  /** Id of the notification that it is kept as. */
  readonly id: string;
  readonly brand: string;
  /** URL without the values of its query string. */
  readonly url: string;
  readonly state: 'DELIVERED' | 'FAILED';
  readonly attempt: AttemptView;
  /** Target of a redirect, without the values of its query; null for other answers. */
  readonly redirect: string | null;
}

/**
 * @param input.brand identifier or name.
 * @returns what came of it, also where it was not delivered.
 * @throws KashboxError `not_found`, `invalid_input` (the brand has no address)
 */
export async function pingWebhook(
  core: Core,
  sender: NotificationSender,
  input: { readonly brand: string; readonly who: string },
): Promise<PingResult> {
  const brand = await core.store.read((db) => requireBrand(db, input.brand));
  const url = brand.webhook_url;
  if (url === null) {
    refuse(
      `Brand "${brand.name}" has no webhook address`,
      `Set one: kashbox brands update ${quoted(brand.name)} --webhook-url https://shop.example.com/kashbox`,
    );
  }
  const at = core.clock.now();
  const id = newRowId(core.random, at, 'notification');
  const format = brand.webhook_format;
  const content = notificationContent(format, { id, event: 'ping', sequence: 1, createdAt: at }, null);
  const sent = { ...brand, id, brand_id: brand.id, url, format, content, tries: 0 };
  const { outcome, status, detail, answer, redirect, ms } = await sendNotification(core, sender, sent);
  const state = outcome === 'delivered' ? 'DELIVERED' : 'FAILED';
  const tried = { outcome, status, detail, answer, ms: Math.round(ms), asked_by: input.who };
  const attempt = { id: newRowId(core.random, at, 'attempt'), at, ...tried };
  // Written only now: a row that is due would be sent by a daemon, too.
  await core.store.write(async (db) => {
    const now = core.clock.now();
    await insertNotification(db, {
      id,
      brand_id: brand.id,
      session_id: null,
      event: 'ping',
      sequence: 1,
      ...toDestination(brand.id, url),
      format,
      content,
      state,
      tries: 1,
      next_at: at,
      lease: null,
      created_at: at,
      closed_at: now,
    });
    await insertAttempt(db, { ...attempt, notification_id: id });
  });
  const kept = { ...attempt, at: dhakaIso(at) };
  return { id, brand: brand.name, url: redactAddress(url), state, attempt: kept, redirect };
}
