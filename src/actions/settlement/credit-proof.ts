/**
 * Credits a proof: writes the one row that marks it as spent, in the database transaction that decides. Rules
 * and operators use the same function, so a proof is spent once. Also checks if a claim names what was
 * credited.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { isTypedPayer, payerFits } from '../../domain/matching/payer.js';
import {
  creditedName,
  foldedReference,
  parseShopNumber,
  spendingScope,
} from '../../domain/matching/reference.js';
import { insertMany } from '../../store/compiled-rows.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { CreditedNameTable, Db } from '../../store/schema/index.js';
import { findClosedNote } from '../../store/tables/money.js';
import {
  creditedProof,
  findClaim,
  holdersOfNames,
  holdersOfReference,
  holdersWithin,
} from '../../store/tables/proofs.js';
import { addPaid, insertTransaction } from '../../store/tables/sessions.js';
import type { WriteDeps } from '../core/core.js';
import { learnId } from './learn-ids.js';

export interface ClaimedProof {
  /** Id of the proof's row. */
  readonly id: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly scope: string;
  /** The wallet number, or the account, that received it. */
  readonly recipient?: string | null;
  /** USDT in base units, as digits; null or absent where taka were paid. */
  readonly units?: string | null;
  /** Other ids of the payment; absent if there are none. */
  readonly otherNames?: readonly string[];
}

interface Crediting {
  /** The session as it was read: if more has been credited since, everything is decided again. */
  readonly session: { readonly id: string; readonly brand_id: string; readonly paid_paisa: Paisa };
  readonly proof: ClaimedProof;
  /** All that was paid, and the fee in it. */
  readonly paisa: Paisa;
  readonly feePaisa: Paisa;
  /** What is still due after it, without a fee; 0 completes the payment. */
  readonly restPaisa: Paisa;
  /** Author of the credit: `rule`, or the operator who approved it. */
  readonly by: string;
  /**
   * Id of a merchant who is credited in addition to another merchant: an operator has decided that the
   * message on the other's phone or account is no reason against it.
   */
  readonly beside?: string;
}

/**
 * @returns `taken` if its reference was credited before, or the session is already paid.
 * @throws KashboxError `state_refused` if an operator has closed the money; rules never credit closed money
 * @throws RetryableConflict if another of its ids was credited after the call of `findHolder`, the money was
 * closed after it was read, or another part was credited after the session was read.
 */
export async function creditProof(
  core: WriteDeps,
  db: Db,
  crediting: Crediting,
): Promise<'credited' | 'taken'> {
  const { session, proof, paisa, feePaisa, restPaisa, by, beside } = crediting;
  const { channel, reference } = proof;
  const within = (scope: string) => (beside === undefined ? scope : secondScope(scope, beside));
  if (by !== 'rule') await requireOpen(db, proof);
  const now = core.clock.now();
  const scope = within(spendingScope(proof));
  const isNew = await insertTransaction(db, {
    id: newRowId(core.random, now, 'transaction'),
    session_id: session.id,
    brand_id: session.brand_id,
    proof_id: proof.id,
    channel,
    reference,
    scope,
    folded: CHANNEL[channel].kind === 'manual' ? foldedReference(reference) : null,
    amount_paisa: paisa,
    fee_paisa: feePaisa,
    rest_paisa: restPaisa,
    credited_at: now,
    credited_by: by,
  });
  if (!isNew) {
    // Another part, after which the same rest is due, may have been credited a moment ago.
    const name = { channel, reference, scope, beside: scope };
    if (restPaisa > 0 && (await holdersWithin.all(db, name)).length === 0) {
      throw new RetryableConflict('another part was credited a moment ago');
    }
    return 'taken';
  }
  const added = { session: session.id, was: session.paid_paisa, paisa, feePaisa };
  if ((await addPaid.first(db, added)) === undefined) {
    throw new RetryableConflict('the payment was credited with other money a moment ago');
  }
  // With SQLite's one writer nobody can have closed it since it was read.
  if (db.engine !== 'sqlite' && (await closedNote(db, proof)) !== null)
    throw new RetryableConflict('the money was closed a moment ago');
  const owner = { session_id: session.id, brand_id: session.brand_id };
  const rows = namesOf(proof).map(
    (one): CreditedNameTable => ({ channel, name: one.name, scope: within(one.scope), ...owner }),
  );
  const written = await insertMany(db, 'credited_names', rows, 'name');
  if (written.length < rows.length) throw new RetryableConflict('one of its ids was credited a moment ago');
  await learnId(core, db, proof, by);
  return 'credited';
}

async function closedNote(db: Db, { id }: ClaimedProof): Promise<string | null> {
  return (await findClosedNote.first(db, { proof: id }))?.closed_note ?? null;
}

async function requireOpen(db: Db, proof: ClaimedProof): Promise<void> {
  const note = await closedNote(db, proof);
  if (note === null) return;
  const { reference } = proof;
  throw new KashboxError('state_refused', {
    message: `The money ${reference} was closed and settles no payment: ${note}`,
    hint: `If that was a mistake, reopen it: kashbox sms reopen ${reference} --note WHY`,
  });
}

