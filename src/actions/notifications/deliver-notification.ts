/**
 * Makes one attempt to deliver a notification: lease, sign, send, record the result. The lease moves its due
 * time to after the deadline of the attempt, so it becomes due again after a crash.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import { privateWebhooks } from '../../config/settings.js';
import { isLoopbackHook } from '../../domain/notifications/address.js';
import type { EndpointCapacity } from '../../domain/notifications/fair-share.js';
import {
  type AfterAttempt,
  type AttemptOutcome,
  type AttemptResult,
  afterAttempt,
  contentType,
  MAX_WAIT_MS,
} from '../../domain/notifications/notification.js';
import { findPlugin } from '../../domain/plugins/plugins.js';
import type { NotificationSender } from '../../notify/send.js';
import { signatureHeaders } from '../../notify/signature.js';
import type { Db } from '../../store/schema/index.js';
import { findBrand } from '../../store/tables/brands.js';
import {
  closeDelivered,
  dueAt,
  insertAttempt,
  type LeasedNotification,
  leaseDue,
  resetDueTimes,
  settleNotification,
} from '../../store/tables/notifications.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import { type SealedSecrets, validSecrets } from '../brands/webhook-secrets.js';
import type { Core } from '../core/core.js';

/** Twice the 5 s of an attempt: time to write down what came of it, on a busy machine too. */
const LEASE_MS = 10_000;

/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** Resets due times that are too far in the future: the clock may have been set back since. */
export async function resetNotificationTimes(core: Core): Promise<number> {
  return core.store.write((db) => {
    const now = core.clock.now();
    return resetDueTimes(db, { now, madeAfter: now + CLOCK_DIFFERENCE_MS, dueAfter: now + MAX_WAIT_MS });
  });
}

export interface TakenNotification extends LeasedNotification {
  readonly lease: string;
}

/** Leases due notifications that no other process has leased; `rooms` is their number for each lane. */
export async function takeNotifications(
  core: Core,
  rooms: readonly EndpointCapacity[],
): Promise<TakenNotification[]> {
  if (rooms.length === 0) return [];
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const ids: string[] = [];
    for (const { lane, room } of rooms) {
      const due = await dueAt.all(db, { lane, now, limit: room });
      ids.push(...due.map(({ id }) => id));
    }
    if (ids.length === 0) return [];
    const lease = newRowId(core.random, now, 'attempt');
    const taken = await leaseDue(db, { by: lease, until: now + LEASE_MS, now }, ids);
    return taken.map((notification) => ({ ...notification, lease }));
  });
}

/** Result for a brand whose secret was sealed with another key file; it must not stop the others. */
const UNSIGNED: AttemptResult = {
  outcome: 'unsigned',
  status: null,
  detail: "the brand's secret cannot be decrypted with this secret.key; nothing was sent",
  answer: null,
  redirect: null,
  ms: 0,
  retryAfterS: null,
};

/** @returns the result. Writes nothing. */
export async function sendNotification(
  core: Core,
  sender: NotificationSender,
  notification: SealedSecrets &
    Pick<LeasedNotification, 'id' | 'url' | 'format' | 'content' | 'plugin' | 'tries' | 'test_of'>,
): Promise<AttemptResult> {
  const { id, url, format, content, plugin, tries, test_of } = notification;
  const at = core.clock.now();
  let secrets: readonly string[];
  try {
    secrets = validSecrets(core, notification, at);
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return UNSIGNED;
    throw error;
  }
  const allowed = privateWebhooks(core.settings, test_of !== null);
  return sender.send({
    url,
    content,
    contentType: contentType(format),
    headers: signatureHeaders({ id, at, content, secrets, also: findPlugin(plugin)?.signatures, tries }),
    allowPrivate: allowed === true || (allowed === 'loopback' && isOnLoopback(url)),
  });
}

const isOnLoopback = (url: string) => URL.canParse(url) && isLoopbackHook(new URL(url));

/** @param at start of the attempt. @param askedBy `schedule`, or the operator who requested the attempt. */
export async function recordAttempt(
  core: Core,
  notification: TakenNotification,
  result: AttemptResult,
  { at, askedBy }: { readonly at: number; readonly askedBy: string },
): Promise<AfterAttempt> {
  const { id, lease } = notification;
  const tries = notification.tries + 1;
  const [low = 0, high = 0] = core.random(2);
  const after = afterAttempt(result, tries, (low + 256 * high) / 65_536);
  const attempt = newRowId(core.random, at, 'attempt');
  await core.store.write(async (db) => {
    const now = core.clock.now();
    const { retryAfterS: _retry, redirect: _target, ms, ...told } = result;
    const made = { id: attempt, notification_id: id, at, ms: Math.round(ms), asked_by: askedBy };
    await insertAttempt(db, { ...made, ...told });
    const { state } = after;
    const isOver = state !== 'PENDING';
    const times = { nextAt: isOver ? now : now + after.waitMs, closedAt: isOver ? now : null };
    const settled = await settleNotification.first(db, { id, lease, state, tries, ...times });
    if (settled === undefined && state === 'DELIVERED') await closeDelivered.all(db, { id, now });
    if (settled !== undefined && state === 'FAILED') await tellDead(core, db, notification, result.outcome);
  });
  return after;
}

/** Time between alerts, per brand and address: an unreachable shop can abandon hundreds of notifications. */
const INCIDENT_MS = 3_600_000;

async function tellDead(
  core: Core,
  db: Db,
  { brand_id: brandId, lane, url }: TakenNotification,
  outcome: AttemptOutcome,
): Promise<void> {
  const brand = await findBrand(db, brandId);
  if (brand === undefined) return;
  const host = URL.canParse(url) ? new URL(url).hostname : '…';
  await raiseAlert(core, db, {
    kind: 'webhook.failed',
    detail: { brand: brand.name, host, outcome },
    merchantId: brand.merchant_id,
    incident: `webhook.failed:${lane}:${Math.floor(core.clock.now() / INCIDENT_MS)}`,
  });
}
