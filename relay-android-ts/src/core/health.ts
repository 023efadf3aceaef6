/** What a health reading says and when a change is worth telling at once. Pure. */
import type { HealthReading } from './ports.js';

/** Below this a phone should be charged, and its owner should hear of it. */
const LOW_BATTERY = 20;

export const UNKNOWN_HEALTH: HealthReading = { battery: null, charging: null, network: null, sims: [] };

/** What the server is told. */
export interface HealthReport extends HealthReading {
  /** What keeps the agent from its work, in one line; null if nothing does. */
  readonly trouble: string | null;
}

export type HealthChange = 'none' | 'changed' | 'network_back';

/**
 * Compares two readings: charging, network, SIMs and the battery's low mark count; a battery that moves
 * by a per cent can wait for the next heartbeat.
 */
export function compareHealth(before: HealthReading, after: HealthReading): HealthChange {
  if (before.network !== after.network) {
    const back = after.network !== 'none' && after.network !== null;
    return back ? 'network_back' : 'changed';
  }
  const isLow = (reading: HealthReading): boolean =>
    reading.battery !== null && reading.battery <= LOW_BATTERY;
  const same =
    before.charging === after.charging &&
    isLow(before) === isLow(after) &&
    JSON.stringify(before.sims) === JSON.stringify(after.sims);
  return same ? 'none' : 'changed';
}
