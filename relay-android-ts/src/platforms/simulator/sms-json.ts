/** Reads an SMS as the simulator's files and lines write it. Knows the shape, not where it came from. */
import type { InboxRow } from '../../core/ports.js';
import { isObject } from '../../core/shape.js';

type SmsParse =
  | { readonly kind: 'sms'; readonly row: InboxRow; readonly timeFault: boolean }
  | { readonly kind: 'fault'; readonly reason: string };

const ISO_WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const DHAKA_OFFSET_MS = 6 * 3_600_000;
const MAX_SLOT = 9;

/** A phone in Bangladesh: UTC+6, no daylight saving. */
export function dhakaTime(ms: number): string {
  return `${new Date(ms + DHAKA_OFFSET_MS).toISOString().slice(0, -1)}+06:00`;
}

/**
 * `key` and `arrivedAt` (milliseconds since the epoch) are the platform's. An SMS that says nothing of its
 * time came just now, and one that says what is no time has none. A SIM slot that is not given is not
 * guessed: the server knows whether the phone has only one.
 */
export function parseSms(value: unknown, key: string, arrivedAt: number): SmsParse {
  if (!isObject(value)) return fault('not a JSON object');
  const { sender, body, received_at: receivedAt, sim_slot: slot } = value;
  if (typeof sender !== 'string' || sender.trim() === '') return fault('sender must be a text');
  if (typeof body !== 'string') return fault('body must be a text');
  const isTime =
    typeof receivedAt === 'string' &&
    ISO_WITH_OFFSET.test(receivedAt) &&
    !Number.isNaN(Date.parse(receivedAt));
  const isSlot = typeof slot === 'number' && Number.isInteger(slot) && slot >= 1 && slot <= MAX_SLOT;
  if (!isSlot && slot !== undefined && slot !== null) return fault('sim_slot must be a whole number from 1');
  return {
    kind: 'sms',
    row: {
      key,
      sender,
      body,
      receivedAt: receivedAt === undefined ? dhakaTime(arrivedAt) : isTime ? receivedAt : null,
      simSlot: isSlot ? slot : null,
    },
    timeFault: !isTime && receivedAt !== undefined,
  };
}

function fault(reason: string): SmsParse {
  return { kind: 'fault', reason };
}
