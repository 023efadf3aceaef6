/** What customers' claims use of the budget of strangers; a shop's server has a key, and uses nothing. */
import type { Db } from '../../store/schema/index.js';
import { linkOfSession } from '../../store/tables/links.js';
import type { Means } from '../core/core.js';
import type { ClaimKey } from '../settlement/keep-claim.js';
import { reviewOfClaim } from '../settlement/record-claim.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';
import type { Claim } from './claim-verdict.js';

/**
 * Of an id that is new for its payment, and under which no money is known.
 * @returns null where it may be kept.
 */
export async function useForId(
  core: Means,
  db: Db,
  { brand, source, addressMark = null }: Claim,
  isKnown: boolean | undefined,
): Promise<OverBudget | null> {
  if (source !== 'customer' || isKnown === true || addressMark === null) return null;
  const { brandId, merchantId } = brand;
  return useBudget(core, db, 'ids', { brandId, merchantId, link: null, addressMark });
}

/** The same of a claim for which a person is asked because its payment is over, unless one was before. */
export async function useForLate(
  core: Means,
  db: Db,
  { id: session, brand_id: brandId }: { readonly id: string; readonly brand_id: string },
  { merchant: merchantId, addressMark = null, channel, reference }: ClaimKey,
): Promise<OverBudget | null> {
  if ((await reviewOfClaim(db, { session, channel, reference })) !== undefined) return null;
  return useForVerification(core, db, { session, brandId, merchantId, addressMark });
}

interface AskingCustomer {
  readonly session: string;
  readonly brandId: string;
  readonly merchantId: string;
  readonly addressMark: string | null;
}

/** Of a new verification for which no money was seen. @returns null where it may be opened. */
export async function useForVerification(
  core: Means,
  db: Db,
  { session, ...customer }: AskingCustomer,
): Promise<OverBudget | null> {
  const link = (await linkOfSession.first(db, { session }))?.id ?? null;
  return useBudget(core, db, 'verifications', { ...customer, link });
}
