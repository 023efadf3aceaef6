/** What was seen outside becomes a proof, and is matched with the session that asked for it. */
import { newRowId } from '../../base/values/ids.js';
import { stepsOf, unitsOf } from '../../base/values/usdt.js';
import type { Look, SeenPayment } from '../../channels/channel.js';
import type { PulledChannel } from '../../domain/accounts/channels.js';
import type { Match } from '../../domain/matching/matching.js';
import {
  matchUsdt,
  NO_RIVALS,
  type Rivals,
  type UsdtPayment,
  type UsdtRule,
} from '../../domain/matching/matching-usdt.js';
import { CLOCKS_DIFFER_MS } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { heldByOthers, heldByRival } from '../../store/tables/quotes.js';
import { openReviewOfProof, putSeenProof } from '../../store/tables/seen-proofs.js';
import type { Core } from '../core/core.js';
import { holderOf } from '../settlement/credit-proof.js';
import type { Found } from '../settlement/proof-search.js';
import type { ClaimingSession } from '../settlement/settle-claim.js';
import type { Asked } from './ask-sources.js';
import { isAnybodys } from './guessable-order.js';

/**
 * Blocks are made when they are made (design.md section 5). Exchanges are asked for payments of the session's
 * time only (channels/exchange-pay/assess).
 */
const EARLIER_MS: Readonly<Record<PulledChannel, number | null>> = { bep20: 120_000, exchange_pay: null };
/** What exchanges round away, in base units: 0.0005 USDT; a chain takes nothing. */
const SHORT_UNITS: Readonly<Record<PulledChannel, bigint>> = { bep20: 0n, exchange_pay: unitsOf(5) };

/** Transfers to one account in one transaction that are told apart. */
const MAX_PARTS = 20;

/** @param look what was found for this very question. */
export async function findSeen(
  core: Core,
  db: Db,
  session: ClaimingSession,
  asked: Asked,
  look: Look,
): Promise<Found> {
  switch (look.outcome) {
    case 'not_found':
      return { outcome: 'none' };
    case 'refused':
      return look;
    case 'unavailable':
      return look;
    case 'found': {
      const { reference, scope, aliases } = look.payment;
      const { channel } = asked;
      const seen = { channel, reference, scope, otherNames: aliases };
      const holder = await holderOf(db, session.merchant_id, seen);
      if (holder.by === 'merchant') return { outcome: 'credited' };
      const match = await matchSeen(core, db, session, asked, look.payment);
      // Refused money is not kept: anybody can name the payments of others.
      if (match.outcome === 'disagree') return { outcome: 'refused', about: match.about };
      const id = await keep(core, db, session, asked, look.payment);
      return { outcome: 'proof', proof: { id, ...seen }, match, at: look.payment.at };
    }
    case 'not_final': {
      const match = await matchSeen(core, db, session, asked, look.payment);
      if (match.outcome === 'disagree') return { outcome: 'refused', about: match.about };
      return { outcome: 'not_final', detail: look.detail, block: look.block };
    }
    default:
      return look satisfies never;
  }
}

async function matchSeen(
  core: Core,
  db: Db,
  session: ClaimingSession,
  { channel, quote, reference: typed }: Asked,
  payment: SeenPayment,
): Promise<Match> {
  const { amounts, at, reference, scope } = payment;
  const rule: UsdtRule = {
    earlierMs: EARLIER_MS[channel],
    shortUnits: SHORT_UNITS[channel],
    overPercent: core.settings.overpaidPercent,
    isPublic: channel === 'bep20' || (await isAnybodys(db, session, typed, payment)),
    isHeld: channel === 'bep20',
  };
  const { totalPaisa: paisa } = dueOn(channel, session);
  const due = { quoted: quote.amount, paisa, created_at: session.created_at };
  const isAsked = await isAskedForAnother(db, {
    merchant: session.merchant_id,
    session: session.id,
    channel,
    reference,
    scope,
  });
  // The very amount is this session's alone: what others ask for makes no difference.
  const isExact = amounts.includes(unitsOf(quote.amount));
  const held = { merchant: session.merchant_id, session: session.id, receiver: quote.receiver };
  const rivals = rule.isPublic && !isExact ? await rivalsOf(db, held, { amounts, at }) : NO_RIVALS;
  return matchUsdt({ amounts, at }, due, { ...rivals, isAsked }, rule);
}

async function rivalsOf(
  db: Db,
  own: { readonly merchant: string; readonly session: string; readonly receiver: string },
  { amounts, at }: UsdtPayment,
): Promise<Rivals> {
  // Nobody pays in so many parts, and each would be looked up: a person says whose they are.
  if (amounts.length > MAX_PARTS) return { ...NO_RIVALS, isAny: true };
  const before = at + CLOCKS_DIFFER_MS;
  const isAny = (await heldByRival.first(db, { ...own, before })) !== undefined;
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  const all = [...new Set([...amounts, sum])];
  const steps = all.flatMap((amount) => stepsOf(amount) ?? []);
  const held = steps.length === 0 ? [] : await heldByOthers(db, own, steps.map(String));
  const unpaid = held.filter(({ status }) => status !== 'COMPLETED');
  // The amount of one that is paid is nobody's any more, but may be what its customer has sent once more.
  const isTwice = unpaid.length < held.length;
  return {
    ...NO_RIVALS,
    exact: new Set(unpaid.map(({ amount }) => unitsOf(amount))),
    isAny: isAny || isTwice,
  };
}

async function isAskedForAnother(
  db: Db,
  proof: {
    readonly merchant: string;
    readonly session: string;
    readonly channel: string;
    readonly reference: string;
    readonly scope: string;
  },
): Promise<boolean> {
  return (await openReviewOfProof.first(db, proof)) !== undefined;
}

async function keep(
  core: Core,
  db: Db,
  session: ClaimingSession,
  { channel, quote }: Asked,
  payment: SeenPayment,
): Promise<string> {
  const now = core.clock.now();
  const kept = await putSeenProof.first(db, {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: session.merchant_id,
    channel,
    reference: payment.reference,
    amount_paisa: null,
    recipient: payment.recipient,
    payer: payment.payer,
    kind: payment.kind,
    settle: 'auto',
    at: payment.at,
    source_id: quote.account_id,
    created_at: now,
    scope: payment.scope,
    aliases: JSON.stringify(payment.aliases),
    units: String(payment.amounts.reduce((sum, amount) => sum + amount, 0n)),
    evidence: payment.evidence,
  });
  if (kept === undefined) throw new TypeError('a proof that was put is not there');
  return kept.id;
}
