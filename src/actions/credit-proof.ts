/**
 * Writes the one row that says that a proof is spent, and by whom, inside the unit of work that decided it. A
 * rule and a person credit by the same function: whatever one of them has credited is spent for the other.
 */
import { newRowId } from '../base/ids.js';
import type { Paisa } from '../base/money.js';
import { readShopNumber } from '../domain/reference.js';
import { RetryableConflict } from '../store/driver-errors.js';
import { insertMany } from '../store/hot.js';
import type { CreditedNameTable, Db } from '../store/schema.js';
import { holderOfReference } from '../store/tables/proofs.js';
import { creditedNames } from '../store/tables/seen-proofs.js';
import { insertTransaction } from '../store/tables/sessions.js';
import type { Core } from './core.js';
import type { ClaimedProof } from './settle-claim.js';

export interface Crediting {
  readonly session: { readonly id: string; readonly brand_id: string };
  readonly proof: ClaimedProof;
  /** All that was paid, and the fee in it. */
  readonly paisa: Paisa;
  readonly feePaisa: Paisa;
  /** `rule`, or who approved it. */
  readonly by: string;
}

/**
 * @returns `taken` where its reference was credited before, or the session is paid.
 * @throws RetryableConflict where another of its ids was credited after `isSpent` had been asked.
 */
export async function creditProof(core: Core, db: Db, crediting: Crediting): Promise<'credited' | 'taken'> {
  const { session, proof, paisa, feePaisa, by } = crediting;
  const { channel, reference, scope } = proof;
  const now = core.clock.now();
  const won = await insertTransaction.first(db, {
    id: newRowId(core.random, now, 'transaction'),
    session: session.id,
    brand: session.brand_id,
    proof: proof.id,
    channel,
    reference,
    scope,
    paisa,
    feePaisa,
    now,
    by,
  });
  if (won === undefined) return 'taken';
  const owner = { session_id: session.id, brand_id: session.brand_id };
  const rows = namesOf(proof).map((named): CreditedNameTable => ({ channel, ...named, ...owner }));
  const written = await insertMany(db, 'credited_names', rows, 'name');
  if (written.length < rows.length) throw new RetryableConflict('one of its ids was credited a moment ago');
  return 'credited';
}

type NamedProof = Omit<ClaimedProof, 'id'>;

interface Named {
  readonly name: string;
  /** Within what it is given out once. */
  readonly scope: string;
}

/**
 * Payments of an exchange have more than one id; of all others the reference is the only one. Two shops may
 * both have an order 1001: what a shop gave out itself is spent within its own account.
 */
function namesOf({ channel, reference, scope, otherNames = [] }: NamedProof): Named[] {
  if (channel !== 'exchange_pay') return [];
  return [...new Set([reference, ...otherNames])].map((name) => {
    const own = readShopNumber(name);
    return own === null ? { name, scope } : { name: own.number, scope: `${scope} ${own.account}` };
  });
}

/** Whether a proof was credited before, to whomever and under whichever of its ids. */
export async function isSpent(db: Db, proof: NamedProof): Promise<boolean> {
  const { channel, reference, scope } = proof;
  const names = namesOf(proof);
  if (names.length === 0)
    return (await holderOfReference.first(db, { channel, reference, scope })) !== undefined;
  for (const within of new Set(names.map((one) => one.scope))) {
    const own = names.filter((one) => one.scope === within).map(({ name }) => name);
    if ((await creditedNames(db, { channel, scope: within }, own)).length > 0) return true;
  }
  return false;
}
