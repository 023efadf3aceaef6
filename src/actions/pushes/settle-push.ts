/**
 * Matches a bank's push with the session whose QR code was scanned, or with claims by a payer's number, and
 * such a claim with the pushes not credited yet, by one rule (domain/matching/matching-push). Runs in the
 * database transaction that stores the push or decides the claim.
 */
import { newRowId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { QR } from '../../domain/accounts/channels.js';
import {
  canPay,
  chooseClaim,
  choosePush,
  type FreePush,
  matchBill,
  matchChosen,
  movedBetween,
  type PayerClaim,
  type PushMatchContext,
} from '../../domain/matching/matching-push.js';
import { parseShownPayer } from '../../domain/matching/payer.js';
import { mayBeCountedTwice } from '../../domain/matching/push-repeat.js';
import { dueOn } from '../../domain/sessions/fees.js';
import { isOpen } from '../../domain/sessions/session.js';
import { insertMany } from '../../store/compiled-rows.js';
import type { Db, NewProof, PushTable } from '../../store/schema/index.js';
import { lockMerchant } from '../../store/tables/locks.js';
import {
  claimsByPayer,
  freePushes,
  sameReferenceElsewhere,
  sessionOfBill,
} from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';
import type { ClaimingSession } from '../settlement/record-claim.js';
import {
  mergeResults,
  NONE,
  type ProofLookup,
  type SettlementResult,
  type Settling,
  settleClaim,
  settledAs,
} from '../settlement/settle-claim.js';
import { typedNumbers } from '../settlement/weak-evidence.js';

interface ArrivedPush {
  readonly merchantId: string;
  readonly proof: ClaimedProof;
  readonly amountPaisa: Paisa;
  readonly bill: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** True if the push needs manual review, whichever claim it matches. */
  readonly isDoubtful: boolean;
}

export async function settlePush(core: Core, db: Db, push: ArrivedPush): Promise<SettlementResult> {
  const { bill, merchantId: merchant } = push;
  const billed = bill === null ? undefined : await sessionOfBill.first(db, { merchant, bill });
  return billed === undefined ? settleByPayer(core, db, push) : settleByBill(core, db, push, billed);
}

/** The code of that session was scanned: nobody needs to claim it. */
async function settleByBill(
  core: Core,
  db: Db,
  push: ArrivedPush,
  session: ClaimingSession,
): Promise<SettlementResult> {
  if (session.status === 'COMPLETED') return NONE;
  const match = matchBill(push, { duePaisa: dueOn(QR, session).totalPaisa, notBefore: notBefore(session) });
  return settle(core, db, { session, proof: push.proof, claimed: push.bill ?? '', match });
}

/** Maximum number of other pushes of the same price that are checked when a push arrives. */
const MAX_LOOKED_AT = 100;

/**
 * A push explains a number that was typed and might have been a guess; so others that lay there until then
 * may be certain now.
 */
async function settleByPayer(core: Core, db: Db, arrived: ArrivedPush): Promise<SettlementResult> {
  const { merchantId: merchant, amountPaisa: paisa, proof } = arrived;
  const result: SettlementResult[] = [];
  let price = await loadPrice(core, db, merchant, paisa);
  const others = price.free.map(({ push }) => push.id).filter((id) => id !== proof.id);
  for (const id of [proof.id, ...others.slice(0, MAX_LOOKED_AT)]) {
    const settling = chosenOf(price, id);
    if (settling === null) continue;
    result.push(await settle(core, db, settling));
    price = await loadPrice(core, db, merchant, paisa);
  }
  return mergeResults(result);
}

/** Claims, uncredited money and typed numbers of one price. */
interface PriceScene {
  readonly waiting: readonly WaitingPayer[];
  readonly free: readonly FreeMoney[];
  readonly typed: PushMatchContext['typed'];
  readonly now: number;
}

async function loadPrice(core: Core, db: Db, merchant: string, paisa: Paisa): Promise<PriceScene> {
  const now = core.clock.now();
  const waiting = await waitingPayers(core, db, merchant, paisa);
  if (waiting.length === 0) return { waiting, free: [], typed: [], now };
  const claims = waiting.map(({ claim }) => claim);
  const free = await freeMoney(db, merchant, paisa, claims);
  return { waiting, free, typed: await typedNumbers(core, db, { merchant, channel: QR, paisa }), now };
}

/** @returns the session that this push pays; null if that is uncertain or it is already under review. */
function chosenOf({ waiting, free, typed, now }: PriceScene, id: string): Settling | null {
  const money = free.find(({ push }) => push.id === id);
  if (money === undefined) return null;
  const fitting = waiting.filter(({ claim }) => canPay(claim, money.push));
  if (fitting.length === 0) return null;
  // Money for a session that is over goes to review, and only if no open one can mean it.
  const asked = fitting.some((one) => one.isOpen) ? waiting.filter((one) => one.isOpen) : fitting;
  const claims = asked.map(({ claim }) => claim);
  const chosen = chooseClaim(money.push, { free: free.map(({ push }) => push), claims, typed, now });
  const winner = asked.find(({ claim }) => claim === chosen?.claim);
  if (chosen === null || winner === undefined || winner.isReviewed) return null;
  const { session, claim } = winner;
  return { session, proof: money.proof, claimed: claim.typed, match: matchChosen(money.push, chosen.doubt) };
}

async function settle(core: Core, db: Db, settling: Settling): Promise<SettlementResult> {
  const { outcome } = await settleClaim(core, db, settling);
  return settledAs([{ id: settling.session.id, outcome }]);
}

/**
 * @param row `SETTLED`, as it is stored.
 * @param isSuspended of its merchant: it then becomes a proof and settles nothing.
 */
export async function creditPush(
  core: Core,
  db: Db,
  row: PushTable,
  isSuspended: boolean,
): Promise<SettlementResult> {
  const isDoubtful = await isKnownElsewhere(db, row);
  const proof = proofOf(core, row, isDoubtful);
  const [fresh] = await insertMany(db, 'proofs', [proof], 'id');
  if (fresh === undefined || isSuspended) return NONE;
  return settlePush(core, db, {
    merchantId: row.merchant_id,
    proof,
    amountPaisa: row.amount_paisa ?? 0,
    bill: row.bill,
    at: proof.at,
    isDoubtful,
  });
}

/** An acquirer that was made again has a scope of its own, and its bank may report the same money again. */
async function isKnownElsewhere(db: Db, row: PushTable): Promise<boolean> {
  const { merchant_id: merchant, acquirer_id: scope } = row;
  const reference = row.reference ?? '';
  const key = { merchant, reference, upper: reference.toUpperCase(), scope };
  const others = await sameReferenceElsewhere.all(db, key);
  return others.some(({ credited, ...other }) =>
    mayBeCountedTwice(row, { ...other, isCredited: credited !== null }),
  );
}

function proofOf(core: Core, row: PushTable, isDoubtful: boolean): NewProof {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: row.merchant_id,
    channel: QR,
    reference: row.reference ?? '',
    amount_paisa: row.amount_paisa,
    recipient: row.merchant_code,
    payer: row.payer,
    kind: 'bank_push',
    settle: isDoubtful ? 'review' : 'auto',
    // A bank's clock may be ahead, its money is not; what is read again is no younger for it.
    at: Math.min(row.paid_at ?? row.received_at, row.received_at),
    source_id: row.id,
    created_at: now,
    scope: row.acquirer_id,
    aliases: JSON.stringify(row.bill === null ? [] : [row.bill]),
    units: null,
    evidence: null,
  };
}

