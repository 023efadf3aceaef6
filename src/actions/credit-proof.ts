/**
 * Writes the one row that says that a proof is spent, and by whom, inside the unit of work that decided it. A
 * rule and a person credit by the same function: whatever one of them has credited is spent for the other.
 */
import { newRowId } from '../base/ids.js';
import type { Paisa } from '../base/money.js';
import { isPulledChannel } from '../domain/channels.js';
import { RetryableConflict } from '../store/driver-errors.js';
import { insertMany } from '../store/hot.js';
import type { CreditedNameTable, Db } from '../store/schema.js';
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

/** @returns `taken` where it was credited before, under whichever of its ids, or the session is paid. */
export async function creditProof(core: Core, db: Db, crediting: Crediting): Promise<'credited' | 'taken'> {
  const { session, proof, paisa, feePaisa, by } = crediting;
  const { channel, reference, scope, otherNames = [] } = proof;
  const names = isPulledChannel(channel) ? [...new Set([reference, ...otherNames])] : [];
  if (names.length > 0 && (await isNameCredited(db, { channel, scope, names }))) return 'taken';
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
  if (names.length === 0) return 'credited';
  const owner = { session_id: session.id, brand_id: session.brand_id };
  const rows = names.map((name): CreditedNameTable => ({ channel, name, scope, ...owner }));
  const written = await insertMany(db, 'credited_names', rows, 'name');
  if (written.length < rows.length) throw new RetryableConflict('one of its ids was credited a moment ago');
  return 'credited';
}

/** @param names every id of what was seen outside, at least one. */
export async function isNameCredited(
  db: Db,
  {
    names,
    ...within
  }: { readonly channel: string; readonly scope: string; readonly names: readonly string[] },
): Promise<boolean> {
  return (await creditedNames(db, within, names)).length > 0;
}
