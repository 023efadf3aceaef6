/** What the shop is told of a payment, in whichever answer or message it is told. */
import type { Paisa } from '../../base/values/money.js';
import type { SessionStatus } from './session.js';
import type { CreditedUsdt } from './usdt-record.js';

/** What the shop said when it opened the payment. */
interface Ordered {
  readonly cusName: string;
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  /** JSON text of the merchant's object, or null. */
  readonly metaJson: string | null;
  /** Of a test brand: nothing of it is money. */
  readonly isTest: boolean;
}

/** The transaction record of docs/api.md, for a session in any state. */
export interface PaymentRecord extends Ordered, CreditedUsdt {
  /** The channel's reference once something is credited, else the gateway reference. */
  readonly transactionId: string;
  readonly status: SessionStatus;
  /** Taka that were credited, without the fee; 0 while nothing is. */
  readonly paidPaisa: Paisa;
}

/**
 * @param write as the same answer writes `amount`.
 * @returns `paid_amount` of a completed payment for which a person has accepted another sum than was asked
 *   for; nothing of all others: their fields stay the same.
 */
export function paidField<Written>(
  { status, amountPaisa, paidPaisa }: Pick<PaymentRecord, 'status' | 'amountPaisa' | 'paidPaisa'>,
  write: (paisa: Paisa) => Written,
): { paid_amount?: Written } {
  return status === 'COMPLETED' && paidPaisa !== amountPaisa ? { paid_amount: write(paidPaisa) } : {};
}

export function orderedOf(
  session: {
    readonly cus_name: string;
    readonly cus_email: string;
    readonly amount_paisa: Paisa;
    readonly meta_data: string | null;
  },
  isTest: boolean,
): Ordered {
  const { cus_name: cusName, cus_email: cusEmail, amount_paisa: amountPaisa, meta_data: metaJson } = session;
  return { cusName, cusEmail, amountPaisa, metaJson, isTest };
}

/** @returns `test: true` of a payment that is no money; nothing of all others: their fields stay the same. */
export const testField = (isTest: boolean) => (isTest ? { test: true as const } : {});
