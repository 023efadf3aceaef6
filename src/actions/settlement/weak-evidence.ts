/**
 * Collects the evidence about an id that a stranger can guess (domain/matching/weak-ids): when it was
 * claimed, when its money moved, and who else claimed such ids for that price. Also raises the alert about
 * guesses. Runs in the database transaction that decides.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { CHANNEL, isMfsAccountType, type PayChannel } from '../../domain/accounts/channels.js';
import { type Match, type MatchProof, matchProof } from '../../domain/matching/matching.js';
import type { TypedNumber } from '../../domain/matching/matching-push.js';
import { isTypedPayer } from '../../domain/matching/payer.js';
import { matchesIdShape } from '../../domain/matching/reference.js';
import {
  GUESS_WINDOW_MS,
  type Guess,
  isGuessable,
  judgeWeakId,
  weakWalletIds,
} from '../../domain/matching/weak-ids.js';
import { dueOn, leastPart, type PricedSession } from '../../domain/sessions/fees.js';
import type { Db } from '../../store/schema/index.js';
import { pricedClaims, unmatchedClaims } from '../../store/tables/claims.js';
import { lockNames } from '../../store/tables/locks.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core, WriteDeps } from '../core/core.js';
import type { ClaimingSession } from './record-claim.js';

/** Maximum number of guesses that are read, more than are ever believed. */
const MAX_GUESSES = 1_001;
/** Duration for which typed numbers count, ms: pushes stay unclaimed for up to a day. */
const NUMBERS_WINDOW_MS = 24 * 3_600_000;
/** Hold of a claim, ms: SMS of customers who pay at the same moment arrive by then and explain theirs. */
const HOLD_MS = 30_000;

interface WalletProof {
  readonly channel: PayChannel;
  readonly reference: string;
  /** Time in the SMS text, milliseconds since the epoch: money that settles automatically always has one. */
  readonly at: number;
  /** Time when its SMS was stored, milliseconds since the epoch. */
  readonly created_at: number;
}

export type EvidenceDecision =
  | Match
  /** Claim of which it is not known yet whether it is one guess among many. */
  | { readonly outcome: 'hold'; readonly untilMs: number };

/** Applies the rules of wallets to an SMS and a session, with all accounts that count for it. */
export async function matchCounting(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & Pick<WalletProof, 'channel'>,
): Promise<Match> {
  const { channel } = proof;
  const accounts = await core.accounts.countingIn(db, session);
  const onChannel = accounts.flatMap(({ channel: own, type, number }) =>
    own === channel && isMfsAccountType(type) ? [{ type, number }] : [],
  );
  const { totalPaisa: due_paisa } = dueOn(channel, session);
  const least_paisa = session.takes_parts === 1 ? leastPart(channel, session) : due_paisa;
  const due = { due_paisa, least_paisa, created_at: session.created_at };
  return matchProof(proof, due, onChannel, session.proof_window_hours);
}

interface WalletClaim {
  /** Time when the claim was first made, milliseconds since the epoch. */
  readonly claimedAt: number;
  /** Keyed hash of the address that made the claim; null if a shop's server made it. */
  readonly addressMark: string | null;
}

/** Applies wallet rules, as `matchCounting` does, to a claim by an id that a stranger may have guessed. */
export async function matchWallet(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & WalletProof,
  { claimedAt, addressMark }: WalletClaim,
): Promise<EvidenceDecision> {
  const { channel, reference } = proof;
  const { merchant_id: merchant, created_at: openedAt } = session;
  const paisa = dueOn(channel, session).totalPaisa;
  const match = await matchCounting(core, db, session, proof);
  const kind = weakWalletIds(channel);
  // Only a credit is judged once more.
  if (kind === null || match.outcome !== 'credit') return match;
  // Guesses are counted by price, and a part may have any.
  if (match.paisa < paisa) return { outcome: 'review', reason: 'may_be_guessed' };
  // Of two guesses at the same moment each has to see the other.
  await lockNames(db, merchant, [{ channel, paisa }]);
  const now = core.clock.now();
  const guesses = await walletGuesses(core, db, { merchant, channel, paisa });
  const money = { from: proof.at, until: proof.created_at };
  const guesser = addressMark ?? session.id;
  const verdict = judgeWeakId({ kind, reference, guesser, claimedAt, openedAt, money, guesses }, now);
  const untilMs = proof.created_at + HOLD_MS;
  if (verdict === 'believed') return match;
  if (verdict === 'crowded' && now < untilMs) return { outcome: 'hold', untilMs };
  await alertGuessing(core, db, { merchant, channel, paisa, guesses: guesses.length });
  const reason = verdict === 'early' ? 'claimed_before_payment' : 'may_be_guessed';
  return { outcome: 'review', reason };
}

