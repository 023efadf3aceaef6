/**
 * Converts a bank's push between bytes and columns, and marks repeats of an earlier push. Decides on no
 * money.
 */
import { isUtf8 } from 'node:buffer';
import { storableText } from '../../base/values/text.js';
import { parsePush, type ReadPush } from '../../channels/qr-interbank/push-body.js';
import type { PushMap } from '../../channels/qr-interbank/push-map.js';
import type { PushTable } from '../../store/schema/index.js';

/** Columns that a map fills from a body. */
type ReadColumns = Omit<
  PushTable,
  'id' | 'acquirer_id' | 'merchant_id' | 'dedupe_key' | 'content_type' | 'body' | 'received_at'
>;

const PACKED = /^base64:([A-Za-z0-9+/]*={0,2})$/;

/** The body as a column holds it; `bytesOf` is the way back. */
export function storedBody(bytes: Buffer): string {
  return isUtf8(bytes) ? storableText(bytes.toString('utf8')) : `base64:${bytes.toString('base64')}`;
}

function bytesOf(body: string): Buffer {
  const packed = PACKED.exec(body)?.[1];
  return packed === undefined ? Buffer.from(body) : Buffer.from(packed, 'base64');
}

export function parsePushBytes(bytes: Buffer, contentType: string, map: PushMap): ReadColumns {
  return toColumns(parsePush({ bytes, contentType }, map));
}

export function parsePushRow({ body, content_type }: PushTable, map: PushMap): ReadColumns {
  return parsePushBytes(bytesOf(body), content_type, map);
}

function toColumns(read: ReadPush): ReadColumns {
  if (read.outcome === 'unreadable') {
    const fault = storableText(read.faults.join('; '));
    const nothing = { payer: null, merchant_code: null, bill: null, paid_at: null, status: null };
    return { state: 'UNREAD', fault, reference: null, amount_paisa: null, ...nothing };
  }
  const { reference, payer, merchant, bill, paidAt, status } = read.fields;
  const text = (value: string | null) => (value === null ? null : storableText(value));
  return {
    state: read.outcome === 'paid' ? 'SETTLED' : 'UNSETTLED',
    fault: null,
    reference,
    amount_paisa: read.outcome === 'paid' ? read.amountPaisa : null,
    payer: text(payer),
    merchant_code: text(merchant),
    bill: text(bill),
    paid_at: paidAt,
    status: text(status),
  };
}

type RepeatedPush = Pick<PushTable, 'state' | 'fault' | 'reference'>;
type PushStatus = Pick<PushTable, 'state' | 'reference' | 'status'>;

const OF_PAID = ', which was paid before';

/** Row of a push that contradicts an earlier one, to review: the bank may have reversed the money. */
export function contradiction({ state, reference, status }: PushStatus): RepeatedPush {
  const said = state === 'SETTLED' ? 'something else' : `"${status ?? 'nothing'}"`;
  return { state: 'UNREAD', fault: `says ${said} of ${reference ?? ''}${OF_PAID}`, reference: null };
}

/** Row of a push that only repeats another one. It is listed, but needs no review. */
export function repetition({ reference }: PushStatus): RepeatedPush {
  const fault = `says no more of ${reference ?? ''} than another push`;
  return { state: 'UNSETTLED', fault, reference: null };
}

/**
 * True for a row that is never parsed again: a map that takes its reference from another field would credit
 * the same payment twice.
 */
export function isRepeatedPush({ state, fault, reference }: RepeatedPush): boolean {
  return state === 'UNSETTLED' ? reference === null : (fault?.endsWith(OF_PAID) ?? false);
}

export function whyNoMoney({ state, fault, status }: Pick<PushTable, 'state' | 'fault' | 'status'>): string {
  if (state === 'UNREAD') return `it could not be read: ${fault ?? 'no fault was noted'}`;
  return fault === null ? `the bank reports status ${status ?? 'none'}` : `it ${fault}`;
}
