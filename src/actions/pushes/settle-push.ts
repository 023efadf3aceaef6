/**
 * Matches a bank's push with the session whose QR code was scanned, or with claims by a payer's number. Runs
 * inside the unit of work that stored it.
 */
import type { Paisa } from '../../base/values/money.js';
import { QR } from '../../domain/accounts/channels.js';
import {
  canPay,
  chooseClaim,
  matchBill,
  matchChosen,
  type PushScene,
} from '../../domain/matching/matching-push.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { sessionOfBill } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';
import { type ClaimingSession, type Settling, settleClaim } from '../settlement/settle-claim.js';
import { NONE, type SettlementResult, together } from '../settlement/settled-sessions.js';
import { typedNumbers } from '../settlement/weak-evidence.js';
import { type FreeMoney, freeMoney, notBefore, type WaitingPayer, waitingPayers } from './payer-claims.js';

export interface ArrivedPush {
  readonly merchantId: string;
  readonly proof: ClaimedProof;
  readonly amountPaisa: Paisa;
  readonly bill: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A person decides, whichever claim waits for it. */
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

/** Pushes of the price that are looked at when one more has come. */
const MAX_LOOKED_AT = 100;

/**
 * A push explains a number that was typed and might have been a guess; so others that lay there until then
 * may be certain now.
 */
async function settleByPayer(core: Core, db: Db, arrived: ArrivedPush): Promise<SettlementResult> {
  const { merchantId: merchant, amountPaisa: paisa, proof } = arrived;
  const result: SettlementResult[] = [];
  let price = await readPrice(core, db, merchant, paisa);
  const others = price.free.map(({ push }) => push.id).filter((id) => id !== proof.id);
  for (const id of [proof.id, ...others.slice(0, MAX_LOOKED_AT)]) {
    const settling = chosenOf(price, id);
    if (settling === null) continue;
    result.push(await settle(core, db, settling));
    price = await readPrice(core, db, merchant, paisa);
  }
  return together(result);
}

/** What there is of one price: who waits, money that pays nobody yet, and what was typed. */
interface PriceScene {
  readonly waiting: readonly WaitingPayer[];
  readonly free: readonly FreeMoney[];
  readonly typed: PushScene['typed'];
  readonly now: number;
}

async function readPrice(core: Core, db: Db, merchant: string, paisa: Paisa): Promise<PriceScene> {
  const now = core.clock.now();
  const waiting = await waitingPayers(core, db, merchant, paisa);
  if (waiting.length === 0) return { waiting, free: [], typed: [], now };
  const claims = waiting.map(({ claim }) => claim);
  const free = await freeMoney(db, merchant, paisa, claims);
  return { waiting, free, typed: await typedNumbers(core, db, { merchant, paisa }), now };
}

/** @returns whom the push of that id pays; null if that is not certain, or somebody looks at it already. */
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
  const { id } = settling.session;
  return {
    settled: outcome === 'credited' ? [id] : [],
    reviewed: outcome === 'under_review' ? [id] : [],
    refused: outcome === 'disagrees' ? [id] : [],
  };
}
