/**
 * SMS come in: each is stored whole before anybody acts on it, read, and where it is money it becomes a
 * proof. Claims that were waiting for that proof settle in the same unit of work.
 */
import { newRowId } from '../base/ids.js';
import {
  idsNamedIn,
  type MfsChannel,
  readSms,
  type SmsEngine,
  type SmsReading,
} from '../channels/mfs/index.js';
import type { IncomingSms } from '../domain/incoming-sms.js';
import { isOpen } from '../domain/session.js';
import { smsDedupeKey } from '../domain/sms-identity.js';
import { insertMany } from '../store/hot.js';
import type { Db, PlainProof, SmsTable } from '../store/schema.js';
import { writeAudit } from '../store/tables/audit.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { proofByReference, reopenClaims, waitingClaims } from '../store/tables/proofs.js';
import { completeRecipients } from '../store/tables/sms.js';
import type { Core } from './core.js';
import { matchWallet } from './match-wallet.js';
import { recordClaim } from './record-claim.js';
import { settleClaim } from './settle-claim.js';

/** Who brings them: a phone, or an operator who types them in, which the audit keeps. */
export type SmsSource =
  | { readonly kind: 'relay'; readonly deviceId: string }
  | { readonly kind: 'manual'; readonly who: string };

export interface TakeSms {
  readonly merchantId: string;
  readonly source: SmsSource;
  readonly messages: readonly IncomingSms[];
  /** For one message whose phone told no time: how it names this SMS in all its tries. */
  readonly untimedName?: string | null;
  /** The wallet number that received a message; null if it is not known. */
  recipientOf(sms: IncomingSms): string | null;
}

export interface TakenSms {
  /** One for each message, in their order. */
  readonly states: readonly ('stored' | 'duplicate')[];
  /** Sessions that these messages completed. */
  readonly settled: readonly string[];
  /** Sessions that these messages put before a person. */
  readonly reviewed: readonly string[];
  /** Sessions whose claim was refused: what came disagrees with it, or pays another. */
  readonly refused: readonly string[];
}

/** What became of the claims that proofs met: sessions by their ids. */
export type Met = Pick<TakenSms, 'settled' | 'reviewed' | 'refused'>;

export const NOBODY: Met = { settled: [], reviewed: [], refused: [] };

/** Everything of a message that is worked out before the unit of work begins. */
interface Prepared {
  readonly row: SmsTable;
  readonly proofs: readonly PlainProof[];
}

/** Takes a batch in one durable unit of work: all of it is kept, or none and the phone sends it again. */
export async function takeSms(core: Core, input: TakeSms): Promise<TakenSms> {
  if (input.messages.length === 0) return { states: [], ...NOBODY };
  const engine = await core.smsEngine();
  const prepared = input.messages.map((sms) => prepare(core, engine, input, sms));
  const taken = await core.store.write(async (db) => {
    await lockMerchant(db, input.merchantId);
    const stored = await storeAndSettle(core, db, input.merchantId, prepared);
    if (input.source.kind === 'manual') await auditTyped(core, db, input.source.who, prepared, stored);
    return stored;
  });
  tellMet(core, taken);
  return taken;
}

/** Lets pages that wait for these sessions look again. */
export function tellMet(core: Core, met: Met): void {
  for (const session of [...met.settled, ...met.reviewed, ...met.refused]) core.moved.tell(session);
}

async function storeAndSettle(
  core: Core,
  db: Db,
  merchantId: string,
  prepared: readonly Prepared[],
): Promise<TakenSms> {
  const rows = prepared.map((item) => item.row);
  const fresh = new Set(await insertMany(db, 'sms', rows, 'id'));
  const states = rows.map((row) => (fresh.has(row.id) ? 'stored' : 'duplicate'));
  const proofs = prepared.flatMap((item) => (fresh.has(item.row.id) ? item.proofs : []));
  await insertMany(db, 'proofs', proofs, 'id');
  const repeated = prepared.filter(({ row }) => !fresh.has(row.id) && row.recipient !== null);
  const completed = await completeRepeated(db, repeated);
  const references = [...new Set([...proofs, ...completed].map((proof) => proof.reference))];
  return { states, ...(await settleWaiting(core, db, merchantId, references)) };
}

/** @returns the proofs, as they are read now, of SMS that were stored before and lacked their number. */
async function completeRepeated(db: Db, repeated: readonly Prepared[]): Promise<PlainProof[]> {
  const numbers = repeated.map(({ row }) => [row.dedupe_key, row.recipient ?? ''] as const);
  const completed = await completeRecipients(db, new Map(numbers));
  await reopenClaims(
    db,
    completed.map(({ id }) => id),
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
    await writeAudit(db, core.random, {
      at: core.clock.now(),
      who,
      action: 'sms.add',
      subject: row.merchant_id,
      after: { sender, recipient, state: states[index], settled },
    });
  }
}

