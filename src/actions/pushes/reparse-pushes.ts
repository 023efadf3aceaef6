/**
 * Parses again, with the acquirers' current maps, the stored pushes that are not money yet: after a map's
 * repair, they may turn out to be payments. A proof stays a proof.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { classifyReread } from '../../domain/matching/push-repeat.js';
import type { Db, PushTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import {
  changePush,
  pushBefore,
  type UnpaidPush,
  unpaidPage,
  unpaidPush,
} from '../../store/tables/pushes.js';
import { parseRules } from '../acquirers/acquirer-rules.js';
import type { Core } from '../core/core.js';
import { idPages } from '../input/pages.js';
import { requireAcquirer } from '../input/require-row.js';
import { disputeByPush } from '../settlement/dispute-money.js';
import { mergeResults, notifyListeners, type SettlementResult } from '../settlement/settle-claim.js';
import { contradiction, isRepeatedPush, parsePushRow, repetition, whyNoMoney } from './push-row.js';
import { creditPush } from './settle-push.js';

interface ReparsePushes {
  /** Identifier or name; absent for all that are not revoked. */
  readonly acquirer?: string | undefined;
  readonly who: string;
}

export interface ReparsedPushes {
  /** Pushes looked at. */
  readonly read: number;
  /** Number of these pushes that are money with the current map. */
  readonly paid: number;
  /** They say no more than another push of the same reference. */
  readonly repeated: number;
  /** They say otherwise of money that has moved. */
  readonly contradicted: number;
  /** Payments that were completed by it. */
  readonly settled: readonly string[];
  /** Ids of payments that went to manual review. */
  readonly reviewed: readonly string[];
  /** Reasons why the other pushes are still not money, the most frequent first. */
  readonly left: readonly { readonly why: string; readonly count: number }[];
}

type ReparseOutcome =
  | { readonly outcome: 'paid'; readonly met: SettlementResult }
  | { readonly outcome: 'repeated' | 'contradicted' }
  | { readonly outcome: 'left'; readonly why: string };

type PushOutcome = readonly [push: string, outcome: ReparseOutcome];

const PAGE = 200;
/** A map that takes the status from a field that always differs would give a reason for each push. */
const MAX_REASONS = 20;

/**
 * Parses stored pushes, one per database transaction: it can be stopped, repeated and run in parallel.
 * @throws KashboxError `not_found`, `invalid_input` (several have that name), `state_refused` (revoked)
 */
export async function reparsePushes(core: Core, input: ReparsePushes): Promise<ReparsedPushes> {
  const acquirer = input.acquirer === undefined ? null : await acquirerOf(core, input.acquirer);
  /** Outcomes by push id; a push that is replaced by a later one is parsed twice. */
  const outcomes = new Map<string, ReparseOutcome>();
  let read = 0;
  const pageAfter = (after: string) =>
    core.store.read((db) => unpaidPage(db, { acquirer, after, limit: PAGE }));
  for await (const page of idPages(pageAfter)) {
    for (const row of page) {
      if (isRepeatedPush(row)) continue;
      read += 1;
      for (const [id, outcome] of await reparseOne(core, row)) outcomes.set(id, outcome);
    }
  }
  const result = { read, ...summary([...outcomes.values()]) };
  const { left: _left, ...counts } = result;
  await core.store.write((db) =>
    audit(core, db, input.who, 'push.reparse', acquirer ?? 'pushes', { after: counts }),
  );
  return result;
}

/** A key is often revoked because it was stolen: what came with it gets no second chance to be believed. */
async function acquirerOf(core: Core, named: string): Promise<string> {
  const row = await core.store.read((db) => requireAcquirer(db, named));
  if (row.revoked_at === null) return row.id;
  throw new KashboxError('state_refused', {
    message: `Acquirer "${row.name}" is revoked, so its notifications are not parsed again`,
    hint: 'Register it again first with `kashbox acquirers create`, which creates a new key.',
  });
}

