/**
 * Takes SMS in: each is stored whole and parsed; money becomes a proof, and waiting claims settle in the same
 * unit of work.
 */
import { KashboxError } from '../../base/errors/errors.js';
import type { IncomingSms } from '../../domain/sms/incoming-sms.js';
import { isSpoiltCopy } from '../../domain/sms/sms-identity.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { testBrandOf } from '../../store/tables/brands.js';
import { lockNames } from '../../store/tables/locks.js';
import { reopenClaims } from '../../store/tables/proofs.js';
import { completeRecipients, doubtedProof, insertSms, replaceProof } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import { contraryTo, disputeMoney } from '../settlement/dispute-money.js';
import { NONE, notifyListeners, type SettlementResult } from '../settlement/settle-claim.js';
import { settleArrived } from '../settlement/settle-waiting.js';
import { doubtRoutes, learnRoutes } from '../settlement/sms-centres.js';
import { joinParts } from './join-parts.js';
import { doubtPlayedTexts } from './played-before.js';
import { namesLocked, namingText, type Prepared, prepareSms, type SmsOrigin } from './prepare-sms.js';
import { trustRanges } from './trust-range.js';

interface TakeSms extends SmsOrigin {
  readonly messages: readonly IncomingSms[];
  /** Writes what belongs to them, in the unit of work that stores them; not called where there are none. */
  readonly alongside?: (db: Db, prepared: readonly Prepared[]) => Promise<void>;
}

interface TakenSms extends SettlementResult {
  /** One for each message, in their order. */
  readonly states: readonly ('stored' | 'duplicate')[];
}

/** Takes a batch in one durable unit of work: all of it is kept, or none and the phone sends it again. */
export async function takeSms(core: Core, input: TakeSms): Promise<TakenSms> {
  if (input.messages.length === 0) return { states: [], ...NONE };
  const engine = await core.smsEngine();
  const prepare = (sms: IncomingSms) => prepareSms(core, engine, input, sms);
  const prepared = input.messages.map(prepare);
  const taken = await core.store.write(async (db) => {
    const whole = await joinParts(db, input.messages, prepared, prepare);
    const stored = await takeAll(core, db, input, whole);
    await input.alongside?.(db, prepared);
    return stored;
  });
  notifyListeners(core, taken);
  return taken;
}

async function takeAll(core: Core, db: Db, input: TakeSms, prepared: readonly Prepared[]): Promise<TakenSms> {
  await lockNames(db, input.merchantId, prepared.flatMap(namesLocked));
  const isPlayed = input.source.kind === 'played';
  const [read] = await Promise.all([
    isPlayed ? prepared : doubtPlayedTexts(db, await trustRanges(db, prepared)),
    requireOwnKind(db, input),
  ]);
  const stored = await storeAndSettle(core, db, input.merchantId, await doubtRoutes(core, db, read));
  if (input.source.kind === 'manual') await auditTyped(core, db, input.source.who, prepared, stored);
  return stored;
}

/**
 * What was played is stored for the merchant of a brand for tests and for nobody else, and that merchant has
 * nothing but what was played. So play and money never stand where one is looked up for the other.
 */
async function requireOwnKind(db: Db, { merchantId, source }: SmsOrigin): Promise<void> {
  const isOfTests = (await testBrandOf.first(db, { merchant: merchantId })) !== undefined;
  if (isOfTests === (source.kind === 'played')) return;
  throw new KashboxError('state_refused', {
    message: isOfTests
      ? 'A brand for tests takes no SMS of phones or people'
      : 'An SMS was played for a brand that takes real money',
    hint: 'Real money belongs to a live brand; play payments of a test brand with `kashbox test pay`.',
  });
}

async function storeAndSettle(
  core: Core,
  db: Db,
  merchantId: string,
  prepared: readonly Prepared[],
): Promise<TakenSms> {
  const rows = prepared.map((item) => item.row);
  const all = prepared.flatMap((item) => item.proofs);
  const references = [...new Set(all.map(({ reference }) => reference))];
  const { fresh, known } = await insertSms(db, rows, all);
  const contrary = await contraryTo(db, merchantId, references);
  const states = rows.map((row) => (fresh.has(row.id) ? 'stored' : 'duplicate'));
  await learnRoutes(
    core,
    db,
    rows.filter(({ id }) => fresh.has(id)),
  );
  const arrived = prepared.filter((item) => fresh.has(item.row.id));
  const proofs = arrived.flatMap((item) => item.proofs);
  const disputed = await disputeMoney(core, db, merchantId, {
    texts: arrived.flatMap((item) => namingText(item, known)),
    arrived: proofs.filter(({ id }) => known.has(id)),
    contrary,
  });
  const repeated = prepared.filter(({ row }) => !fresh.has(row.id) && row.recipient !== null);
  const completed = await completeRepeated(db, repeated);
  await confirmDoubted(db, arrived, known);
  const result = await settleArrived(core, db, merchantId, [...proofs, ...completed]);
  return { states, ...result, reviewed: [...result.reviewed, ...disputed] };
}

/** @returns the proofs, as they are read now, of SMS that were stored before and lacked their number. */
async function completeRepeated(db: Db, repeated: readonly Prepared[]): Promise<PlainProof[]> {
  const numbers = repeated.map(({ row }) => [row.dedupe_key, row.recipient ?? ''] as const);
  const completed = await completeRecipients(db, new Map(numbers));
  await reopenClaims(
    db,
    completed.map(({ id }) => id),
    ['recipient_unknown'],
  );
  const keys = new Set(completed.map(({ dedupe_key }) => dedupe_key));
  return repeated.flatMap(({ row, proofs }) => (keys.has(row.dedupe_key) ? proofs : []));
}

async function auditTyped(
  core: Core,
  db: Db,
  who: string,
  prepared: readonly Prepared[],
  { states, settled }: TakenSms,
): Promise<void> {
  for (const [index, { row }] of prepared.entries()) {
    const { sender, recipient } = row;
    const after = { sender, recipient, state: states[index], settled };
    await audit(core, db, who, 'sms.add', row.merchant_id, { after });
  }
}

/**
 * Money that is credited or disputed, that a person has decided about, of another amount or for another
 * number stays as it is.
 * @param arrived SMS that are new. @param known the proofs that were not there before.
 */
async function confirmDoubted(
  db: Db,
  arrived: readonly Prepared[],
  known: ReadonlySet<string>,
): Promise<void> {
  const confirmed: string[] = [];
  for (const { row, proofs } of arrived) {
    for (const proof of proofs) {
      if (proof.settle !== 'auto' || known.has(proof.id)) continue;
      const doubted = await doubtedProof(db, proof);
      if (doubted === undefined || isOther(doubted, proof)) continue;
      const { body, reasons } = doubted;
      if (!isSpoiltCopy({ body, reasons: JSON.parse(reasons) as string[] }, row.body)) continue;
      await replaceProof(db, doubted.id, proof);
      confirmed.push(row.id);
    }
  }
  await reopenClaims(db, confirmed, ['sms_doubtful', 'amount_unknown', 'recipient_unknown']);
}

type Money = Pick<PlainProof, 'amount_paisa' | 'recipient'>;

/** What one of the two does not say is no difference. */
function isOther(one: Money, other: Money): boolean {
  const differs = (a: number | string | null, b: number | string | null) =>
    a !== null && b !== null && a !== b;
  return differs(one.amount_paisa, other.amount_paisa) || differs(one.recipient, other.recipient);
}
