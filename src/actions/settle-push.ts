/**
 * Money that a bank has told of meets who waits for it: the session whose QR code was scanned, or the claims
 * by a payer's number. Runs inside the unit of work that stored it.
 */
import type { Paisa } from '../base/money.js';
import { QR } from '../domain/channels.js';
import { canPay, chooseClaim, matchBill, matchChosen, type PushScene } from '../domain/matching-push.js';
import type { Db } from '../store/schema.js';
import { sessionOfBill } from '../store/tables/pushes.js';
import type { Core } from './core.js';
import { freeMoney, notBefore, waitingPayers } from './payer-claims.js';
import {
  type ClaimedProof,
  type ClaimingSession,
  dueOn,
  type Settling,
  settleClaim,
} from './settle-claim.js';
import { type Met, NOBODY } from './settle-waiting.js';
import { typedNumbers } from './weak-evidence.js';

export interface ArrivedPush {
  readonly merchantId: string;
  readonly proof: ClaimedProof;
  readonly amountPaisa: Paisa;
  readonly bill: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A person decides, whoever waits for it. */
  readonly isDoubtful: boolean;
}

export async function settlePush(core: Core, db: Db, push: ArrivedPush): Promise<Met> {
  const { bill, merchantId: merchant } = push;
  const billed = bill === null ? undefined : await sessionOfBill.first(db, { merchant, bill });
  return billed === undefined ? settleByPayer(core, db, push) : settleByBill(core, db, push, billed);
}

/** The code of that session was scanned: nobody needs to claim it. */
async function settleByBill(core: Core, db: Db, push: ArrivedPush, session: ClaimingSession): Promise<Met> {
  if (session.status === 'COMPLETED') return NOBODY;
  const match = matchBill(push, { duePaisa: dueOn(QR, session).totalPaisa, notBefore: notBefore(session) });
  return settle(core, db, { session, proof: push.proof, claimed: push.bill ?? '', match });
}

/** Pushes of the price that are looked at again when one more has come. */
const MAX_AGAIN = 20;

/**
 * A push explains a number that was typed and might have been a guess; so others that lay there until then
 * may be certain now.
 */
async function settleByPayer(core: Core, db: Db, arrived: ArrivedPush): Promise<Met> {
  const first = await settleOne(core, db, arrived, arrived.proof.id);
  const met = [first.met];
  const others = first.scene?.free.filter(({ id }) => id !== arrived.proof.id) ?? [];
  for (const { id } of others.slice(0, MAX_AGAIN)) met.push((await settleOne(core, db, arrived, id)).met);
  return {
    settled: met.flatMap(({ settled }) => settled),
    reviewed: met.flatMap(({ reviewed }) => reviewed),
    refused: met.flatMap(({ refused }) => refused),
  };
}

interface SettledOne {
  readonly met: Met;
  /** Null where nobody waits for money of that price. */
  readonly scene: PushScene | null;
}

/** @param id of the push that is settled, which is free. */
async function settleOne(core: Core, db: Db, arrived: ArrivedPush, id: string): Promise<SettledOne> {
  const { merchantId, amountPaisa } = arrived;
  const waiting = await waitingPayers(core, db, merchantId, amountPaisa);
  if (waiting.length === 0) return { met: NOBODY, scene: null };
  const free = await freeMoney(
    db,
    merchantId,
    amountPaisa,
    waiting.map(({ claim }) => claim),
  );
  const money = free.find(({ push }) => push.id === id);
  const fitting = money === undefined ? [] : waiting.filter(({ claim }) => canPay(claim, money.push));
  // Money for a session that is over goes before a person, and only if no open one can mean it.
  const hasOpen = fitting.some((one) => one.isOpen);
  const asked = hasOpen ? waiting.filter((one) => one.isOpen) : fitting;
  const scene: PushScene = {
    free: free.map(({ push }) => push),
    claims: asked.map(({ claim }) => claim),
    typed: await typedNumbers(core, db, { merchant: merchantId, paisa: amountPaisa }),
    now: core.clock.now(),
  };
  const chosen = money === undefined || fitting.length === 0 ? null : chooseClaim(money.push, scene);
  const winner = asked.find(({ claim }) => claim === chosen?.claim);
  if (money === undefined || chosen === null || winner === undefined || winner.isReviewed) {
    return { met: NOBODY, scene };
  }
  const { session, claim } = winner;
  const match = matchChosen(money.push, chosen.doubt);
  return { met: await settle(core, db, { session, proof: money.proof, claimed: claim.typed, match }), scene };
}

async function settle(core: Core, db: Db, settling: Settling): Promise<Met> {
  const { outcome } = await settleClaim(core, db, settling);
  const { id } = settling.session;
  return {
    settled: outcome === 'credited' ? [id] : [],
    reviewed: outcome === 'under_review' ? [id] : [],
    refused: outcome === 'disagrees' ? [id] : [],
  };
}
