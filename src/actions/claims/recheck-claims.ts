/**
 * Rechecks claims on chains and exchanges without another call of the shop: a transfer may have become final,
 * an order may have appeared. Also ends holds: claims whose money has arrived, but whose id may be a guess
 * (settlement/weak-evidence), go to review when their hold expires. Leasing a due claim moves its due time,
 * so that only one daemon checks it, and it is due again after a crash.
 */
import type { Lookup } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { parseAccountDetails } from '../../domain/accounts/account-details.js';
import { isOnChain } from '../../domain/accounts/channels.js';
import { HELD_AFTER_END_MS } from '../../domain/matching/quote.js';
import {
  clearHolds,
  type DueClaim,
  dueFresh,
  dueObservedClaims,
  dueOlder,
  leaseClaims,
  nextDue,
  overdueHolds,
  rescheduleClaim,
} from '../../store/tables/claims.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { claimedSession } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { refuseClaim, requestLateReview } from '../settlement/record-claim.js';
import { notifyListeners } from '../settlement/settle-claim.js';
import { settleWaiting } from '../settlement/settle-waiting.js';
import { chainNodes, chainQuestion, queryExchange, type SourceQuestion } from '../usdt/query-sources.js';
import { decideWithAnswer, type Verdict } from './decide-claim.js';

/** Maximum duration of a round, including the time to record its results. */
const LEASE_MS = 30_000;
/** Claims of each kind that are looked at in a round. */
const MAX_SEEN = 1_000;
const MAX_UNSEEN = 500;
/** Maximum number of claims looked up at one source in a round: the maximum of one request to a node. */
const MAX_ASKED = 50;
/** A suspended merchant is credited nothing until active again. */
const SUSPENDED_MS = 60_000;

interface RecheckResult {
  /** Number of claims looked up or postponed. */
  readonly taken: number;
  /** Milliseconds until something is due again; null where nothing waits. */
  readonly waitMs: number | null;
}

/**
 * One round. Order: claims with an observed payment first, then new claims, then the rest by age, so that
 * made-up ids only delay the last group.
 */
export async function recheckClaims(core: Core): Promise<RecheckResult> {
  // Mostly nothing waits.
  const waitMs = await untilNext(core);
  if (waitMs !== 0) return { taken: 0, waitMs };
  const held = await endHolds(core);
  const due = await dueNow(core);
  const sources = [...Map.groupBy(due, sourceOf).values()];
  const counts = await Promise.all(sources.map((claims) => recheckSource(core, claims)));
  return { taken: counts.reduce((sum, count) => sum + count, held), waitMs: await untilNext(core) };
}

function dueNow(core: Core): Promise<DueClaim[]> {
  const now = core.clock.now();
  return core.store.read(async (db) => [
    ...(await dueObservedClaims.all(db, { now, limit: MAX_SEEN })),
    ...(await dueFresh.all(db, { now, limit: MAX_UNSEEN })),
    ...(await dueOlder.all(db, { now, limit: MAX_UNSEEN })),
  ]);
}

async function untilNext(core: Core): Promise<number | null> {
  const next = await core.store.read((db) => nextDue.first(db, {}));
  const at = next?.next_at ?? null;
  return at === null ? null : Math.max(0, at - core.clock.now());
}

/** Groups claims for one lookup: on a chain by chain, at exchanges by account. */
function sourceOf({ channel, details, account_id }: DueClaim): string {
  return isOnChain(channel) ? channelModule(channel).scopeOf(parseAccountDetails(details)) : account_id;
}

/** @returns the number of claims looked up or postponed. */
async function recheckSource(core: Core, claims: readonly DueClaim[]): Promise<number> {
  const suspended = claims.filter(({ merchant_status }) => merchant_status === 'SUSPENDED');
  const active = claims.filter(({ merchant_status }) => merchant_status !== 'SUSPENDED');
  await putOff(core, suspended, SUSPENDED_MS);
  const isChain = claims[0] !== undefined && isOnChain(claims[0].channel);
  const ready = isChain ? await finalOnes(core, active) : active;
  const asked = await take(core, ready.slice(0, MAX_ASKED));
  const questions = asked.map(questionOf);
  if (questions.length > 0) {
    const lookups = isChain ? await recheckOnChain(core, questions) : await queryExchange(core, questions);
    for (const [index, claim] of asked.entries()) {
      const question = questions[index];
      const lookup = lookups[index];
      if (question !== undefined && lookup !== undefined) await settle(core, claim, question, lookup);
    }
  }
  return asked.length + suspended.length + (active.length - ready.length);
}

/** @returns those that no other process has taken. */
async function take(core: Core, claims: readonly DueClaim[]): Promise<DueClaim[]> {
  const taken = new Set(await putOff(core, claims, LEASE_MS));
  return claims.filter(({ id }) => taken.has(id));
}

/** @returns the ids of those that were still due. */
async function putOff(core: Core, claims: readonly DueClaim[], waitMs: number): Promise<string[]> {
  if (claims.length === 0) return [];
  const ids = claims.map(({ id }) => id);
  const now = core.clock.now();
  return core.store.write((db) => leaseClaims(db, ids, { now, until: now + waitMs }));
}

/** @returns those that are not known to be in a block which cannot be final yet; the others are put off. */
async function finalOnes(core: Core, claims: readonly DueClaim[]): Promise<readonly DueClaim[]> {
  const [first] = claims;
  if (first === undefined || claims.every(({ block }) => block === null)) return claims;
  const { chainId } = chainQuestion(questionOf(first));
  const nodes = await chainNodes(core, chainId);
  const heads = await (await core.outside.chain()).heads(nodes, chainId);
  if (heads.outcome === 'unavailable') {
    await putOff(core, claims, heads.retryAfterS * 1_000);
    return [];
  }
  const byWait = Map.groupBy(claims, ({ block }) => (block === null ? 0 : finalInMs(block, heads.final)));
  for (const [waitMs, same] of byWait) if (waitMs > 0) await putOff(core, same, waitMs);
  return byWait.get(0) ?? [];
}