/** Claim as the matching rules see it, with the data needed to settle it. */
interface WaitingPayer {
  readonly claim: PayerClaim;
  readonly session: ClaimingSession;
  readonly isOpen: boolean;
  /** Is under review: nothing is credited to it by a rule, but its customer waits like others. */
  readonly isReviewed: boolean;
}

/**
 * Duration for which a claim without money is remembered, ms. Without a limit, every abandoned order would be
 * checked against every push of that amount.
 */
export const NUMBER_WAITS_MS = 7 * 24 * 3_600_000;

/**
 * Maximum number of different payer numbers that count per session. Four digits are easy to guess: a stranger
 * with an order of the same price could otherwise claim the money of others with thirty guesses.
 */
const MAX_NUMBERS = 5;

/** @returns the merchant's claims on that amount, including those of closed sessions. */
async function waitingPayers(core: Core, db: Db, merchant: string, paisa: Paisa): Promise<WaitingPayer[]> {
  const since = core.clock.now() - NUMBER_WAITS_MS;
  const rows = await claimsByPayer.all(db, { merchant, paisa, since });
  const waiting: WaitingPayer[] = [];
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const count = (numbers.get(row.id) ?? 0) + 1;
    numbers.set(row.id, count);
    if (count > MAX_NUMBERS) continue;
    const { typed, state, claimed_at: claimedAt, ...session } = row;
    const claim = await payerClaim(core, db, session, { typed, duePaisa: paisa, claimedAt });
    const isReviewed = state === 'REVIEW';
    waiting.push({ claim, session, isOpen: isOpen(session, core.clock.now()), isReviewed });
  }
  return waiting;
}

