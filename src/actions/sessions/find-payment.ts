/** API v1 verify: the state of a payment by its reference. */
import { KashboxError } from '../../base/errors/errors.js';
import type { Paisa } from '../../base/values/money.js';
import { storableText } from '../../base/values/text.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import { statusAt } from '../../domain/sessions/session.js';
import { lastClaim, sessionByReference } from '../../store/tables/checkout.js';
import { codeByToken } from '../../store/tables/codes.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';

/** The transaction record of docs/api.md, for a session in any state. */
export interface PaymentRecord {
  readonly cusName: string;
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  /** The channel's reference once something is credited, else the gateway reference. */
  readonly transactionId: string;
  /** JSON text of the merchant's object, or null. */
  readonly metaJson: string | null;
  /** Null until one is known. */
  readonly channel: PayChannel | null;
  readonly status: SessionStatus;
  /** USDT in base units as digits, and the account that received it; null where taka were paid. */
  readonly units: string | null;
  readonly receiver: string | null;
}

/** Longer than any reference that is given out. */
const MAX_REFERENCE = 128;

/**
 * @param input.reference the channel's reference of a credited payment, the gateway reference, or the id of
 * the session; case and surrounding spaces do not count.
 * @throws KashboxError `transaction_not_found`, also where another brand has it
 */
export async function findPayment(
  core: Core,
  input: { readonly brand: BrandContext; readonly reference: string },
): Promise<PaymentRecord> {
  const typed = input.reference.trim();
  const isReference = typed !== '' && typed.length <= MAX_REFERENCE && storableText(typed) === typed;
  if (!isReference) throw new KashboxError('transaction_not_found');
  const found = await core.store.read(async (db) => {
    const session = await sessionByReference.first(db, {
      brand: input.brand.brandId,
      id: typed.toLowerCase(),
      // Wallets' ids are kept in upper case, hashes in lower, a bank's references as they came.
      reference: typed.toUpperCase(),
      exact: typed,
    });
    if (session === undefined) return undefined;
    const claim =
      session.paid_channel === null ? await lastClaim.first(db, { session: session.id }) : undefined;
    return { session, channel: session.paid_channel ?? claim?.channel ?? null };
  });
  if (found === undefined) throw new KashboxError('transaction_not_found');
  const { session, channel } = found;
  return {
    cusName: session.cus_name,
    cusEmail: session.cus_email,
    amountPaisa: session.amount_paisa,
    transactionId: session.paid_reference ?? session.gateway_reference,
    metaJson: session.meta_data,
    channel,
    status: statusAt(session, core.clock.now()).status,
    units: session.paid_units,
    receiver: session.paid_units === null ? null : session.paid_recipient,
  };
}

/** @returns the text of a session's QR code by the name that create has given out; null where none is. */
export async function findCode(core: Core, token: string): Promise<string | null> {
  const row = await core.store.read((db) => codeByToken.first(db, { token }));
  return row?.payload ?? null;
}
