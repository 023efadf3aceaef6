/**
 * A push by which money has moved becomes a proof, and the claims that wait for it are settled. Runs inside
 * the unit of work that stored it; whether it is the first word on that payment was decided before.
 */
import { newRowId } from '../../base/values/ids.js';
import { QR } from '../../domain/accounts/channels.js';
import { mayBeCountedTwice } from '../../domain/matching/push-repeat.js';
import { insertMany } from '../../store/compiled-rows.js';
import type { Db, NewProof, PushTable } from '../../store/schema/index.js';
import { sameReferenceElsewhere } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { NONE, type SettlementResult } from '../settlement/settled-sessions.js';
import { settlePush } from './settle-push.js';

/**
 * @param row `SETTLED`, as it is stored.
 * @param isSuspended of its merchant: it then becomes a proof and settles nothing.
 */
export async function creditPush(
  core: Core,
  db: Db,
  row: PushTable,
  isSuspended: boolean,
): Promise<SettlementResult> {
  const isDoubtful = await isKnownElsewhere(db, row);
  const proof = proofOf(core, row, isDoubtful);
  const [fresh] = await insertMany(db, 'proofs', [proof], 'id');
  if (fresh === undefined || isSuspended) return NONE;
  return settlePush(core, db, {
    merchantId: row.merchant_id,
    proof,
    amountPaisa: row.amount_paisa ?? 0,
    bill: row.bill,
    at: proof.at,
    isDoubtful,
  });
}

/** An acquirer that was made again has a scope of its own, and its bank may report the same money again. */
async function isKnownElsewhere(db: Db, row: PushTable): Promise<boolean> {
  const { merchant_id: merchant, acquirer_id: scope } = row;
  const reference = row.reference ?? '';
  const key = { merchant, reference, upper: reference.toUpperCase(), scope };
  const others = await sameReferenceElsewhere.all(db, key);
  return others.some(({ credited, ...other }) =>
    mayBeCountedTwice(row, { ...other, isCredited: credited !== null }),
  );
}

function proofOf(core: Core, row: PushTable, isDoubtful: boolean): NewProof {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: row.merchant_id,
    channel: QR,
    reference: row.reference ?? '',
    amount_paisa: row.amount_paisa,
    recipient: row.merchant_code,
    payer: row.payer,
    kind: 'bank_push',
    settle: isDoubtful ? 'review' : 'auto',
    // A bank's clock may be ahead, its money is not; what is read again is no younger for it.
    at: Math.min(row.paid_at ?? row.received_at, row.received_at),
    source_id: row.id,
    created_at: now,
    scope: row.acquirer_id,
    aliases: JSON.stringify(row.bill === null ? [] : [row.bill]),
    units: null,
    evidence: null,
  };
}
