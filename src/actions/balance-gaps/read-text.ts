/** An SMS of the store as the chain of balances reads it. */
import { isCredit } from '../../channels/mfs/index.js';
import type { ReadText } from '../../domain/balance-gaps/balance-link.js';
import type { ChainSms } from '../../store/tables/gaps.js';

/** When its money moved: what the text says, else when it was received. */
export function momentOf(sms: { readonly at: string | null; readonly received_at: number }): number {
  const ms = sms.at === null ? Number.NaN : Date.parse(sms.at);
  return Number.isNaN(ms) ? sms.received_at : ms;
}

export function textOf(row: ChainSms): ReadText {
  return {
    id: row.id,
    body: row.body,
    kind: row.kind,
    credit: isCredit(row.kind),
    amountPaisa: row.amount_paisa,
    feePaisa: row.fee_paisa,
    balancePaisa: row.balance_paisa,
    trxId: row.trx_id,
    format: row.format,
    reasons: JSON.parse(row.reasons) as string[],
    atMs: momentOf(row),
  };
}