async function reparseOne(core: Core, row: UnpaidPush): Promise<PushOutcome[]> {
  // Most of them read as before, and the daemon should not wait for the store on their account.
  const columns = Object.entries(parsePushRow(row, parseRules(row.rules).map));
  if (columns.every(([name, value]) => row[name as keyof PushTable] === value)) return [[row.id, left(row)]];
  const outcomes = await core.store.write(async (db) => {
    await lockMerchant(db, row.merchant_id);
    const now = await unpaidPush(db, row.id);
    return now === undefined || isRepeatedPush(now) ? [] : reread(core, db, now, now);
  });
  for (const [, one] of outcomes) if (one.outcome === 'paid') notifyListeners(core, one.met);
  return outcomes;
}

/** @param source any push of the same acquirer, for its map and its merchant. */
async function reread(core: Core, db: Db, source: UnpaidPush, row: PushTable): Promise<PushOutcome[]> {
  const columns = parsePushRow(row, parseRules(source.rules).map);
  // What could be read once stays read: only the map has changed.
  if (columns.state === 'UNREAD' && row.state !== 'UNREAD') return [[row.id, left(row)]];
  const { id, acquirer_id, dedupe_key } = row;
  const now: PushTable = { ...row, ...columns };
  const keep = async (): Promise<ReparseOutcome> => {
    await changePush(db, id, columns);
    if (now.state !== 'SETTLED') return left(now);
    const isSuspended = source.merchant_status === 'SUSPENDED';
    return { outcome: 'paid', met: await creditPush(core, db, now, isSuspended) };
  };
  const other = await pushBefore(db, { acquirer_id, reference: now.reference, dedupe_key });
  if (other === undefined || other.id === id) return [[id, await keep()]];
  const relation = classifyReread(other, now, isOlder(now, other));
  switch (relation) {
    case 'leads':
      // Its body stays its own, so it is read after the one that has taken its place.
      await changePush(db, other.id, { reference: null });
      return [[id, await keep()], ...(await reread(core, db, source, other))];
    case 'repeats':
      await changePush(db, id, { ...columns, amount_paisa: null, ...repetition(now) });
      return [[id, { outcome: 'repeated' }]];
    case 'contradicts':
      await changePush(db, id, { ...columns, ...contradiction(now) });
      await disputeByPush(core, db, { source: other.id, by: id });
      return [[id, { outcome: 'contradicted' }]];
    default:
      return relation satisfies never;
  }
}

/** Compares two pushes in an order without ties. With ties, two pushes could replace each other forever. */
function isOlder(one: PushTable, other: PushTable): boolean {
  if (one.received_at !== other.received_at) return one.received_at < other.received_at;
  return one.id < other.id;
}

function left(row: PushTable): ReparseOutcome {
  return { outcome: 'left', why: whyNoMoney(row) };
}

function summary(outcomes: readonly ReparseOutcome[]): Omit<ReparsedPushes, 'read'> {
  const { settled, reviewed } = mergeResults(
    outcomes.flatMap((one) => (one.outcome === 'paid' ? one.met : [])),
  );
  const reasons = new Map<string, { readonly why: string; readonly count: number }>();
  for (const one of outcomes) {
    if (one.outcome !== 'left') continue;
    const { why, count } = reasons.get(unquoted(one.why)) ?? { why: one.why, count: 0 };
    reasons.set(unquoted(one.why), { why, count: count + 1 });
  }
  const count = (outcome: ReparseOutcome['outcome']) =>
    outcomes.filter((one) => one.outcome === outcome).length;
  return {
    paid: count('paid'),
    repeated: count('repeated'),
    contradicted: count('contradicted'),
    settled,
    reviewed,
    left: [...reasons.values()].toSorted((one, other) => other.count - one.count).slice(0, MAX_REASONS),
  };
}

/** Removes quoted values, so that reasons that differ only in these are counted as one. */
const unquoted = (why: string) => why.replaceAll(/"[^"]*"/g, '""');
