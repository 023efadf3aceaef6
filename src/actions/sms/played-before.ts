/**
 * Texts that were played for a test brand are read on its page by whoever has the link. If one of them comes
 * to a real phone it is none of the wallet's, whoever seems to have sent it: no rule takes it for money.
 */
import type { Db, PlainProof } from '../../store/schema/index.js';
import { playedReferences } from '../../store/tables/sessions.js';
import type { Prepared } from './prepare-sms.js';

const nameOf = ({ channel, reference }: Pick<PlainProof, 'channel' | 'reference'>) =>
  `${channel} ${reference}`;

/**
 * @param proofs of one merchant.
 * @returns them, those of ids that its tests invented for a person to look at.
 */
export async function doubtPlayed<Proof extends PlainProof>(
  db: Db,
  proofs: readonly Proof[],
): Promise<readonly Proof[]> {
  const merchant = proofs[0]?.merchant_id;
  if (merchant === undefined) return proofs;
  const references = [...new Set(proofs.map(({ reference }) => reference))];
  const played = new Set((await playedReferences(db, { merchant }, references)).map(nameOf));
  if (played.size === 0) return proofs;
  return proofs.map((proof) => (played.has(nameOf(proof)) ? { ...proof, settle: 'review' } : proof));
}

/** The same of messages as they are stored. */
export async function doubtPlayedTexts(db: Db, prepared: readonly Prepared[]): Promise<readonly Prepared[]> {
  const proofs = await doubtPlayed(
    db,
    prepared.flatMap((item) => item.proofs),
  );
  const doubted = new Set(proofs.filter(({ settle }) => settle === 'review').map(({ id }) => id));
  return prepared.map((item) => {
    if (!item.proofs.some(({ id, settle }) => settle === 'auto' && doubted.has(id))) return item;
    const reasons = [...(JSON.parse(item.row.reasons) as string[]), 'played_here'];
    return {
      ...item,
      row: { ...item.row, settle: 'review', reasons: JSON.stringify(reasons) },
      proofs: item.proofs.map((proof) => ({ ...proof, settle: 'review' })),
    };
  });
}