type NamedProof = Omit<ClaimedProof, 'id'>;

interface ScopedName {
  readonly name: string;
  /** Scope within which the name is unique. */
  readonly scope: string;
}

/**
 * Payments of an exchange have more than one id; of all others the reference is the only one. Two shops may
 * both have an order 1001: what a shop gave out itself is spent within its own account.
 */
function namesOf({ channel, reference, scope, otherNames = [] }: NamedProof): ScopedName[] {
  if (!CHANNEL[channel].hasManyIds) return [];
  return [...new Set([reference, ...otherNames])].map((name) => {
    const own = parseShopNumber(name);
    return own === null ? { name, scope } : { name: own.number, scope: `${scope} ${own.account}` };
  });
}

/** Scope of a credit that a merchant gets in addition to another merchant's credit. */
function secondScope(scope: string, merchant: string): string {
  return `${scope} ${merchant}`.trimStart();
}

/** Owner of an earlier credit of a proof, under any of its ids. */
export type Holder =
  | { readonly by: 'nobody' }
  /** Earlier credit to the same merchant; `session` is the session that was credited. */
  | { readonly by: 'merchant'; readonly session: string }
  /** Earlier credit to another merchant, whose message, address or account decides nothing: needs review. */
  | { readonly by: 'other_merchant' };

export async function findHolder(db: Db, merchant: string, proof: NamedProof): Promise<Holder> {
  const holders = await findHolders(db, merchant, proof);
  const own = holders.find((holder) => holder.merchant_id === merchant);
  if (own !== undefined) return { by: 'merchant', session: own.session_id };
  return { by: holders.length === 0 ? 'nobody' : 'other_merchant' };
}

async function findHolders(db: Db, merchant: string, proof: NamedProof) {
  const { channel, reference } = proof;
  const names = namesOf(proof);
  if (names.length === 0) {
    const scope = spendingScope(proof);
    return holdersWithin.all(db, { channel, reference, scope, beside: secondScope(scope, merchant) });
  }
  const found = [];
  for (const scope of new Set(names.map((one) => one.scope))) {
    const own = names.filter((one) => one.scope === scope).map(({ name }) => name);
    found.push(...(await holdersOfNames(db, { channel, scope, beside: secondScope(scope, merchant) }, own)));
  }
  return found;
}

/** Credited money, as the transaction record shows it. */
export interface CreditedMoney {
  /** The channel's own reference, whatever the customer typed. */
  readonly reference: string;
  /** USDT in base units, as digits; null where taka were paid. */
  readonly units: string | null;
  /** The account that received USDT. */
  readonly receiver: string | null;
}

/** @param proof what has just been credited. */
export function toCreditedMoney({ reference, units = null, recipient = null }: ClaimedProof): CreditedMoney {
  return { reference, units, receiver: units === null ? null : recipient };
}

/** @returns null where the session was credited for something else. */
export async function findCreditedMoney(
  db: Db,
  session: {
    readonly id: string;
    readonly credited_channel: PayChannel | null;
    readonly credited_reference: string | null;
  },
  channel: PayChannel,
  reference: string | null,
): Promise<CreditedMoney | null> {
  const { credited_reference: credited } = session;
  if (reference === null || credited === null || session.credited_channel !== channel) return null;
  const { kind } = CHANNEL[channel];
  if (kind === 'sms') {
    const isOwn = credited === reference || (await hasPaidByNumber(db, session.id, channel, reference));
    return isOwn ? { reference: credited, units: null, receiver: null } : null;
  }
  const proof = await creditedProof.first(db, { session: session.id });
  if (proof === undefined) return null;
  const aliases = JSON.parse(proof.aliases) as string[];
  const names = [credited, ...aliases.map((alias) => parseShopNumber(alias)?.number ?? alias)];
  // A scan of the session's own code pays this session, whatever the bank shows of the payer's number.
  const isOwn = kind === 'push' && names.includes(proof.gateway_reference);
  const isNamed =
    names.includes(creditedName(channel, reference)) ||
    (proof.payer !== null && payerFits(reference, proof.payer));
  const receiver = proof.units === null ? null : proof.recipient;
  return isOwn || isNamed ? { reference: credited, units: proof.units, receiver } : null;
}

/** True if the customer has typed that number, and weak money has paid the session. */
async function hasPaidByNumber(db: Db, session: string, channel: PayChannel, reference: string) {
  if (!isTypedPayer(reference)) return false;
  return (await findClaim.first(db, { session, channel, reference }))?.state === 'CREDITED';
}

/** Reason to refuse a session paid with another reference; the new one may also be spent elsewhere. */
export async function refusalOfOther(
  db: Db,
  session: { readonly id: string; readonly merchant_id: string },
  channel: PayChannel,
  reference: string | null,
): Promise<'already_credited' | 'session_completed'> {
  if (reference === null) return 'session_completed';
  const holders = await holdersOfReference.all(db, {
    merchant: session.merchant_id,
    channel,
    reference: creditedName(channel, reference),
  });
  return holders.some(({ session_id }) => session_id !== session.id)
    ? 'already_credited'
    : 'session_completed';
}
