/** Raises what owners hear of money, inside the unit of work that completes a payment or asks a person. */
import { formatTaka } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { Db } from '../../store/schema/index.js';
import { askedPayment, toldPayment } from '../../store/tables/alerts.js';
import type { Means } from '../core/core.js';
import { raiseAlert } from './raise-alert.js';

/** @param session has just been completed. */
export async function tellPayment(core: Means, db: Db, session: string): Promise<void> {
  const row = await toldPayment.first(db, { session });
  if (row === undefined) return;
  const { gateway_reference: payment, channel, reference, brand, cus_name: customer } = row;
  await raiseAlert(core, db, {
    kind: 'payment.completed',
    detail: { payment, channel, reference, amount: formatTaka(row.amount_paisa), brand, customer },
    merchantId: row.merchant_id,
    incident: `payment.completed:${session}`,
  });
}

interface Asked {
  /** Of the verification. */
  readonly id: string;
  readonly session: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly reason: string;
}

/** @param by the SMS or push for which it is told once more; absent for the first time. */
export async function tellReview(core: Means, db: Db, asked: Asked, by?: string): Promise<void> {
  const { id: verification, session, channel, reference, reason } = asked;
  const row = await askedPayment.first(db, { session });
  if (row === undefined) return;
  const { gateway_reference: payment, brand, cus_name: customer } = row;
  const amount = formatTaka(dueOn(channel, row).totalPaisa);
  await raiseAlert(core, db, {
    kind: 'review.waiting',
    detail: { payment, channel, reference, verification, reason, amount, brand, customer },
    merchantId: row.merchant_id,
    incident: `review.waiting:${verification}${by === undefined ? '' : `:${by}`}`,
  });
}
