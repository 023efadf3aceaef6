/**
 * Payment data for the shop, as returned in every response and message, and the merchant's own metadata that
 * it gets back. Pure.
 */
import { parseJson } from '../../base/values/fields.js';
import { JsonText } from '../../base/values/json-text.js';
import type { Paisa } from '../../base/values/money.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { formatUsdt } from '../../base/values/usdt.js';
import { isOnChain, type PayChannel } from '../accounts/channels.js';
import type { SessionStatus } from './session.js';

/** Data that the shop sent when it opened the payment. */
interface OrderDetails {
  readonly cusName: string;
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  /** JSON text of the merchant's object, or null. */
  readonly metaJson: string | null;
  /** True for a test brand: no real money is involved. */
  readonly isTest: boolean;
  /** Rest of the order that is due on delivery, in addition to the amount. */
  readonly deliveryPaisa: Paisa;
  /** Sum of its completed refunds. */
  readonly refundedPaisa: Paisa;
}

/** One of several credits of a payment. */
export interface PaidPart {
  /** The channel's reference. */
  readonly transactionId: string;
  readonly channel: PayChannel;
  /** Taka without the fee. */
  readonly paisa: Paisa;
  /** Time of the credit, milliseconds since the epoch. */
  readonly paidAt: number;
}

/** The transaction record of docs/api-hosted.md, for a session in any state. */
export interface PaymentRecord extends OrderDetails, CreditedUsdt {
  /** The channel's reference once something is credited, else the gateway reference. */
  readonly transactionId: string;
  readonly status: SessionStatus;
  /** Taka that were credited, without the fee; 0 while nothing is. */
  readonly paidPaisa: Paisa;
  /** Its credits, oldest first, if it was paid in parts; else none. */
  readonly parts: readonly PaidPart[];
}

/**
 * @param write formats an amount as the same response formats `amount`.
 * @returns `paid_amount` of a completed payment for which a different amount was accepted by manual review;
 * an empty object for all others, so that their fields do not change.
 */
export function paidField<Written>(
  { status, amountPaisa, paidPaisa }: Pick<PaymentRecord, 'status' | 'amountPaisa' | 'paidPaisa'>,
  write: (paisa: Paisa) => Written,
): { paid_amount?: Written } {
  return status === 'COMPLETED' && paidPaisa !== amountPaisa ? { paid_amount: write(paidPaisa) } : {};
}

/**
 * @param write formats an amount as the same response formats `amount`.
 * @returns the amounts of the record that are of interest besides `amount`; none for most payments, so that
 * their fields do not change.
 */
export function amountFields<Written>(record: PaymentRecord, write: (paisa: Paisa) => Written) {
  const { status, amountPaisa, paidPaisa, parts, refundedPaisa, deliveryPaisa } = record;
  const due = status === 'COMPLETED' ? 0 : Math.max(0, amountPaisa - paidPaisa);
  return {
    ...paidField(record, write),
    ...(parts.length === 0
      ? {}
      : {
          paid_amount: write(paidPaisa),
          due_amount: write(due),
          parts: parts.map((part) => ({
            ...partFields(part, write),
            paid_at: new Date(part.paidAt).toISOString(),
          })),
        }),
    ...(deliveryPaisa === 0 ? {} : { due_on_delivery: write(deliveryPaisa) }),
    ...(refundedPaisa === 0
      ? {}
      : {
          refunded_amount: write(refundedPaisa),
          // Fees that went back were not in the paid amount.
          remaining_amount: write(Math.max(0, paidPaisa - refundedPaisa)),
        }),
  };
}

export function partFields<Written>(
  { transactionId, channel, paisa }: PaidPart,
  write: (paisa: Paisa) => Written,
) {
  return { transaction_id: transactionId, payment_method: channel, amount: write(paisa) };
}

