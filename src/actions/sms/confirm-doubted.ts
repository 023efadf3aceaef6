/**
 * Two apps of one phone may hand on one SMS, of which one has changed it: what is in no doubt itself ends the
 * doubt about the money that it reports. Runs inside the unit of work that stores it.
 */
import { isSpoiltCopy } from '../../domain/sms/spoilt-copy.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { reopenClaims } from '../../store/tables/proofs.js';
import { doubtedProof, replaceProof } from '../../store/tables/sms.js';
import type { Prepared } from './prepare-sms.js';

/**
 * Money that is credited or disputed, that a person has decided about, of another amount or for another
 * number stays as it is.
 * @param arrived SMS that are new. @param known the proofs that were not there before.
 */
export async function confirmDoubted(
  db: Db,
  arrived: readonly Prepared[],
  known: ReadonlySet<string>,
): Promise<void> {
  const confirmed: string[] = [];
  for (const { row, proofs } of arrived) {
    for (const proof of proofs) {
      if (proof.settle !== 'auto' || known.has(proof.id)) continue;
      const doubted = await doubtedProof(db, proof);
      if (doubted === undefined || isOther(doubted, proof)) continue;
      const { body, reasons } = doubted;
      if (!isSpoiltCopy({ body, reasons: JSON.parse(reasons) as string[] }, row.body)) continue;
      await replaceProof(db, doubted.id, proof);
      confirmed.push(row.id);
    }
  }
  await reopenClaims(db, confirmed, ['sms_doubtful', 'amount_unknown', 'recipient_unknown']);
}

type Money = Pick<PlainProof, 'amount_paisa' | 'recipient'>;

/** What one of the two does not say is no difference. */
function isOther(one: Money, other: Money): boolean {
  const differs = (a: number | string | null, b: number | string | null) =>
    a !== null && b !== null && a !== b;
  return differs(one.amount_paisa, other.amount_paisa) || differs(one.recipient, other.recipient);
}
