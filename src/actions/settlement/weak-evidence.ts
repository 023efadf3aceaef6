/**
 * What is needed to judge an id that a stranger can guess (domain/matching/weak-ids): when it was claimed,
 * when its money moved, and who else claimed such ids for that price. Runs inside the unit of work that
 * decides.
 */
import type { Paisa } from '../../base/values/money.js';
import { isMfsAccountType, type PayChannel, QR } from '../../domain/accounts/channels.js';
import { type Match, type MatchProof, matchProof } from '../../domain/matching/matching.js';
import type { TypedNumber } from '../../domain/matching/push-evidence.js';
import { looksLikeIdOf } from '../../domain/matching/reference.js';
import { GUESS_WINDOW_MS, type Guess, judgeWeakId, weakWalletIds } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { pricedClaims, unmatchedClaims } from '../../store/tables/claims.js';
import { lockNames } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { alertGuessing } from './alert-guessing.js';
import type { ClaimingSession } from './settle-claim.js';

/** More guesses than are ever believed. */
const MAX_GUESSES = 1_001;
/** Pushes lie unclaimed for a day. */
const NUMBERS_WINDOW_MS = 24 * 3_600_000;
/** The SMS of customers who pay at the same moment come within this time, and explain their claims. */
const HOLD_MS = 30_000;

export interface WalletMoney {
  readonly channel: PayChannel;
  readonly reference: string;
  /** What its text says of its time: whatever settles by itself says one. */
  readonly at: number;
  /** When its SMS was stored. */
  readonly created_at: number;
}

export type Believed =
  | Match
  /** It is not known yet whether it is one guess of many. */
  | { readonly outcome: 'hold'; readonly untilMs: number };

/** What the rules of wallets say of an SMS and a session, with the accounts that its customer was shown. */
export async function matchShown(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & Pick<WalletMoney, 'channel'>,
): Promise<Match> {
  const { channel } = proof;
  const { shown: accounts } = await core.accounts.shownIn(db, session);
  const onChannel = accounts.flatMap(({ channel: shown, type, number }) =>
    shown === channel && isMfsAccountType(type) ? [{ type, number }] : [],
  );
  const due = { due_paisa: dueOn(channel, session).totalPaisa, created_at: session.created_at };
  return matchProof(proof, due, onChannel, session.proof_window_hours);
}

export interface WalletClaim {
  /** When it was first made, milliseconds since the epoch. */
  readonly claimedAt: number;
  /** Of the address from which it was made; null where a shop's server made it. */
  readonly addressMark: string | null;
}

/** The same of a claim by an id, which a stranger may have guessed. */
export async function matchWallet(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & WalletMoney,
  { claimedAt, addressMark }: WalletClaim,
): Promise<Believed> {
  const { channel, reference } = proof;
  const { merchant_id: merchant, created_at: openedAt } = session;
  const paisa = dueOn(channel, session).totalPaisa;
  const match = await matchShown(core, db, session, proof);
  const kind = weakWalletIds(channel);
  // Only a credit is judged once more.
  if (kind === null || match.outcome !== 'credit') return match;
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
 * Claims under which no SMS has come. A text that is no id of that wallet guesses nothing. Where the list is
 * full, it may hide guesses: then nonsense counts, too, and each id as if somebody else had claimed it.
 */
async function walletGuesses(core: Core, db: Db, price: Price): Promise<Guess[]> {
  const since = core.clock.now() - GUESS_WINDOW_MS;
  const rows = await unmatchedClaims.all(db, { ...price, since, limit: MAX_GUESSES });
  const isWhole = rows.length < MAX_GUESSES;
  return rows
    .filter(({ reference }) => !isWhole || looksLikeIdOf(price.channel, reference))
    .map(({ reference, claimed_at: claimedAt, session_id: session, address_mark: mark }) => ({
      ...{ reference, claimedAt },
      guesser: isWhole ? (mark ?? session) : reference,
    }));
}

/** What was typed for that amount by customers of bank QR. */
export async function typedNumbers(
  core: Core,
  db: Db,
  { merchant, paisa }: Omit<Price, 'channel'>,
): Promise<TypedNumber[]> {
  const since = core.clock.now() - NUMBERS_WINDOW_MS;
  const rows = await pricedClaims.all(db, { merchant, channel: QR, paisa, since, limit: MAX_GUESSES });
  return rows.map(({ reference, claimed_at }) => ({ typed: reference, claimedAt: claimed_at }));
}
