/**
 * Checks an SMS that somebody wants sent, and puts it into the queue of a phone. Sending is up to the phone.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import { deviceState, durationText } from '../../domain/devices/device-state.js';
import { MAX_PARTS, noReports, type SmsEncoding } from '../../domain/dispatches/dispatch.js';
import { dispatchNumber, measureText, textFault } from '../../domain/dispatches/dispatch-text.js';
import type { Db, DispatchTable } from '../../store/schema/index.js';
import { simsOfDevice } from '../../store/tables/access.js';
import { audit } from '../../store/tables/audit.js';
import {
  countWaiting,
  type DispatchRow,
  dispatchOfKey,
  insertDispatch,
  lockDevice,
} from '../../store/tables/dispatches.js';
import type { GatewayContext } from '../access/authenticate-gateway.js';
import type { Core, WriteDeps } from '../core/core.js';
import { isIdempotencyKey, MAX_IDEMPOTENCY_KEY } from '../input/fields.js';
import { type DispatchView, dispatchView } from './dispatches.js';

export interface SendDispatch extends DispatchInput {
  readonly gateway: GatewayContext;
  /** Operator who sends it, for the audit; null if a program sent it with a key. */
  readonly who: string | null;
}

export interface SentDispatch {
  /** `repeated`: it was queued before under the same key, and nothing was added. */
  readonly outcome: 'queued' | 'repeated';
  readonly dispatch: DispatchView;
  /** The phone has not called for a while: it will be sent if that changes in time. */
  readonly isPhoneOffline: boolean;
}

/** Time after which the queue of the phone probably has room again, s. */
const FULL_RETRY_S = 60;

/**
 * Durable when this returns.
 * @throws KashboxError `field_required`, `field_invalid`, `number_invalid`, `message_too_long`,
 * `dispatch_conflict` (the key was used for another SMS), `dispatch_queue_full`
 */
export async function sendDispatch(core: Core, input: SendDispatch): Promise<SentDispatch> {
  const { gateway, who } = input;
  const checked = checkDispatch(input);
  const { outcome, row } = await core.store.write(async (db) => {
    await lockDevice(db, gateway.deviceId);
    const before = await repeatedBy(db, gateway.deviceId, checked);
    if (before !== null) return { outcome: 'repeated' as const, row: before };
    await refuseSim(db, gateway.deviceId, checked.sim_slot);
    await refuseFull(core, db, gateway);
    const row = newDispatch(core, gateway, checked);
    const { device: _device, ...columns } = row;
    await insertDispatch(db, columns);
    const { id, device, number, parts } = row;
    if (who !== null) await audit(core, db, who, 'dispatch.send', id, { after: { device, number, parts } });
    return { outcome: 'queued' as const, row };
  });
  if (outcome === 'queued') core.called.tell(gateway.deviceId);
  const now = core.clock.now();
  const isPhoneOffline = deviceState(false, gateway.lastSeenAt, now) === 'OFFLINE';
  return { outcome, dispatch: dispatchView(row, now), isPhoneOffline };
}

/** @returns the existing dispatch of that key, if it is equal. */
async function repeatedBy(db: Db, device: string, checked: CheckedDispatch): Promise<DispatchRow | null> {
  const { idempotency_key: key, number, message, sim_slot } = checked;
  if (key === null) return null;
  const before = await dispatchOfKey(db, device, key);
  if (before === undefined) return null;
  const isSame = before.number === number && before.message === message && before.sim_slot === sim_slot;
  if (!isSame) throw new KashboxError('dispatch_conflict');
  return before;
}

async function refuseSim(db: Db, device: string, slot: number | null): Promise<void> {
  if (slot === null) return;
  const sims = await simsOfDevice.all(db, { device });
  if (sims.some((sim) => sim.slot === slot)) return;
  throw invalid(`sim_slot must be one of this phone's: ${sims.map((sim) => sim.slot).join(', ')}`);
}

async function refuseFull(core: Core, db: Db, { deviceId, lastSeenAt }: GatewayContext): Promise<void> {
  const now = core.clock.now();
  const row = await countWaiting.first(db, { device: deviceId, now });
  const waiting = Number(row?.waiting ?? 0);
  if (waiting < core.settings.dispatchQueue) return;
  throw new KashboxError('dispatch_queue_full', {
    message: `${waiting.toLocaleString('en')} SMS wait for this phone, which ${seenText(lastSeenAt, now)}`,
    retryAfterSeconds: FULL_RETRY_S,
  });
}

/** Warns if the phone has not called for a while. */
function seenText(lastSeenAt: number | null, now: number): string {
  if (lastSeenAt === null) return 'was never seen';
  const silence = durationText(now - lastSeenAt);
  const state = deviceState(false, lastSeenAt, now);
  return state === 'OFFLINE' ? `has been offline for ${silence}` : `was last seen ${silence} ago`;
}

const UNTOUCHED = {
  ...{ receipts: null, error: null, leased_at: null, leased_to: null, lease_ends_at: null },
  ...{ sent_at: null, delivered_at: null, ended_at: null },
};

/** @returns the row of an SMS that waits for its phone from now on. */
export function newDispatch(core: WriteDeps, gateway: GatewayContext, checked: CheckedDispatch): DispatchRow {
  const now = core.clock.now();
  const { ttlMs, ...kept } = checked;
  return {
    id: newRowId(core.random, now, 'dispatch'),
    device_id: gateway.deviceId,
    merchant_id: gateway.merchantId,
    device: gateway.name,
    ...kept,
    ...UNTOUCHED,
    state: 'QUEUED',
    part_states: noReports(kept.parts),
    created_at: now,
    expires_at: now + ttlMs,
  };
}

export interface DispatchInput {
  /** Phone number with country code, or as dialled in Bangladesh. */
  readonly number: string;
  readonly message: string;
  /** 1 for the first SIM; absent leaves it to the phone. */
  readonly simSlot?: number | undefined;
  /** The sender's own name for this SMS, unique per phone. */
  readonly idempotencyKey?: string | undefined;
  /** Maximum time that it may wait for its phone. */
  readonly ttlSeconds?: number | undefined;
  /** Higher goes first. */
  readonly priority?: number | undefined;
}

type DispatchColumn =
  | 'number'
  | 'message'
  | 'encoding'
  | 'parts'
  | 'sim_slot'
  | 'idempotency_key'
  | 'priority';

/** Validated columns to store, and the maximum waiting time. */
type CheckedDispatch = Readonly<Pick<DispatchTable, DispatchColumn>> & { readonly ttlMs: number };

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

function invalid(message: string): KashboxError {
  return new KashboxError('field_invalid', { message });
}
