/** A merchant asks whether a reference pays a session (spec 4.5, design.md section 5, "Verify (v2)"). */
import { KashboxError } from '../base/errors.js';
import { newRowId } from '../base/ids.js';
import type { Paisa } from '../base/money.js';
import { channelModule } from '../channels/index.js';
import { DISAGREEMENT_TEXT, type Disagreement } from '../domain/matching.js';
import { isOpen, type SessionStatus } from '../domain/session.js';
import type { Db } from '../store/schema.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { holderOfReference, proofByReference, putClaim } from '../store/tables/proofs.js';
import { countMiss, sessionOfBrand } from '../store/tables/sessions.js';
import type { BrandContext } from './brand-context.js';
import type { Core } from './core.js';
import { settleClaim } from './settle-claim.js';

export interface VerifyClaim {
  readonly brand: BrandContext;
  readonly sessionId: string;
  /** Channel identifier, already known to be one of spec 4.5. */
  readonly method: string;
  /** The customer's proof as it was typed. */
  readonly reference: string;
}

/** Transaction record of spec 2.5. */
export interface TransactionRecord {
  readonly cusName: string;
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  readonly transactionId: string;
  /** JSON text of the merchant's object, or null. */
  readonly metaJson: string | null;
  readonly channel: string;
  readonly status: SessionStatus;
}

export type VerifyOutcome =
  | { readonly outcome: 'completed'; readonly record: TransactionRecord }
  | { readonly outcome: 'under_review'; readonly record: TransactionRecord };

type Session = NonNullable<Awaited<ReturnType<typeof sessionOfBrand.first>>>;

/** What a unit of work found. Refusals are values, because a refusal too leaves rows that must stay. */
type Verdict =
  | { readonly outcome: 'completed' | 'under_review'; readonly session: Session }
  | {
      readonly outcome:
        | 'session_not_found'
        | 'session_completed'
        | 'too_many_attempts'
        | 'not_found'
        | 'already_credited';
    }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement };

/**
 * Idempotent: the same session and reference give the same answer for ever. A reference that is in no
 * record yet is kept as a claim and settles by itself when its proof arrives.
 * @throws KashboxError `invalid_input`, `method_unavailable`, `session_not_found`, `session_completed`,
 * `transaction_not_found`, `already_credited`, `proof_disagrees`, `too_many_attempts`
 */
export async function verifyClaim(core: Core, input: VerifyClaim): Promise<VerifyOutcome> {
  const channel = channelModule(input.method);
  if (channel === undefined) throw new KashboxError('method_unavailable');
  const read = channel.readReference(input.reference);
  if (read.outcome === 'invalid') throw new KashboxError('invalid_input', { message: read.fault });
  const reference = read.outcome === 'id' ? read.reference : null;
  const verdict = await core.store.write((db) => decide(core, db, input, reference));
  const shown = reference ?? input.reference;
  switch (verdict.outcome) {
    case 'completed':
      return { outcome: 'completed', record: recordOf(verdict.session, input.method, shown, 'COMPLETED') };
    case 'under_review':
      return { outcome: 'under_review', record: recordOf(verdict.session, input.method, shown, 'PENDING') };
    case 'not_found':
      throw new KashboxError('transaction_not_found');
    case 'disagrees':
      throw new KashboxError('proof_disagrees', { message: DISAGREEMENT_TEXT[verdict.about] });
    case 'session_not_found':
    case 'session_completed':
    case 'too_many_attempts':
    case 'already_credited':
      throw new KashboxError(verdict.outcome);
    default:
      return verdict satisfies never;
  }
}

async function decide(core: Core, db: Db, input: VerifyClaim, reference: string | null): Promise<Verdict> {
  const { brand, method } = input;
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: brand.brandId });
  if (session === undefined) return { outcome: 'session_not_found' };
  if (session.status === 'COMPLETED') {
    const same = session.credited_channel === method && session.credited_reference === reference;
    return same ? { outcome: 'completed', session } : refuseOther(db, session, method, reference);
  }
  if (!isOpen(session, core.clock.now())) return { outcome: 'session_not_found' };
  if (session.misses >= core.settings.missesPerSession) return { outcome: 'too_many_attempts' };
  if (reference === null) {
    await countMiss.all(db, { id: session.id });
    return { outcome: 'not_found' };
  }
  const key = { merchant: brand.merchantId, channel: method, reference };
  let proof = await proofByReference.first(db, key);
  if (proof === undefined && db.engine !== 'sqlite') {
    // The SMS may be arriving in a unit of work that cannot see this claim, as this one cannot see it.
    await lockMerchant(db, brand.merchantId);
    proof = await proofByReference.first(db, key);
  }
  if (proof === undefined) {
    await keepClaim(core, db, session.id, key);
    return { outcome: 'not_found' };
  }
  // Also when it was credited to this very session, between the reading of the session and of the proof.
  if (proof.credited_session !== null) return afterLostRace(db, input, reference);
  const claiming = { ...session, merchant_id: brand.merchantId, proof_window_hours: brand.proofWindowHours };
  const settled = await settleClaim(core, db, claiming, proof);
  switch (settled.outcome) {
    case 'credited':
      return { outcome: 'completed', session };
    case 'taken':
      return afterLostRace(db, input, reference);
    case 'under_review':
      return { outcome: 'under_review', session };
    case 'disagrees':
      await countMiss.all(db, { id: session.id });
      return settled;
    default:
      return settled satisfies never;
  }
}

/** Another transaction, of this session or of this reference, was committed first: say as its winner. */
async function afterLostRace(db: Db, input: VerifyClaim, reference: string): Promise<Verdict> {
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: input.brand.brandId });
  if (session?.status === 'COMPLETED') {
    const same = session.credited_channel === input.method && session.credited_reference === reference;
    return { outcome: same ? 'completed' : 'session_completed', session };
  }
  return { outcome: 'already_credited' };
}

/** The session is paid by another reference; the one that came now may be spent elsewhere besides. */
async function refuseOther(
  db: Db,
  session: Session,
  channel: string,
  reference: string | null,
): Promise<Verdict> {
  const holder = reference === null ? undefined : await holderOfReference.first(db, { channel, reference });
  return {
    outcome:
      holder !== undefined && holder.session_id !== session.id ? 'already_credited' : 'session_completed',
  };
}

async function keepClaim(
  core: Core,
  db: Db,
  session: string,
  key: { merchant: string; channel: string; reference: string },
): Promise<void> {
  const now = core.clock.now();
  await putClaim.all(db, {
    id: newRowId(core.random, now, 'claim'),
    session,
    ...key,
    state: 'WAITING',
    reason: 'not_seen_yet',
    now,
    decidedAt: null,
  });
  await countMiss.all(db, { id: session });
}

function recordOf(
  session: Session,
  channel: string,
  transactionId: string,
  status: SessionStatus,
): TransactionRecord {
  return {
    cusName: session.cus_name,
    cusEmail: session.cus_email,
    amountPaisa: session.amount_paisa,
    transactionId,
    metaJson: session.meta_data,
    channel,
    status,
  };
}