export function toOrderDetails(
  session: {
    readonly cus_name: string;
    readonly cus_email: string;
    readonly amount_paisa: Paisa;
    readonly meta_data: string | null;
    readonly delivery_paisa: Paisa;
    readonly refunded_paisa: Paisa;
  },
  isTest: boolean,
): OrderDetails {
  const { cus_name: cusName, cus_email: cusEmail, amount_paisa: amountPaisa, meta_data: metaJson } = session;
  const { delivery_paisa: deliveryPaisa, refunded_paisa: refundedPaisa } = session;
  return { cusName, cusEmail, amountPaisa, metaJson, isTest, deliveryPaisa, refundedPaisa };
}

/** @returns `test: true` without real money; an empty object otherwise, so that fields do not change. */
export const testField = (isTest: boolean) => (isTest ? { test: true as const } : {});

interface CreditedUsdt {
  /** Channel identifier, or null. */
  readonly channel: PayChannel | null;
  /** Base units as digits, or null where taka were paid or nothing is credited. */
  readonly units: string | null;
  /** The wallet that received it. */
  readonly receiver: string | null;
}

/** @returns `amount_usdt` as an exact JSON number, and `receiver`, for a transfer on the chain. */
export function usdtFields({ channel, units, receiver }: CreditedUsdt) {
  if (channel === null || !isOnChain(channel) || units === null) return {};
  return {
    amount_usdt: new JsonText(formatUsdt(BigInt(units))),
    ...(receiver === null ? {} : { receiver }),
  };
}

/**
 * `standard` is the spec to the letter but for the legacy clients below, `strict` says `true` at the top of
 * nothing but a completed payment, `flat` has the record's fields at the top level.
 */
export const DIALECTS = ['standard', 'strict', 'flat'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Forms in which the merchant's metadata is returned: as an object or as its JSON text. */
export const METADATA_FORMS = ['object', 'string'] as const;
export type MetadataAs = (typeof METADATA_FORMS)[number];

/** Case of the status in v1: upper case, as in the spec, or lower case. */
export const STATUS_FORMS = ['upper', 'lower'] as const;
export type StatusAs = (typeof STATUS_FORMS)[number];

/** @returns the status as the shop's program compares it. */
export function writtenStatus(status: SessionStatus, statusAs: StatusAs): string {
  return statusAs === 'lower' ? status.toLowerCase() : status;
}

/**
 * True if verify returns `true` at the top level for a payment that exists and is not completed, as in the
 * spec. Published shop programs in PHP check `true == "COMPLETED"`, which PHP evaluates to true, and would
 * deliver unpaid orders; so requests with a legacy name of the key do not get it.
 */
export function answersTrueWhenFound(dialect: Exclude<Dialect, 'flat'>, isLegacyCall: boolean): boolean {
  return dialect === 'standard' && !isLegacyCall;
}

const MAX_BYTES = 8 * 1024;
const MAX_LEVELS = 8;

type ReadMetaData = ParseResult<{ json: string | null }>;

/**
 * @param value `meta_data` (or `metadata`) of the parsed body: an object, a JSON text of one, or nothing.
 * @returns its JSON text, or null if there is none. A text is kept unchanged, because it may contain a number
 * that no float can represent. Limits: 8 KiB and 8 levels.
 */
export function parseMetaData(value: unknown): ReadMetaData {
  if (value === undefined || value === null || value === '') return { ok: true, json: null };
  const object = typeof value === 'string' ? parseJson(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { ok: false, fault: 'meta_data must be an object' };
  }
  if (!isShallow(object, MAX_LEVELS))
    return { ok: false, fault: `meta_data may be at most ${MAX_LEVELS} levels deep` };
  const json = typeof value === 'string' ? storable(value) : JSON.stringify(object);
  if (Buffer.byteLength(json) > MAX_BYTES) return { ok: false, fault: 'meta_data may be at most 8 KiB' };
  return { ok: true, json };
}

/** Half a character cannot be stored, but spelt as JSON spells it, as `JSON.stringify` does of itself. */
function storable(json: string): string {
  return json.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
