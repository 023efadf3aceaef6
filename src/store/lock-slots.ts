/**
 * Slots for locks by name. A name has one of so many rows, so that nothing is written for it and nothing has
 * to be cleared away; two names that share a row by chance only wait for each other.
 */
import { createHash } from 'node:crypto';

/** Of two batches of 50 names one pair in thirteen shares a row. The rows take 2 MiB. */
export const SLOTS = 32_768;

/** @returns the slots of these names, each once, in the order in which everybody locks them. */
export function slotsOf(names: readonly string[]): number[] {
  return [...new Set(names.map(slotOf))].sort((one, other) => one - other);
}

function slotOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % SLOTS;
}
