/**
 * Receives SMS: stores each one unchanged and parses it. Money becomes a proof, and waiting claims settle in
 * the same database transaction.
 */
import { KashboxError } from '../../base/errors/errors.js';
import type { IncomingSms } from '../../domain/sms/incoming-sms.js';
import { isSpoiltCopy } from '../../domain/sms/sms-identity.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { findTestBrand } from '../../store/tables/brands.js';
import { lockMerchant, lockNames } from '../../store/tables/locks.js';
import { reopenClaims } from '../../store/tables/proofs.js';
import { completeRecipients, doubtedProof, insertSms, replaceProof } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import { settleSent } from '../refunds/settle-sent.js';
import { disputeMoney } from '../settlement/dispute-money.js';
import { NONE, notifyListeners, type SettlementResult } from '../settlement/settle-claim.js';
import { settleArrived } from '../settlement/settle-waiting.js';
import { learnRoutes } from '../settlement/sms-centres.js';
import { joinParts } from './join-parts.js';
import { judgeSms } from './judge-sms.js';
import {
  namesLocked,
  type PreparedSms,
  prepareSms,
  type SmsAsRead,
  type SmsOrigin,
  toTextMentioningId,
} from './prepare-sms.js';
import { alertNewWords } from './trust-sources.js';

interface TakeSms extends SmsOrigin {
  readonly messages: readonly IncomingSms[];
  /** Writes related rows in the database transaction that stores the SMS; not called if there are no SMS. */
  readonly alongside?: (db: Db, prepared: readonly PreparedSms[]) => Promise<void>;
}

interface TakenSms extends SettlementResult {
  /** One for each message, in their order. */
  readonly states: readonly ('stored' | 'duplicate')[];
}

/**
 * Stores a batch in one durable database transaction: all of it is stored, or nothing and the phone sends it
 * again. Parse, judge, store, settle: each step has its function, in this order.
 */
export async function takeSms(core: Core, input: TakeSms): Promise<TakenSms> {
  const { messages, merchantId, source } = input;
  if (messages.length === 0) return { states: [], ...NONE };
  const engine = await core.smsEngine();
  const prepare = (sms: IncomingSms) => prepareSms(core, engine, input, sms);
  const prepared = messages.map(prepare);
  const taken = await core.store.write(async (db): Promise<TakenSms> => {
    const whole = await joinParts(db, messages, prepared, prepare);
    // Weak money is compared with all payments of its amount, and with the numbers typed for them.
    if (prepared.some(isWeak)) await lockMerchant(db, merchantId);
    await lockNames(db, merchantId, whole.flatMap(namesLocked));
    const [judged] = await Promise.all([
      source.kind === 'played' ? whole : judgeSms(core, db, whole),
      requireOwnKind(db, input),
    ]);
    const { newSms, newProofs } = await insertSms(db, judged);
    const isNew = ({ row }: SmsAsRead) => newSms.has(row.id);
    const arrived = judged.filter(isNew);
    await learnRoutes(core, db, arrived);
    const repeated = judged.filter((sms) => !isNew(sms));
    const completed = await completeRepeated(db, repeated);
    const result = await settleStored(core, db, { merchantId, arrived, newProofs, completed });
    await alertNewWords(core, db, arrived);
    const states = judged.map((sms) => (isNew(sms) ? 'stored' : 'duplicate'));
    if (source.kind === 'manual') await auditTyped(core, db, source.who, judged, { states, ...result });
    await input.alongside?.(db, prepared);
    return { states, ...result };
  });
  notifyListeners(core, taken);
  return taken;
}

/** A source may be trusted, which is known later. */
const isWeak = ({ row, proofs }: SmsAsRead) =>
  proofs.some(({ settle }) => settle === 'weak' || row.source_name !== null);

/**
 * Refuses simulated SMS for a live brand and real SMS for a test brand. A test brand's merchant has only
 * simulated SMS and no other merchant has any, so a lookup for one kind never finds the other.
 */
async function requireOwnKind(db: Db, { merchantId, source }: SmsOrigin): Promise<void> {
  const isOfTests = (await findTestBrand.first(db, { merchant: merchantId })) !== undefined;
  if (isOfTests === (source.kind === 'played')) return;
  throw new KashboxError('state_refused', {
    message: isOfTests
      ? 'A test brand accepts no SMS from phones or people'
      : 'A simulated SMS was sent for a brand that takes real money',
    hint: 'Real money belongs to a live brand; simulate payments of a test brand with `kashbox test pay`.',
  });
}

/**
 * Compares newly stored SMS with known money: they may contradict it, confirm a suspicious text, and pay.
 * @param stored.arrived the SMS.
 * @param stored.newProofs ids of the proofs that are new.
 * @param stored.completed more money that may pay now.
 */
export async function settleStored(
  core: Core,
  db: Db,
  stored: {
    readonly merchantId: string;
    readonly arrived: readonly SmsAsRead[];
    readonly newProofs: ReadonlySet<string>;
    readonly completed: readonly PlainProof[];
  },
): Promise<SettlementResult> {
  const { merchantId, arrived, newProofs, completed } = stored;
  const proofs = arrived.flatMap((item) => item.proofs);
  const disputed = await disputeMoney(core, db, merchantId, {
    texts: arrived.flatMap((item) => toTextMentioningId(item, newProofs)),
    money: proofs.filter(({ id }) => newProofs.has(id)),
  });
  await confirmDoubted(db, arrived, newProofs);
  const result = await settleArrived(core, db, merchantId, [...proofs, ...completed]);
  await settleSent(core, db, merchantId, arrived);
  return { ...result, reviewed: [...result.reviewed, ...disputed] };
}

/** @returns the proofs, as they are read now, of SMS that were stored before and lacked their number. */
async function completeRepeated(db: Db, repeated: readonly SmsAsRead[]): Promise<PlainProof[]> {
  const numbers = repeated.flatMap(({ row }) =>
    row.recipient === null ? [] : [[row.dedupe_key, row.recipient] as const],
  );
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
  typed: readonly SmsAsRead[],
  { states, settled }: TakenSms,
): Promise<void> {
  for (const [index, { row }] of typed.entries()) {
    const { sender, recipient } = row;
    const after = { sender, recipient, state: states[index], settled };
    await audit(core, db, who, 'sms.add', row.merchant_id, { after });
  }
}

/**
 * Confirms suspicious texts. Money that is credited, disputed, decided by an operator, or of a different
 * amount or number stays unchanged.
 * @param newProofs ids of the proofs that are new.
 */
async function confirmDoubted(
  db: Db,
  arrived: readonly SmsAsRead[],
  newProofs: ReadonlySet<string>,
): Promise<void> {
  const confirmed: string[] = [];
  for (const { row, proofs } of arrived) {
    for (const proof of proofs) {
      if (proof.settle !== 'auto' || newProofs.has(proof.id)) continue;
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

/** True if amount or recipient differ; a value that one of the two lacks is not a difference. */
function isOther(one: Money, other: Money): boolean {
  const differs = (a: number | string | null, b: number | string | null) =>
    a !== null && b !== null && a !== b;
  return differs(one.amount_paisa, other.amount_paisa) || differs(one.recipient, other.recipient);
}