interface Price {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly paisa: Paisa;
}

/**
 * Lists claims without an SMS, as guesses, except ids invalid for that wallet and payers' numbers. A full
 * list may be incomplete: then invalid ids count, too, and each id as if a different person had claimed it.
 */
async function walletGuesses(core: Core, db: Db, price: Price): Promise<Guess[]> {
  const since = core.clock.now() - GUESS_WINDOW_MS;
  const rows = await unmatchedClaims.all(db, { ...price, since, limit: MAX_GUESSES });
  const isWhole = rows.length < MAX_GUESSES;
  return rows
    .filter(({ reference }) => !isTypedPayer(reference))
    .filter(({ reference }) => !isWhole || matchesIdShape(price.channel, reference))
    .map(({ reference, claimed_at: claimedAt, session_id: session, address_mark: mark }) => ({
      ...{ reference, claimedAt },
      guesser: isWhole ? (mark ?? session) : reference,
    }));
}

/** Lists the payers' numbers typed for that amount by customers of a QR code on that channel. */
export async function typedNumbers(
  core: Core,
  db: Db,
  { merchant, channel, paisa }: Price,
): Promise<TypedNumber[]> {
  const since = core.clock.now() - NUMBERS_WINDOW_MS;
  const rows = await pricedClaims.all(db, { merchant, channel, paisa, since, limit: MAX_GUESSES });
  return rows
    .filter(({ reference }) => isTypedPayer(reference))
    .map(({ reference, claimed_at }) => ({ typed: reference, claimedAt: claimed_at }));
}

/** Interval of alerts, ms: at most one per hour, merchant and channel. */
const INCIDENT_MS = 3_600_000;

interface Guessing {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly paisa: Paisa;
  /** Number of ids claimed for that price for which no money came. */
  readonly guesses: number;
}

/** Wrong ids of one session before it counts as guessing; a few may be typing errors. */
const MANY_OF_SESSION = 10;
/** Number of wrong ids per price and hour that is guessing; dozens may pay at the same moment. */
const MANY_IDS = 40;
const MANY_NUMBERS = 10;

/** Raises an alert if there are too many guesses; called after a claim of something that does not exist. */
export async function checkForGuessing(
  core: WriteDeps,
  db: Db,
  session: PricedSession & { readonly misses: number },
  { merchant, channel }: { readonly merchant: string; readonly channel: PayChannel },
): Promise<void> {
  if (!isGuessable(channel)) return;
  const paisa = dueOn(channel, session).totalPaisa;
  const limit = CHANNEL[channel].given === 'number' ? MANY_NUMBERS : MANY_IDS;
  const since = core.clock.now() - GUESS_WINDOW_MS;
  const rows = await pricedClaims.all(db, { merchant, channel, paisa, since, limit });
  const isMany = rows.length >= limit || session.misses + 1 >= MANY_OF_SESSION;
  if (isMany) await alertGuessing(core, db, { merchant, channel, paisa, guesses: rows.length });
}

async function alertGuessing(core: WriteDeps, db: Db, guessing: Guessing): Promise<void> {
  const { merchant, channel, paisa, guesses } = guessing;
  const hour = Math.floor(core.clock.now() / INCIDENT_MS);
  await raiseAlert(core, db, {
    kind: 'security.transaction_id_guessing',
    detail: { channel, amount: formatTaka(paisa), guesses },
    merchantId: merchant,
    incident: `security.transaction_id_guessing:${merchant}:${channel}:${hour}`,
  });
}
