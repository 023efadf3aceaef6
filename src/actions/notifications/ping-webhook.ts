/** Sends a test notification to a brand's address at once, and records the result. */
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { quoted } from '../../base/values/text.js';
import { shownAddress } from '../../domain/notifications/address.js';
import { destinationOf } from '../../domain/notifications/fair-share.js';
import { notificationContent } from '../../domain/notifications/notification.js';
import type { Sender } from '../../notify/send.js';
import { insertAttempt, insertNotification } from '../../store/tables/notifications.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { sendNotification } from './deliver-notification.js';
import type { AttemptView } from './list-notifications.js';

export interface Pinged {
  /** Id of the notification that it is kept as. */
  readonly id: string;
  readonly brand: string;
  /** Without the values of its query. */
  readonly url: string;
  readonly state: 'DELIVERED' | 'DEAD';
  readonly attempt: AttemptView;
}

/**
 * @param input.brand identifier or name.
 * @returns what came of it, also where it was not delivered.
 * @throws KashboxError `not_found`, `invalid_input` (the brand has no address)
 */
export async function pingWebhook(
  core: Core,
  sender: Sender,
  input: { readonly brand: string; readonly who: string },
): Promise<Pinged> {
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
  const { outcome, status, detail, answer, ms } = await sendNotification(core, sender, sent);
  const state = outcome === 'delivered' ? 'DELIVERED' : 'DEAD';
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
      ...destinationOf(brand.id, url),
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
  return { id, brand: brand.name, url: shownAddress(url), state, attempt: { ...attempt, at: dhakaIso(at) } };
}
