/** API v1 verify: the state of a payment by its reference. */
import { KashboxError } from '../../base/errors/errors.js';
import { storableText } from '../../base/values/text.js';
import { idInPasted } from '../../domain/matching/reference.js';
import { parseNotificationId } from '../../domain/notifications/notification.js';
import { findPlugin } from '../../domain/plugins/plugins.js';
import { type PaymentRecord, toOrderDetails } from '../../domain/sessions/payment-record.js';
import { statusAt } from '../../domain/sessions/session.js';
import { codeByToken, lastClaim, sessionByReference } from '../../store/tables/checkout.js';
import { notificationOfBrand } from '../../store/tables/notifications.js';
import { refundsOfPayment } from '../../store/tables/refunds.js';
import { partsOf } from '../../store/tables/sessions.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';

/** The transaction record of a hosted payment. */
export interface FoundPayment extends PaymentRecord {
  /** True while an operator has to decide about its money. */
  readonly isUnderReview: boolean;
  /** Its refunds in any state, oldest first. */
  readonly refunds: Awaited<ReturnType<typeof refundsOfPayment.all>>;
}

/** Maximum length of input, longer than any reference that exists. */
const MAX_REFERENCE = 160;

/**
 * @param input.reference the channel's reference of a credited payment, the gateway reference, or the session
 * id. Case and surrounding text are ignored; from a complete SMS, its id is used.
 * @throws KashboxError `transaction_not_found`, also for another brand's payment; `notification_only` for a
 * completed payment of a brand whose program would accept any order by its id (domain/plugins/plugin-table,
 * `Binding`), unless the reference is the id in a notification not delivered yet
 */
export async function findPayment(
  core: Core,
  input: { readonly brand: BrandContext; readonly reference: string },
): Promise<FoundPayment> {
  const { brandId: brand, plugin } = input.brand;
  const exact = input.reference.trim();
  const typed = idInPasted(exact) ?? exact;
  const isReference = typed !== '' && typed.length <= MAX_REFERENCE && storableText(exact) === exact;
  if (!isReference) throw new KashboxError('transaction_not_found');
  const id = parseNotificationId(typed);
  const found = await core.store.read(async (db) => {
    const notified = id === null ? undefined : await notificationOfBrand.first(db, { id, brand });
    const named = notified?.session_id ?? typed;
    const session = await sessionByReference.first(db, {
      brand,
      id: named.toLowerCase(),
      // Wallets' ids are kept in upper case, hashes in lower, a bank's references as they came.
      reference: named.toUpperCase(),
      exact: notified?.session_id ?? exact,
    });
    if (session === undefined) return undefined;
    const isBound = findPlugin(plugin)?.binds === 'notification' && session.status === 'COMPLETED';
    if (isBound && notified?.state !== 'PENDING') throw new KashboxError('notification_only');
    const claim =
      session.paid_channel === null ? await lastClaim.first(db, { session: session.id }) : undefined;
    const parts = await partsOf(db, session);
    const channel = session.paid_channel ?? claim?.channel ?? parts.at(-1)?.channel ?? null;
    // An open payment has none.
    const refunds =
      session.status === 'PENDING' ? [] : await refundsOfPayment.all(db, { session: session.id });
    return { session, channel, parts, refunds };
  });
  if (found === undefined) throw new KashboxError('transaction_not_found');
  const { session, channel, parts, refunds } = found;
  const { status, reason } = statusAt(session, core.clock.now());
  return {
    ...toOrderDetails(session, input.brand.isTest),
    transactionId: session.paid_reference ?? session.gateway_reference,
    channel,
    status,
    isUnderReview: status === 'PENDING' && reason === 'review',
    paidPaisa: session.paid_paisa - session.paid_fee_paisa,
    parts,
    refunds,
    units: session.paid_units,
    receiver: session.paid_units === null ? null : session.paid_recipient,
  };
}

/** @returns the text of a session's QR code by the name that create has given out; null where none is. */
export async function findCode(core: Core, token: string): Promise<string | null> {
  const row = await core.store.read((db) => codeByToken.first(db, { token }));
  return row?.payload ?? null;
}
