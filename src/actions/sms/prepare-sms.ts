/** An SMS as it is stored: its row, the money that it proves, and the ids that it names. Writes nothing. */
import { newRowId } from '../../base/values/ids.js';
import {
  extractIds,
  idsTakenBack,
  parseSms,
  type SmsEngine,
  type SmsReading,
} from '../../channels/mfs/index.js';
import { CHANNEL, type SourceChannel } from '../../domain/accounts/channels.js';
import { mayContradict } from '../../domain/matching/contrary.js';
import { extractPaymentReferences } from '../../domain/matching/reference.js';
import { weakWalletIds } from '../../domain/matching/weak-ids.js';
import type { IncomingSms } from '../../domain/sms/incoming-sms.js';
import { estimateClockOffset, type PhoneClock, receivedTime } from '../../domain/sms/phone-clock.js';
import { smsDedupeKey, smsReference } from '../../domain/sms/sms-identity.js';
import type { PlainProof, SmsTable } from '../../store/schema/index.js';
import type { LockedName } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import type { TextMentioningId } from '../settlement/dispute-money.js';

/**
 * Source of SMS: a phone, an operator who types them in (recorded in the audit log), or a simulated payment
 * of a test brand.
 */
type SmsSource =
  | { readonly kind: 'relay'; readonly deviceId: string }
  | { readonly kind: 'manual'; readonly who: string }
  | { readonly kind: 'played' };

export interface SmsOrigin {
  readonly merchantId: string;
  readonly source: SmsSource;
  /** True if a message has the same id in every attempt; the ids then distinguish SMS that have no time. */
  readonly hasLastingIds?: boolean;
  /** Measured clock of the phone; null or absent if not measured. */
  readonly clock?: PhoneClock | null;
  /** The wallet number that received a message; null if it is not known. */
  recipientOf(sms: IncomingSms): string | null;
}

/** A text and all that was read from it. */
export interface SmsAsRead {
  readonly row: SmsTable;
  readonly proofs: readonly PlainProof[];
  readonly subject: SmsSubject;
}

type UnreadSms = Omit<SmsTable, keyof ReturnType<typeof readingColumns>>;

/** Message with everything that is computed before the database transaction begins. */
export interface PreparedSms extends SmsAsRead {
  /** Offset of the phone's clock that the SMS shows, ms ahead of ours; null if it shows none. */
  readonly clockAheadMs: number | null;
}

interface SmsSubject {
  /** Transaction ids, in capitals. */
  readonly ids: readonly string[];
  /** True if the text says that they were reversed, returned or failed. */
  readonly isTakenBack: boolean;
}

export function prepareSms(core: Core, engine: SmsEngine, input: SmsOrigin, sms: IncomingSms): PreparedSms {
  const now = core.clock.now();
  const { clock = null, hasLastingIds = false } = input;
  const delivered = { receivedAtMs: sms.receivedAtMs, arrivedAtMs: now, clock };
  const reading = parseSms(engine, { ...sms, ...delivered });
  const textMs = instantOf(reading.at);
  const receivedAtMs = receivedTime(textMs, delivered);
  const recipient = input.recipientOf({ ...sms, receivedAtMs });
  const deviceId = input.source.kind === 'relay' ? input.source.deviceId : null;
  const row = {
    id: newRowId(core.random, now, 'sms'),
    merchant_id: input.merchantId,
    device_id: deviceId,
    source: input.source.kind,
    dedupe_key: smsDedupeKey({
      ...sms,
      merchantId: input.merchantId,
      trxId: reading.trxId,
      occasion: sms.untimed !== undefined && hasLastingIds ? `${deviceId} ${sms.id}` : null,
    }),
    sender: sms.sender,
    body: sms.body,
    received_at: receivedAtMs,
    sim_slot: sms.simSlot,
    recipient,
    smsc: sms.smsc ?? null,
    sender_type: sms.senderType ?? null,
    stored_at: now,
  };
  const clockAheadMs = sms.untimed === undefined ? estimateClockOffset(textMs, sms.receivedAtMs, now) : null;
  return { ...asRead(core, row, reading), clockAheadMs };
}

/** @param sms row without the parsed columns. @returns the complete row, and its proofs. */
export function asRead(core: Core, sms: UnreadSms, reading: SmsReading): SmsAsRead {
  const row = { ...sms, ...readingColumns(reading) };
  return { row, proofs: proofsOf(core, row, reading), subject: subjectOf(row.body, reading) };
}