/**
 * Lets every claim on these references meet its proof, those of open sessions first, then first come first.
 * Money for a session that is over goes before a person.
 */
export async function settleWaiting(
  core: Core,
  db: Db,
  merchantId: string,
  references: readonly string[],
): Promise<Met> {
  if (references.length === 0) return NOBODY;
  const claims = await waitingClaims(db, { merchant: merchantId }, references);
  const settled: string[] = [];
  const reviewed: string[] = [];
  const refused: string[] = [];
  for (const claim of claims) {
    if (settled.includes(claim.id)) continue;
    const { channel, reference } = claim;
    const proof = await proofByReference.first(db, { merchant: merchantId, channel, reference });
    if (proof === undefined) continue;
    if (proof.credited_session !== null) {
      const { id: session, merchant_id: merchant } = claim;
      const reason = 'already_credited';
      await recordClaim(core, db, { session, merchant, channel, reference, state: 'REFUSED', reason });
      refused.push(claim.id);
      continue;
    }
    const session = reviewed.includes(claim.id) ? closedIfLate(core, claim) : claim;
    const match = await matchWallet(core, db, session, proof);
    const { outcome } = await settleClaim(core, db, { session, proof, claimed: reference, match });
    if (outcome === 'credited') settled.push(claim.id);
    if (outcome === 'under_review') reviewed.push(claim.id);
    if (outcome === 'disagrees') refused.push(claim.id);
  }
  return { settled, reviewed, refused };
}

type WaitingClaim = Awaited<ReturnType<typeof waitingClaims>>[number];

/** As a session is after another of its claims went before a person, which closes one whose time is over. */
function closedIfLate(core: Core, claim: WaitingClaim): WaitingClaim {
  return isOpen(claim, core.clock.now()) ? claim : { ...claim, status: 'FAILED' };
}

function prepare(core: Core, engine: SmsEngine, input: TakeSms, sms: IncomingSms): Prepared {
  const now = core.clock.now();
  const reading = readSms(engine, {
    sender: sms.sender,
    body: sms.body,
    receivedAtMs: sms.receivedAt,
  });
  const recipient = input.recipientOf(sms);
  const deviceId = input.source.kind === 'relay' ? input.source.deviceId : null;
  const { untimedName = null } = input;
  const row: SmsTable = {
    id: newRowId(core.random, now, 'sms'),
    merchant_id: input.merchantId,
    device_id: deviceId,
    source: input.source.kind,
    dedupe_key: smsDedupeKey({
      merchantId: input.merchantId,
      sender: sms.sender,
      body: sms.body,
      receivedAt: sms.receivedAt,
      trxId: reading.trxId,
      occasion: untimedName === null ? null : `${deviceId} ${untimedName}`,
    }),
    sender: sms.sender,
    body: sms.body,
    received_at: sms.receivedAt,
    sim_slot: sms.simSlot,
    recipient,
    ...readingColumns(reading),
    stored_at: now,
  };
  return { row, proofs: proofsOf(core, row, reading) };
}

/** What was read from a text, as columns of its row. */
export function readingColumns(reading: SmsReading) {
  return {
    channel: reading.channel,
    kind: reading.kind,
    settle: reading.settle,
    amount_paisa: reading.amountPaisa,
    fee_paisa: reading.feePaisa,
    balance_paisa: reading.balancePaisa,
    payer: reading.from,
    trx_id: reading.trxId,
    at: reading.at,
    format: reading.format,
    reasons: JSON.stringify(reading.reasons),
  };
}

/**
 * What an SMS proves: money that came in, on a channel of ours, under an id. Of two messages in one text
 * nothing is taken but their ids, so that a person is shown whoever claims one of them.
 */
export function proofsOf(core: Core, row: SmsTable, reading: SmsReading): PlainProof[] {
  const { channel } = reading;
  if (reading.settle === 'never' || channel === null) return [];
  if (reading.reasons.includes('two_messages')) {
    return idsNamedIn(row.body, channel).map((id) => proofOf(core, row, reading, channel, id));
  }
  if (!reading.credit || reading.trxId === null) return [];
  // Claims are looked up in upper case (domain/reference); a doubtful text may spell its id otherwise.
  return [proofOf(core, row, reading, channel, reading.trxId.toUpperCase())];
}

function proofOf(
  core: Core,
  row: SmsTable,
  reading: SmsReading,
  channel: MfsChannel,
  reference: string,
): PlainProof {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: row.merchant_id,
    channel,
    reference,
    amount_paisa: reading.amountPaisa === 0 ? null : reading.amountPaisa,
    recipient: row.recipient,
    payer: reading.from,
    kind: reading.kind,
    settle: reading.settle === 'auto' ? 'auto' : 'review',
    at: instantOf(reading.at) ?? row.received_at,
    source_id: row.id,
    created_at: now,
  };
}

function instantOf(iso: string | null): number | null {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}
