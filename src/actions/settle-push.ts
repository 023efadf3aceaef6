/**
 * Money that a bank has told of meets who waits for it: the session whose QR code was scanned, or the claims
 * by a payer's number. Runs inside the unit of work that stored it.
 */
import type { Paisa } from '../base/money.js';
import { QR } from '../domain/channels.js';
import { canPay, chooseClaim, type FreePush, matchBill, matchChosen } from '../domain/matching-push.js';
import { readShownPayer } from '../domain/payer.js';
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
import { type Met, NOBODY } from './take-sms.js';

export interface ArrivedPush {
  readonly merchantId: string;
  readonly proof: ClaimedProof;
  readonly amountPaisa: Paisa;
  /** As the bank shows it, or null. */
  readonly payer: string | null;
  /** Merchant id that it names, or null. */
  readonly merchant: string | null;
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

async function settleByPayer(core: Core, db: Db, arrived: ArrivedPush): Promise<Met> {
  const { merchantId, proof, amountPaisa, merchant, at, isDoubtful } = arrived;
  const payer = readShownPayer(arrived.payer);
  const push: FreePush = { id: proof.id, amountPaisa, payer, merchant, billOf: null, at, isDoubtful };
  const waiting = await waitingPayers(core, db, merchantId, amountPaisa);
  const fitting = waiting.filter(({ claim }) => canPay(claim, push));
  if (fitting.length === 0) return NOBODY;
  // Money for a session that is over goes before a person, and only if no open one can mean it.
  const hasOpen = fitting.some((one) => one.isOpen);
  const asked = hasOpen ? waiting.filter((one) => one.isOpen) : fitting;
  const claims = asked.map(({ claim }) => claim);
  const free = await freeMoney(db, merchantId, amountPaisa, claims);
  const chosen = chooseClaim(
    push,
    free.map((money) => money.push),
    claims,
  );
  const winner = asked.find(({ claim }) => claim === chosen);
  if (winner === undefined || winner.isReviewed) return NOBODY;
  const { session, claim } = winner;
  return settle(core, db, { session, proof, claimed: claim.typed, match: matchChosen(push) });
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
