/**
 * Asks again for what claims on chain and exchange name: a transfer becomes final, an order appears, without
 * another call of the shop. A due claim is a row; taking it moves its time, so that of several daemons one
 * asks, and what a killed one had taken is due again by itself.
 */
import type { Look } from '../channels/channel.js';
import type { PulledChannel } from '../domain/channels.js';
import { HELD_AFTER_END_MS } from '../domain/quote.js';
import { finalInMs, nextRecheckMs } from '../domain/recheck.js';
import {
  type DueClaim,
  dueClaims,
  nextDue,
  postponeClaims,
  rescheduleClaim,
} from '../store/tables/rechecks.js';
import type { Core } from './core.js';
import { decideSeen, type Verdict } from './decide-claim.js';
import { refuseClaim } from './keep-claim.js';
import { type Asked, chainNodes, chainQuestion, exchangeAccount } from './look-outside.js';

/** How long a round may take, with time to write down what came of it. */
const LEASE_MS = 30_000;
/** Claims that are taken at once: of most only the height of the chain needs to be known. */
const MAX_TAKEN = 1_000;
/** Of these asked for in one round, as many as one request to a node holds. */
const MAX_ASKED = 50;

export interface Rechecked {
  /** Claims that were due. */
  readonly taken: number;
  /** Milliseconds until something is due again; null where nothing waits. */
  readonly waitMs: number | null;
}

/** One round: everything that is due is either asked for or put off until it may have changed. */
export async function recheckClaims(core: Core): Promise<Rechecked> {
  const taken = await takeDue(core);
  await Promise.all(bySource(taken).map((claims) => recheckSource(core, claims)));
  return { taken: taken.length, waitMs: await untilNext(core) };
}

async function takeDue(core: Core): Promise<DueClaim[]> {
  const now = core.clock.now();
  // Mostly nothing waits, and then nothing needs to be written.
  if ((await untilNext(core)) !== 0) return [];
  return core.store.write(async (db) => {
    const due = await dueClaims.all(db, { now, limit: MAX_TAKEN });
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) await postponeClaims(db, ids, now + LEASE_MS);
    return due;
  });
}

async function untilNext(core: Core): Promise<number | null> {
  const next = await core.store.read((db) => nextDue.first(db, {}));
  const at = next?.next_at ?? null;
  return at === null ? null : Math.max(0, at - core.clock.now());
}

function bySource(claims: readonly DueClaim[]): DueClaim[][] {
  const sources = new Map<string, DueClaim[]>();
  for (const claim of claims) {
    const { chain_id } = JSON.parse(claim.details) as { readonly chain_id?: string };
    const source = claim.channel === 'bep20' ? `chain ${chain_id}` : claim.account_id;
    sources.set(source, [...(sources.get(source) ?? []), claim]);
  }
  return [...sources.values()];
}

async function recheckSource(core: Core, claims: readonly DueClaim[]): Promise<void> {
  const isChain = claims[0]?.channel === 'bep20';
  const ready = isChain ? await finalOnes(core, claims) : claims;
  // What was seen already first: of the others most are mistyped.
  const inOrder = [...ready].sort((a, b) => Number(a.block === null) - Number(b.block === null));
  const asked = inOrder.slice(0, MAX_ASKED);
  await putOff(core, inOrder.slice(MAX_ASKED), 0);
  if (asked.length === 0) return;
  const questions = asked.map(questionOf);
  const looks = isChain ? await lookOnChain(core, questions) : await lookAtExchange(core, questions);
  for (const [index, claim] of asked.entries()) {
    const question = questions[index];
    const look = looks[index];
    if (question !== undefined && look !== undefined) await settle(core, claim, question, look);
  }
}

/** @returns those that are not known to be in a block which cannot be final yet; the others are put off. */
async function finalOnes(core: Core, claims: readonly DueClaim[]): Promise<DueClaim[]> {
  const [first] = claims;
  if (first === undefined || claims.every(({ block }) => block === null)) return [...claims];
  const { chainId } = chainQuestion(questionOf(first));
  const nodes = await chainNodes(core, chainId);
  const heads = await (await core.outside.chain()).heads(nodes, chainId);
  if (heads.outcome === 'unavailable') {
    await putOff(core, claims, heads.retryAfterS * 1_000);
    return [];
  }
  const ready: DueClaim[] = [];
  const early: { readonly claim: DueClaim; readonly waitMs: number }[] = [];
  for (const claim of claims) {
    const waitMs = claim.block === null ? 0 : finalInMs(claim.block, heads.final);
    if (waitMs === 0) ready.push(claim);
    else early.push({ claim, waitMs });
  }
  const waits = new Set(early.map(({ waitMs }) => waitMs));
  for (const waitMs of waits) {
    const same = early.filter((one) => one.waitMs === waitMs).map(({ claim }) => claim);
    await putOff(core, same, waitMs);
  }
  return ready;
}

async function putOff(core: Core, claims: readonly DueClaim[], waitMs: number): Promise<void> {
  if (claims.length === 0) return;
  const ids = claims.map(({ id }) => id);
  await core.store.write((db) => postponeClaims(db, ids, core.clock.now() + waitMs));
}

function questionOf(claim: DueClaim): Asked {
  const { channel, reference, created_at: createdAt, ...quote } = claim;
  return { channel: channel as PulledChannel, reference, quote, createdAt };
}

async function lookOnChain(core: Core, asked: readonly Asked[]): Promise<readonly Look[]> {
  const questions = asked.map(chainQuestion);
  const chainId = questions[0]?.chainId ?? 0;
  const nodes = await chainNodes(core, chainId);
  return (await core.outside.chain()).lookMany(nodes, chainId, questions);
}

async function lookAtExchange(core: Core, asked: readonly Asked[]): Promise<readonly Look[]> {
  const [first] = asked;
  if (first === undefined) return [];
  const account = exchangeAccount(core, first.quote);
  const questions = asked.map(({ reference, createdAt }) => ({ id: reference, notBefore: createdAt }));
  return (await core.outside.exchange()).lookMany(account, questions);
}

async function settle(core: Core, claim: DueClaim, asked: Asked, look: Look): Promise<void> {
  const brand = {
    brandId: claim.brand_id,
    merchantId: claim.merchant_id,
    proofWindowHours: claim.proof_window_hours,
    accountsStamp: claim.accounts_stamp,
  };
  const { session_id: sessionId, channel: method, reference } = claim;
  const question = { brand, sessionId, method, reference, asker: 'recheck' } as const;
  const verdict = await decideSeen(core, question, { asked, look });
  await writeNext(core, claim, verdict);
  if (verdict.outcome === 'disagrees' || verdict.outcome === 'already_credited') core.moved.tell(sessionId);
}

/** What is decided is not asked for again; what is not, later and later, until its amount is let go of. */
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
      return;
    case 'not_final':
      await again(nextRecheckMs(1));
      return;
    case 'already_credited':
      await core.store.write((db) =>
        refuseClaim(
          core,
          db,
          { id: claim.session_id },
          {
            merchant: claim.merchant_id,
            channel: claim.channel,
            reference: claim.reference,
            reason: 'already_credited',
          },
        ),
      );
      return;
    case 'completed':
    case 'under_review':
    case 'disagrees':
    case 'session_not_found':
    case 'session_completed':
    case 'too_many_attempts':
    case 'ask_full_number':
    case 'not_offered':
      await again(null);
      return;
    default:
      verdict satisfies never;
  }
}
