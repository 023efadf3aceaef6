/** Completes a refund: by rule when the money has left, or on the word of an operator. */
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { addRefunded, changeRefund, type RefundRow } from '../../store/tables/refunds.js';
import type { WriteDeps } from '../core/core.js';
import { recordNotification } from '../notifications/record-notification.js';

interface RefundTransfer {
  /** Id of the transfer in the provider's text, or its hash. */
  readonly reference: string;
  /** What sending it cost the shop; null if it is not known. */
  readonly feePaisa: number | null;
  /** Row of the transfer; null if only the operator says that the money was sent. */
  readonly sentId: string | null;
  /** `rule`, or the operator. */
  readonly who: string;
  /** The operator's note. */
  readonly note?: string;
}

/**
 * Completes a pending refund, adds it to its payment and notifies the shop's program. Call it in the database
 * transaction that has locked the merchant.
 * @returns false, and nothing is written, if the refund was no longer pending.
 */
export async function completeRefund(
  core: WriteDeps,
  db: Db,
  refund: Omit<RefundRow, 'seen_transfer'>,
  { reference, feePaisa, sentId, who, note }: RefundTransfer,
): Promise<boolean> {
  const { id, session_id: session, amount_paisa: paisa } = refund;
  const isDone = await changeRefund(db, id, {
    state: 'COMPLETED',
    closed_at: core.clock.now(),
    closed_by: who,
    reference,
    fee_paisa: feePaisa,
    sent_id: sentId,
  });
  if (!isDone) return false;
  const { channel, payee } = refund;
  const after = { session, channel, payee, paisa, reference, fee: feePaisa, sent: sentId, note };
  await audit(core, db, who, who === 'rule' ? 'refund.complete' : 'refund.close', id, { after });
  if (session === null) return true;
  await addRefunded.all(db, { session, paisa });
  const sent = { id, amountPaisa: paisa, channel, transactionId: reference, feePaisa };
  await recordNotification(core, db, session, null, 'payment.refunded', sent);
  return true;
}