function questionOf(claim: DueClaim): SourceQuestion {
  const { channel, reference, created_at: createdAt, ...quote } = claim;
  return { channel, reference, quote, createdAt };
}

async function recheckOnChain(core: Core, asked: readonly SourceQuestion[]): Promise<readonly Lookup[]> {
  const questions = asked.map(chainQuestion);
  const chainId = questions[0]?.chainId ?? 0;
  const nodes = await chainNodes(core, chainId);
  return (await core.outside.chain()).lookupMany(nodes, chainId, questions);
}

async function settle(core: Core, claim: DueClaim, asked: SourceQuestion, lookup: Lookup): Promise<void> {
  const brand = {
    brandId: claim.brand_id,
    merchantId: claim.merchant_id,
    proofWindowHours: claim.proof_window_hours,
    accountsVersion: claim.accounts_stamp,
  };
  const { session_id: sessionId, channel: method, reference } = claim;
  const question = { brand, sessionId, method, reference, source: 'recheck' } as const;
  const verdict = await decideWithAnswer(core, question, { asked, lookup });
  await writeNext(core, claim, verdict);
  if (verdict.outcome === 'disagrees' || verdict.outcome === 'already_credited') core.moved.tell(sessionId);
}

/** Undecided claims are rechecked ever more rarely, until their amount is released. */
async function writeNext(core: Core, claim: DueClaim, verdict: Verdict): Promise<void> {
  const now = core.clock.now();
  const tries = claim.tries + 1;
  const isOver = now >= claim.expires_at + HELD_AFTER_END_MS;
  const again = (waitMs: number | null) =>
    core.store.write((db) =>
      rescheduleClaim.all(db, {
        id: claim.id,
        nextAt: waitMs === null || isOver ? null : now + waitMs,
        tries,
      }),
    );
  switch (verdict.outcome) {
    case 'not_found':
      await again(nextRecheckMs(tries));
      return;
    case 'unavailable':
      await again(Math.max(verdict.retryAfterS * 1_000, nextRecheckMs(1)));
      if (isOver) await askAtTheEnd(core, claim);
      return;
    case 'not_final':
      await again(nextRecheckMs(1));
      if (isOver) await askAtTheEnd(core, claim);
      return;
    case 'already_credited':
      await core.store.write((db) => {
        const { session_id: id, merchant_id: merchant, channel, reference } = claim;
        const refused = { merchant, channel, reference, reason: verdict.outcome };
        return refuseClaim(core, db, { id }, refused);
      });
      return;
    case 'completed':
    case 'part':
    case 'under_review':
    case 'disagrees':
    case 'session_not_found':
    case 'session_completed':
    case 'too_many_attempts':
    case 'over_budget':
    case 'ask_full_number':
    case 'not_offered':
      await again(null);
      return;
    default:
      verdict satisfies never;
  }
}

/** The last recheck had no answer: goes to review. */
async function askAtTheEnd(core: Core, claim: DueClaim): Promise<void> {
  const { session_id: id, brand_id: brand, merchant_id: merchant, channel, reference } = claim;
  await core.store.write(async (db) => {
    const session = await claimedSession.first(db, { id, brand, channel, reference });
    if (session === undefined || session.status === 'COMPLETED') return;
    await requestLateReview(core, db, session, { merchant, channel, reference });
  });
}

const MAX_HELD = 200;

/** @returns how many were due. */
export async function endHolds(core: Core): Promise<number> {
  const now = core.clock.now();
  const due = await core.store.read((db) => overdueHolds.all(db, { now, limit: MAX_HELD }));
  for (const [merchant, claims] of Map.groupBy(due, ({ merchant_id }) => merchant_id)) {
    const ids = claims.map(({ id }) => id);
    const references = [...new Set(claims.map(({ reference }) => reference))];
    const isSuspended = claims[0]?.merchant_status === 'SUSPENDED';
    const result = await core.store.write(async (db) => {
      if (isSuspended) {
        await leaseClaims(db, ids, { now, until: now + SUSPENDED_MS });
        return null;
      }
      await lockMerchant(db, merchant);
      const settled = await settleWaiting(core, db, merchant, references);
      await clearHolds(db, ids, now);
      return settled;
    });
    if (result !== null) notifyListeners(core, result);
  }
  return due.length;
}

const SECOND = 1_000;
/** Pauses after the first, second … failed lookup; customers wait mostly for the first. */
const PAUSES_MS = [2, 3, 5, 10, 20, 40, 60].map((seconds) => seconds * SECOND);
const LAST_PAUSE_MS = 120 * SECOND;
/** A block is final sooner than that, or its chain has stopped. */
const LONGEST_FINALITY_MS = 60 * SECOND;

/** @param tries number of failed lookups, at least 1. @returns milliseconds until the next lookup. */
export function nextRecheckMs(tries: number): number {
  return PAUSES_MS[tries - 1] ?? LAST_PAUSE_MS;
}

/** Block time of the BNB chain since 2026. Slower chains cause some unsuccessful lookups. */
const BLOCK_MS = 450;

/**
 * @param block height that holds the transfer. @param final height up to which all is final.
 * @returns milliseconds until it may be final, 0 if it is.
 */
export function finalInMs(block: number, final: number): number {
  if (block <= final) return 0;
  return Math.min(Math.max((block - final) * BLOCK_MS, SECOND), LONGEST_FINALITY_MS);
}
