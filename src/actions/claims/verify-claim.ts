/** API v2 verify: does a reference pay a session? */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka } from '../../base/values/money.js';
import type { Unavailable } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { type Channel, isChannel, isOnChain, type PayChannel } from '../../domain/accounts/channels.js';
import { DISAGREEMENT_TEXT } from '../../domain/matching/matching.js';
import { type PaymentRecord, toOrderDetails } from '../../domain/sessions/payment-record.js';
import { partsOf } from '../../store/tables/sessions.js';
import { type BrandContext, brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { showPayment } from '../sessions/list-payments.js';
import type { CreditedMoney } from '../settlement/credit-proof.js';
import { overBudget } from '../strangers/use-budget.js';
import { type ClaimedSession, decideClaim } from './decide-claim.js';

export interface VerifyClaim {
  readonly brand: BrandContext;
  readonly sessionId: string;
  readonly method: PayChannel;
  /** The customer's proof as it was typed. */
  readonly reference: string;
}

export type TransactionRecord = PaymentRecord & { readonly channel: Channel };

export interface VerifyOutcome {
  /** `part`: it has paid a part, and a rest is due. */
  readonly outcome: 'completed' | 'part' | 'under_review';
  readonly record: TransactionRecord;
}

/**
 * Verifies a claim of a shop. Idempotent: the same session and reference always give the same answer. A
 * reference without a record is kept as a claim and settles automatically when its proof arrives.
 * @throws KashboxError `invalid_input`, `method_unavailable`, `session_not_found`, `session_completed`,
 * `transaction_not_found`, `transaction_not_final`, `already_credited`, `proof_disagrees`,
 * `number_ambiguous`, `too_many_attempts`, `node_unavailable`, `exchange_unavailable`
 */
export async function verifyClaim(core: Core, input: VerifyClaim): Promise<VerifyOutcome> {
  const { brand, sessionId, method } = input;
  // A transfer to a bank account has no proof that could be looked for.
  if (!isChannel(method)) throw new KashboxError('method_unavailable');
  const read = channelModule(method).readReference(input.reference);
  if (read.outcome === 'invalid') throw new KashboxError('invalid_input', { message: read.fault });
  const reference = read.outcome === 'id' ? read.reference : null;
  const verdict = await decideClaim(core, { brand, sessionId, method, reference, source: 'shop' });
  const record = (found: Found) => recordOf(core, brand, method, found);
  switch (verdict.outcome) {
    case 'completed':
    case 'part':
      return { outcome: verdict.outcome, record: await record(verdict) };
    case 'under_review':
      return { outcome: verdict.outcome, record: await record({ ...verdict, credited: null }) };
    case 'not_final': {
      const message = `Transaction found but not final yet, ${verdict.detail}`;
      throw new KashboxError('transaction_not_final', { message });
    }
    case 'unavailable':
      throw unavailable(method, verdict);
    case 'ask_full_number':
      throw new KashboxError('number_ambiguous');
    case 'not_offered':
      throw new KashboxError('method_unavailable');
    case 'not_found':
      throw new KashboxError('transaction_not_found');
    case 'over_budget':
      throw overBudget(verdict);
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

/** The shop gets the message; the reason is only in the log. */
function unavailable(method: Channel, { retryAfterS, detail }: Unavailable): KashboxError {
  const isChain = isOnChain(method);
  const what = isChain ? 'Upstream blockchain node timeout' : 'The exchange does not answer';
  return new KashboxError(isChain ? 'node_unavailable' : 'exchange_unavailable', {
    message: `${what}, retry in ${retryAfterS} seconds`,
    retryAfterSeconds: retryAfterS,
    cause: new Error(detail),
  });
}

/** A payment, and what the reference has paid of it; null under review, before anything is credited. */
interface Found {
  readonly outcome: VerifyOutcome['outcome'];
  /** As it was read before the credit. */
  readonly session: ClaimedSession;
  readonly credited: CreditedMoney | null;
}

async function recordOf(
  core: Core,
  brand: BrandContext,
  channel: Channel,
  { outcome, session, credited }: Found,
): Promise<TransactionRecord> {
  const { status, paid_paisa, paid_fee_paisa, amount_paisa, gateway_reference } = session;
  const parts = session.takes_parts === 0 ? [] : await core.store.read((db) => partsOf(db, session));
  // What a rule has credited just now is to the taka what was asked for.
  const paidAlone = status === 'COMPLETED' ? paid_paisa - paid_fee_paisa : amount_paisa;
  return {
    ...toOrderDetails(session, brand.isTest),
    transactionId: credited?.reference ?? gateway_reference,
    channel,
    status: outcome === 'completed' ? 'COMPLETED' : 'PENDING',
    paidPaisa: parts.length === 0 ? paidAlone : parts.reduce((sum, { paisa }) => sum + paisa, 0),
    parts,
    units: credited?.units ?? null,
    receiver: credited?.receiver ?? null,
  };
}

/**
 * A claim by an operator, for a payment of any brand.
 * @param named session id or gateway reference.
 * @throws KashboxError as `showPayment` and `verifyClaim`
 */
export async function verifyPayment(core: Core, named: string, method: Channel, reference: string) {
  const payment = await showPayment(core, named);
  const brand = await brandContext(core, payment.brand);
  const { outcome, record } = await verifyClaim(core, { brand, sessionId: payment.id, method, reference });
  return {
    outcome,
    id: payment.id,
    gateway_reference: payment.gateway_reference,
    brand: payment.brand,
    status: record.status,
    amount: formatTaka(record.amountPaisa),
    payment_method: record.channel,
    transaction_id: record.transactionId,
    cus_name: record.cusName,
  };
}
