/** SMS to be sent, and an outbox over a file that a test can look into. */
import { Outbox } from '../../src/core/outbox/outbox.js';
import type { Dispatch } from '../../src/core/ports.js';
import { MemoryFile } from './memory-file.js';

export const NOW = Date.UTC(2026, 0, 31, 4, 0, 0);

export function dispatch(id: string, changes: Partial<Dispatch> = {}): Dispatch {
  return {
    id,
    number: '+8801700000001',
    message: `text of ${id}`,
    simSlot: null,
    parts: 1,
    priority: 0,
    expiresAt: NOW + 1_800_000,
    ...changes,
  };
}

/** As the server writes it. */
export function wireDispatch(id: string, changes: object = {}): object {
  const { number, message, parts, priority } = dispatch(id);
  const expires_at = new Date(Date.now() + 1_800_000).toISOString();
  return { id, number, message, sim_slot: null, parts, priority, expires_at, ...changes };
}

export async function openOutbox(file = new MemoryFile(), name = 'journal-1', place = '') {
  return { file, outbox: await Outbox.open(file, name, place) };
}
