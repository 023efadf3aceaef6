/** What a phone says of its state, and which change is worth telling at once. Pure. */

export type Network = 'wifi' | 'mobile' | 'none' | 'unknown';

/** Null stands for what is not known. */
export interface HealthReading {
  /** Per cent. */
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: Network | null;
  readonly sims: readonly { readonly slot: number; readonly number: string | null }[];
}

/** What the server is told. */
export interface HealthReport extends HealthReading {
  /** The problem that stops the agent, in one line; null if there is none. */
  readonly trouble: string | null;
}

/** Below this percentage the owner is warned. */
const LOW_BATTERY = 20;

export const UNKNOWN_HEALTH: HealthReading = { battery: null, charging: null, network: null, sims: [] };

/** Whole per cent; null for what cannot be. */
export function percentOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 100 ? Math.round(value) : null;
}

/** A battery that moves by a per cent can wait for the next heartbeat; its low mark counts. */
export function compareHealth(
  before: HealthReading,
  after: HealthReading,
): 'none' | 'changed' | 'network_back' {
  if (before.network !== after.network) {
    return after.network !== 'none' && after.network !== null ? 'network_back' : 'changed';
  }
  const told = ({ battery, charging, sims }: HealthReading): string =>
    JSON.stringify([charging, battery !== null && battery <= LOW_BATTERY, sims]);
  return told(before) === told(after) ? 'none' : 'changed';
}