/** Money that a text reports: all ids that it names if it reports a reversal, otherwise its own id. */
function subjectOf(body: string, reading: SmsReading): SmsSubject {
  const { trxId, reasons } = reading;
  const own = trxId === null ? [] : [trxId.toUpperCase()];
  const isTakenBack = reasons.includes('transaction_reversed');
  const ids = isTakenBack ? [...new Set([...own, ...idsTakenBack(reading, body)])] : own;
  return { ids, isTakenBack };
}

/** Columns of the row that come from parsing the text. */
function readingColumns(reading: SmsReading) {
  return {
    channel: reading.channel,
    source_name: reading.source,
    kind: reading.kind,
    settle: reading.settle,
    amount_paisa: reading.amountPaisa,
    fee_paisa: reading.feePaisa,
    balance_paisa: reading.balancePaisa,
    payer: reading.from,
    payee: reading.payee,
    trx_id: reading.trxId,
    at: reading.at,
    format: reading.format,
    reasons: JSON.stringify(reading.reasons),
  };
}

/**
 * Proofs that an SMS contains: money that came in, on a supported channel, with an id; from a source also
 * without. From a wallet's text with two messages only the ids are taken, so every claim of one of them needs
 * manual review.
 */
function proofsOf(core: Core, row: SmsTable, reading: SmsReading): PlainProof[] {
  const { channel } = reading;
  if (reading.settle === 'never' || channel === null) return [];
  const of = CHANNEL[channel];
  if (reading.source !== null || of.kind !== 'sms') {
    return reading.credit ? [proofOf(core, row, reading, channel, sourceReference(row, reading))] : [];
  }
  if (reading.reasons.includes('two_messages')) {
    return extractIds(row.body, of.channel).map((id) => proofOf(core, row, reading, channel, id));
  }
  if (!reading.credit || reading.trxId === null) return [];
  // Claims are looked up in upper case (domain/matching/reference); a doubtful text may spell its id
  // otherwise.
  return [proofOf(core, row, reading, channel, reading.trxId.toUpperCase())];
}

function sourceReference(row: SmsTable, { trxId, at, balancePaisa }: SmsReading): string {
  if (trxId !== null) return trxId.toUpperCase();
  const { merchant_id: merchantId, sender, body, dedupe_key: dedupeKey } = row;
  const saysMoment = at !== null && balancePaisa !== null;
  return smsReference({ merchantId, sender, body, dedupeKey, saysMoment });
}

function proofOf(
  core: Core,
  row: SmsTable,
  reading: SmsReading,
  channel: SourceChannel,
  reference: string,
): PlainProof {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: row.merchant_id,
    channel,
    reference,
    amount_paisa: reading.amountPaisa === 0 ? null : reading.amountPaisa,
    // The account of a source is looked up when the SMS is stored (trust-sources).
    recipient: reading.source === null ? row.recipient : null,
    payer: reading.from,
    kind: reading.kind,
    settle: reading.settle === 'auto' ? 'auto' : reading.isWeak === true ? 'weak' : 'review',
    at: instantOf(reading.at) ?? row.received_at,
    source_id: row.id,
    created_at: now,
    named: extractPaymentReferences(reading.payerReference ?? '').join(' ') || null,
  };
}

function instantOf(iso: string | null): number | null {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

/** Texts that may contradict known money; empty for a text that has just become money itself. */
export function toTextMentioningId(
  { row, proofs, subject }: SmsAsRead,
  fresh: ReadonlySet<string>,
): TextMentioningId[] {
  const { id, channel, kind, settle, amount_paisa: amountPaisa, source_name: source } = row;
  // The SIM is not the account of a source.
  const recipient = source === null ? row.recipient : null;
  const isNew = proofs.some((proof) => fresh.has(proof.id));
  const text = { kind, mayBeMoney: settle === 'review', amountPaisa, recipient, ...subject };
  return channel === null || isNew || !mayContradict(text) ? [] : [{ ...text, id, channel }];
}

/**
 * Names to lock while this text is stored, so that no claims or other texts are decided on them: its money,
 * the prices of money whose ids can be guessed, and all other ids in the text.
 */
export function namesLocked({ proofs, subject }: SmsAsRead): LockedName[] {
  const references = new Set([...proofs.map((proof) => proof.reference), ...subject.ids]);
  const prices = proofs.flatMap(({ channel, amount_paisa: paisa }) =>
    paisa === null || weakWalletIds(channel) === null ? [] : [{ channel, paisa }],
  );
  return [...[...references].map((reference) => ({ reference })), ...prices];
}
