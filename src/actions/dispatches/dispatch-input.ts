/** An SMS that somebody wants sent, checked at the door. Knows no store. */
import { KashboxError } from '../../base/errors/errors.js';
import { MAX_PARTS, type SmsEncoding } from '../../domain/dispatches/dispatch.js';
import { dispatchNumber } from '../../domain/dispatches/dispatch-number.js';
import { measureText, textFault } from '../../domain/dispatches/dispatch-text.js';
import type { DispatchTable } from '../../store/schema/index.js';
import { isIdempotencyKey, MAX_IDEMPOTENCY_KEY } from '../input/fields.js';

export interface DispatchInput {
  /** With country code, or as dialled in Bangladesh. */
  readonly number: string;
  readonly message: string;
  /** 1 for the first SIM; absent leaves it to the phone. */
  readonly simSlot?: number | undefined;
  /** The sender's own name for this SMS, unique per phone. */
  readonly idempotencyKey?: string | undefined;
  /** How long it may wait for its phone. */
  readonly ttlSeconds?: number | undefined;
  /** Higher goes first. */
  readonly priority?: number | undefined;
}

type Kept = 'number' | 'message' | 'encoding' | 'parts' | 'sim_slot' | 'idempotency_key' | 'priority';

/** The same as columns that are kept, and how long it may wait. */
export type CheckedDispatch = Readonly<Pick<DispatchTable, Kept>> & { readonly ttlMs: number };

const TTL_SECONDS = { least: 60, most: 259_200, usual: 1_800 };
const PRIORITY = { least: -128, most: 127 };

/** @throws KashboxError `field_required`, `field_invalid`, `number_invalid`, `message_too_long` */
export function checkDispatch(input: DispatchInput): CheckedDispatch {
  const { ttlSeconds = TTL_SECONDS.usual, priority = 0 } = input;
  return {
    number: numberField(input.number),
    message: input.message,
    ...textField(input.message),
    sim_slot: input.simSlot ?? null,
    idempotency_key: keyField(input.idempotencyKey),
    ttlMs: within('ttl_seconds', ttlSeconds, TTL_SECONDS) * 1_000,
    priority: within('priority', priority, PRIORITY),
  };
}

function numberField(text: string): string {
  if (text.trim() === '') throw required('number');
  const number = dispatchNumber(text);
  if (number !== null) return number;
  throw new KashboxError('number_invalid', {
    message: 'number is not a phone number: give 01XXXXXXXXX, or + and the country code',
  });
}

function textField(message: string): { readonly encoding: SmsEncoding; readonly parts: number } {
  if (message === '') throw required('message');
  const fault = textFault(message);
  if (fault === 'empty') throw invalid('message has nothing that could be read: give it a text');
  if (fault === 'unsendable') throw invalid('message has a broken character or NUL: send valid Unicode');
  const measured = measureText(message);
  if (measured !== null) return measured;
  throw new KashboxError('message_too_long', {
    message: `message is longer than ${MAX_PARTS} SMS: shorten it to 1530 characters, with Bangla in it 670`,
  });
}

function keyField(key: string | undefined): string | null {
  if (key === undefined) return null;
  if (isIdempotencyKey(key)) return key;
  throw invalid(
    `idempotency_key must be 1 to ${MAX_IDEMPOTENCY_KEY} English letters, digits or signs, without spaces`,
  );
}

function within(field: string, value: number, { least, most }: { least: number; most: number }): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`${field} must be a whole number from ${least} to ${most}`);
}

function required(field: string): KashboxError {
  return new KashboxError('field_required', { message: `${field} is required` });
}

export function invalid(message: string): KashboxError {
  return new KashboxError('field_invalid', { message });
}
