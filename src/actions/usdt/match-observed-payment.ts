/** Stores an observed payment as a proof and matches it with its session. */
import { newRowId } from '../../base/values/ids.js';
import { toBaseUnits, toSteps } from '../../base/values/usdt.js';
import type { ObservedPayment } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import type { Match } from '../../domain/matching/matching.js';
import {
  type CompetingSessions,
  matchUsdt,
  NO_COMPETITORS,
  type UsdtPayment,
  type UsdtRule,
} from '../../domain/matching/matching-usdt.js';
import { creditedName, parseShopNumber } from '../../domain/matching/reference.js';
import { CLOCKS_DIFFER_MS, isGuessableOrder } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { Db } from '../../store/schema/index.js';
import { openReviewOfProof, putObservedProof, sessionNumbered } from '../../store/tables/proofs.js';
import { heldByCompetitor, heldByOthers } from '../../store/tables/quotes.js';
import type { Core } from '../core/core.js';
import { findHolder } from '../settlement/credit-proof.js';
import type { ClaimingSession } from '../settlement/record-claim.js';
import type { ProofLookup } from '../settlement/settle-claim.js';
import type { SourceAnswer, SourceQuestion } from './query-sources.js';

/** Maximum number of transfers to one account in one chain transaction that are distinguished. */
const MAX_PARTS = 20;

export async function matchObservedPayment(
  core: Core,
  db: Db,
  session: ClaimingSession,
  { asked, lookup }: SourceAnswer,
): Promise<ProofLookup> {
  switch (lookup.outcome) {
    case 'not_found':
      return { outcome: 'none' };
    case 'refused':
    case 'unavailable':
      return lookup;
    case 'found': {
      const { reference, scope, aliases } = lookup.payment;
      const { channel } = asked;
      const seen = { channel, reference, scope, otherNames: aliases };
      const holder = await findHolder(db, session.merchant_id, seen);
      if (holder.by === 'merchant') return { outcome: 'credited' };
      const match = await recordObservedPayment(core, db, session, asked, lookup.payment);
      // Refused money is not kept: anybody can name the payments of others.
      if (match.outcome === 'disagree') return { outcome: 'refused', about: match.about };
      const { id, units, recipient } = await keep(core, db, session, asked, lookup.payment);
      return { outcome: 'proof', proof: { id, ...seen, units, recipient }, match, at: lookup.payment.at };
    }
    case 'not_final': {
      const match = await recordObservedPayment(core, db, session, asked, lookup.payment);
      if (match.outcome === 'disagree') return { outcome: 'refused', about: match.about };
      return { outcome: 'not_final', detail: lookup.detail, block: lookup.block };
    }
    default:
      return lookup satisfies never;
  }
}

async function recordObservedPayment(
  core: Core,
  db: Db,
  session: ClaimingSession,
  asked: SourceQuestion,
  payment: ObservedPayment,
): Promise<Match> {
  const { channel, quote } = asked;
  const { amounts, at, reference, scope } = payment;
  const { earlierMs, shortUnits, isPublic } = channelModule(channel);
  const rule: UsdtRule = {
    earlierMs,
    shortUnits: shortUnits(toBaseUnits(quote.amount)),
    overPercent: core.settings.overpaidPercent,
    isPublic: isPublic || (await isAnybodys(db, session, asked, payment)),
    isHeld: isPublic,
  };
  const { totalPaisa: paisa } = dueOn(channel, session);
  const due = { quoted: quote.amount, paisa, created_at: session.created_at };
  const own = { merchant: session.merchant_id, session: session.id };
  const another = await openReviewOfProof.first(db, { ...own, channel, reference, scope });
  // The very amount is this session's alone: what others ask for makes no difference.
  const isExact = amounts.includes(toBaseUnits(quote.amount));
  const held = { ...own, receiver: quote.receiver };
  const competitors =
    rule.isPublic && !isExact ? await competitorsOf(db, held, { amounts, at }) : NO_COMPETITORS;
  return matchUsdt({ amounts, at }, due, { ...competitors, isAsked: another !== undefined }, rule);
}

async function competitorsOf(
  db: Db,
  own: { readonly merchant: string; readonly session: string; readonly receiver: string },
  { amounts, at }: UsdtPayment,
): Promise<CompetingSessions> {
  // Nobody pays in so many parts, and each would be looked up: a person says whose they are.
  if (amounts.length > MAX_PARTS) return { ...NO_COMPETITORS, isAny: true };
  const before = at + CLOCKS_DIFFER_MS;
  const isAny = (await heldByCompetitor.first(db, { ...own, before })) !== undefined;
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  const all = [...new Set([...amounts, sum])];
  const steps = all.flatMap((amount) => toSteps(amount) ?? []);
  const held = steps.length === 0 ? [] : await heldByOthers(db, own, steps.map(String));
  const unpaid = held.filter(({ status }) => status !== 'COMPLETED');
  // The amount of one that is paid is nobody's any more, but may be what its customer has sent once more.
  const isTwice = unpaid.length < held.length;
  return {
    ...NO_COMPETITORS,
    exact: new Set(unpaid.map(({ amount }) => toBaseUnits(amount))),
    isAny: isAny || isTwice,
  };
}

async function keep(
  core: Core,
  db: Db,
  session: ClaimingSession,
  { channel, quote }: SourceQuestion,
  payment: ObservedPayment,
) {
  const now = core.clock.now();
  const { recipient } = payment;
  const units = String(payment.amounts.reduce((sum, amount) => sum + amount, 0n));
  const kept = await putObservedProof.first(db, {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: session.merchant_id,
    channel,
    reference: payment.reference,
    amount_paisa: null,
    recipient,
    payer: payment.payer,
    kind: payment.kind,
    settle: 'auto',
    at: payment.at,
    source_id: quote.account_id,
    created_at: now,
    scope: payment.scope,
    aliases: JSON.stringify(payment.aliases),
    units,
    evidence: payment.evidence,
  });
  if (kept === undefined) throw new TypeError('a proof that was put is not there');
  return { id: kept.id, units, recipient };
}

/**
 * Checks if a payment's reference can be guessed (domain/matching/weak-ids, `isGuessableOrder`).
 * @param asked id under which the payment is claimed.
 * @returns true if strangers could claim it in this way for this session as well.
 */
async function isAnybodys(
  db: Db,
  session: Pick<ClaimingSession, 'id' | 'gateway_reference'>,
  { channel, reference }: Pick<SourceQuestion, 'channel' | 'reference'>,
  { aliases }: Pick<ObservedPayment, 'aliases'>,
): Promise<boolean> {
  const numbers = aliases.flatMap((alias) => parseShopNumber(alias)?.number ?? []);
  let isAnothers = false;
  for (const number of numbers) {
    const other = await sessionNumbered.first(db, { id: number.toLowerCase(), reference: number });
    isAnothers ||= other !== undefined && other.id !== session.id;
  }
  return isGuessableOrder({ typed: creditedName(channel, reference), numbers, session, isAnothers });
}
