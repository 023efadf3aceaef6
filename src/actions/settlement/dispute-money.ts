/**
 * Disputes: a later text or push contradicts known money. Rules no longer credit it, and its pending refunds
 * are cancelled; a payment already completed with it goes to review, and operator and shop are notified. Runs
 * in the database transaction that stores the text.
 */
import { newRowId } from '../../base/values/ids.js';
import { formatTaka } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { contradicts, type LaterText, reportsReceivedMoney } from '../../domain/matching/contrary.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { audit } from '../../store/tables/audit.js';
import {
  disputedPayment,
  disputeProof,
  moneyNamed,
  nonSettlingSms,
  openDispute,
  proofOfSource,
  recordLaterSms,
  reopenUnrefunded,
} from '../../store/tables/money.js';
import { changeRefund, refundsOf } from '../../store/tables/refunds.js';
import { openReviewsOfMoney } from '../../store/tables/reviews.js';
import { raiseAlert, raiseReviewAlert } from '../alerts/raise-alert.js';
import type { WriteDeps } from '../core/core.js';
import { recordNotification } from '../notifications/record-notification.js';

/** A text with the ids that it names. */
export interface TextMentioningId extends LaterText {
  /** Id of the SMS row. */
  readonly id: string;
  readonly channel: PayChannel;
  readonly ids: readonly string[];
}

interface ArrivedMoney {
  readonly id: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly amount_paisa: number | null;
  readonly recipient: string | null;
}

/**
 * Disputes money that other texts contradict, whether they arrive after the money or before it.
 * @param came new texts and newly known money, all already stored.
 * @returns ids of the sessions that went to manual review.
 */
export async function disputeMoney(
  core: WriteDeps,
  db: Db,
  merchant: string,
  came: { readonly texts: readonly TextMentioningId[]; readonly money: readonly ArrivedMoney[] },
): Promise<string[]> {
  const disputed: string[] = [];
  for (const text of came.texts) {
    if (text.ids.length === 0) continue;
    const known = await moneyNamed(db, { merchant, channel: text.channel }, text.ids);
    for (const money of known) {
      if (reportsReceivedMoney(text))
        await recordLaterSms.all(db, { proof: money.id, evidence: JSON.stringify(text.id) });
      if (!contradicts(text, money) && !(await cameElsewhere(db, text, money))) continue;
      disputed.push(...(await dispute(core, db, money.id, text.id)));
    }
  }
  const references = [...new Set(came.money.map(({ reference }) => reference))];
  for (const row of references.length === 0 ? [] : await nonSettlingSms(db, { merchant }, references)) {
    const reasons = JSON.parse(row.reasons) as string[];
    const text = {
      kind: row.kind,
      amountPaisa: row.amount_paisa,
      recipient: row.recipient,
      isTakenBack: reasons.includes('transaction_reversed'),
    };
    const money = came.money.find(
      ({ channel, reference }) => channel === row.channel && reference === row.trx_id,
    );
    // Nobody can have been credited with what was not known until now.
    if (money !== undefined && contradicts(text, money)) await dispute(core, db, money.id, row.id);
  }
  return disputed;
}

/**
 * True if money that was credited on an operator's word arrived elsewhere: the number that received it was
 * unknown, and the SMS shows one that the payment's brand never had.
 */
async function cameElsewhere(
  db: Db,
  text: TextMentioningId,
  { recipient, credited_brand: brand }: Awaited<ReturnType<typeof moneyNamed>>[number],
): Promise<boolean> {
  if (recipient !== null || text.recipient === null || brand === null || !reportsReceivedMoney(text))
    return false;
  const accounts = await accountsOfBrand.all(db, { brand });
  return !accounts.some((one) => one.channel === text.channel && one.number === text.recipient);
}

/**
 * The money may have gone back already: sent again, it would be lost.
 * @param of the payment, of whose money a refund of another part may contain this one; else the money.
 */
async function cancelRefunds(
  core: WriteDeps,
  db: Db,
  of: Parameters<typeof refundsOf>[1],
  by: string,
): Promise<void> {
  for (const refund of await refundsOf(db, of)) {
    const change = { state: 'CANCELLED', closed_at: core.clock.now(), closed_by: 'rule' } as const;
    if (!(await changeRefund(db, refund.id, change))) continue;
    const note = 'A later message says that the money was returned or was another sum.';
    await audit(core, db, 'rule', 'refund.cancel', refund.id, { after: { note, by } });
    if (refund.session_id === null) await reopenUnrefunded(db, refund.proof_id);
  }
}

/** @param source id of the push that reported the money. @param by id of the push that contradicts it. */
export async function disputeByPush(
  core: WriteDeps,
  db: Db,
  { source, by }: { readonly source: string; readonly by: string },
): Promise<string[]> {
  const proof = await proofOfSource(db, source);
  return proof === undefined ? [] : dispute(core, db, proof.id, by);
}

/** @returns the session that was completed with it, if any. */
async function dispute(core: WriteDeps, db: Db, proof: string, by: string): Promise<string[]> {
  if ((await disputeProof.first(db, { proof, by })) === undefined) return [];
  // Whoever was asked about this money has read other facts.
  for (const asked of await openReviewsOfMoney(db, proof)) await raiseReviewAlert(core, db, asked, by);
  const payment = await disputedPayment.first(db, { proof });
  await cancelRefunds(
    core,
    db,
    payment === undefined ? { proofs: [proof] } : { session: payment.session_id },
    by,
  );
  if (payment === undefined) return [];
  const { session_id: session, channel, reference } = payment;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'review');
  await openDispute.first(db, { id, session, channel, reference, proof, now });
  await audit(core, db, 'rule', 'payment.dispute', session, { after: { channel, reference, proof, by } });
  await raiseAlert(core, db, {
    kind: 'payment.disputed',
    detail: {
      payment: payment.gateway_reference,
      channel,
      reference,
      amount: formatTaka(payment.amount_paisa),
    },
    merchantId: payment.merchant_id,
    incident: `payment.disputed:${proof}`,
  });
  await recordNotification(core, db, session, null, 'payment.disputed');
  return [session];
}