async function payerClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  said: Pick<PayerClaim, 'typed' | 'duePaisa' | 'claimedAt'>,
): Promise<PayerClaim> {
  return {
    ...said,
    session: session.id,
    merchantIds: await merchantIds(core, db, session),
    notBefore: notBefore(session),
    openedAt: session.created_at,
  };
}

/** Merchant ids of the QR accounts that count for the session. */
async function merchantIds(core: Core, db: Db, session: ClaimingSession): Promise<string[]> {
  const accounts = await core.accounts.countingIn(db, session);
  return accounts.flatMap((account) => account.merchantIds);
}

/** Money that is older than that pays no session of the brand. */
function notBefore(session: ClaimingSession): number {
  return session.created_at - session.proof_window_hours * 3_600_000;
}

/** Push as the matching rules see it, with the data needed to credit it. */
interface FreeMoney {
  readonly push: FreePush;
  readonly proof: ClaimedProof;
}

/** @param claims those that are decided on: older money than all of them may have is left out. */
async function freeMoney(
  db: Db,
  merchant: string,
  paisa: Paisa,
  claims: readonly PayerClaim[],
): Promise<FreeMoney[]> {
  const since = Math.min(...claims.map((claim) => claim.notBefore));
  const rows = await freePushes.all(db, { merchant, paisa, since });
  return rows.map((row) => {
    const { id, reference, scope, payer, recipient, at, settle, paid_at, received_at } = row;
    return {
      push: {
        id,
        amountPaisa: paisa,
        payer: parseShownPayer(payer),
        merchant: recipient,
        billOf: row.bill_brand === null ? null : row.bill_session,
        at,
        moved: movedBetween(paid_at, received_at),
        isDoubtful: settle === 'review',
      },
      proof: { id, channel: QR, reference, scope },
    };
  });
}

/** @param number 11 digits or the last four. */
export async function findPush(
  core: Core,
  db: Db,
  session: ClaimingSession,
  number: string,
): Promise<ProofLookup> {
  // Pushes and claims of one merchant are serialised: each must see all others.
  await lockMerchant(db, session.merchant_id);
  const paisa = dueOn(QR, session).totalPaisa;
  const waiting = await waitingPayers(core, db, session.merchant_id, paisa);
  const mine = waiting.filter(({ claim }) => claim.session === session.id);
  const kept = mine.find(({ claim }) => claim.typed === number);
  if (kept === undefined && mine.length >= MAX_NUMBERS) return { outcome: 'none' };
  const claimedAt = kept?.claim.claimedAt ?? core.clock.now();
  const own = await payerClaim(core, db, session, { typed: number, duePaisa: paisa, claimedAt });
  const competitors = waiting.filter(({ claim, isOpen }) => isOpen && claim.session !== session.id);
  const claims = competitors.map(({ claim }) => claim);
  const free = await freeMoney(db, session.merchant_id, paisa, [own, ...claims]);
  const choice = choosePush(own, {
    free: free.map(({ push }) => push),
    claims,
    typed: await typedNumbers(core, db, { merchant: session.merchant_id, channel: QR, paisa }),
    now: core.clock.now(),
  });
  switch (choice.outcome) {
    case 'push': {
      const chosen = free.find(({ push }) => push.id === choice.id);
      if (chosen === undefined) throw new TypeError('a push was chosen that was not offered');
      return {
        outcome: 'proof',
        proof: chosen.proof,
        match: matchChosen(chosen.push, choice.doubt),
        at: chosen.push.at,
      };
    }
    case 'none':
    case 'ask_full_number':
      return choice;
    case 'person':
      return { outcome: 'several_payers' };
    default:
      return choice satisfies never;
  }
}
