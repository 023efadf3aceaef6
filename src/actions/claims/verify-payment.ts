/** A claim made by an operator: the payment is found first, whatever brand it belongs to. */

import { formatTaka } from '../../base/values/money.js';
import { brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { showPayment } from '../sessions/list-payments.js';
import { verifyClaim } from './verify-claim.js';

/**
 * @param named session id or gateway reference.
 * @throws KashboxError as `showPayment` and `verifyClaim`
 */
export async function verifyPayment(core: Core, named: string, method: string, reference: string) {
  const payment = await showPayment(core, named);
  const brand = await brandContext(core, payment.brand);
  const { outcome, record } = await verifyClaim(core, { brand, sessionId: payment.id, method, reference });
  return {
    outcome,
    id: payment.id,
    gateway_reference: payment.gateway_reference,
    brand: payment.brand,
    status: record.status,
    amount: formatTaka(record.amountPaisa),
    payment_method: record.channel,
    transaction_id: record.transactionId,
    cus_name: record.cusName,
  };
}
