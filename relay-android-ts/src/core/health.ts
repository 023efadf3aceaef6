/** What a phone says of its state, and which change is worth telling at once. Pure. */
import { type Checked, isCount, isNumber, isText, oneOf, orMissing, orNull, shape } from './shape.js';

export type PhoneNetwork = 'wifi' | 'mobile' | 'none' | 'unknown';

/** Null stands for what is not known. */
export interface HealthReading {
  /** Per cent. */
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: PhoneNetwork | null;
  readonly sims: readonly SimReading[];
}

/** With the network (3GPP TS 27.007, +CREG). `none`: it is not searching either. */
const isRegistration = oneOf('home', 'roaming', 'searching', 'denied', 'none', 'unknown');
export type Registration = Checked<typeof isRegistration>;

/** `absent`: there is none in the modem; `locked`: it wants its PIN. */
const isSimState = oneOf('ready', 'absent', 'locked', 'failed', 'unknown');
export type SimState = Checked<typeof isSimState>;

/**
 * A SIM, and the modem in which it is; what only modems tell is missing elsewhere. Judges one read from disk,
 * too.
 */
export const isSimReading = shape({
  /** 1-based. */
  slot: isCount,
  number: orNull(isText),
  /** Per cent. */
  signal: orMissing(orNull(isNumber)),
  registration: orMissing(orNull(isRegistration)),
  state: orMissing(orNull(isSimState)),
  /** Of the modem, in degrees Celsius. */
  temperature: orMissing(orNull(isNumber)),
});
export type SimReading = Checked<typeof isSimReading>;

/** What the server is told. */
export interface HealthReport extends HealthReading {
  /** The problem that stops the agent, in one line; null if there is none. */
  readonly problem: string | null;
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
  const told = ({ battery, charging, sims }: HealthReading): string => {
    // Signal and temperature change all the time.
    const steady = sims.map(({ slot, number, registration, state }) => [slot, number, registration, state]);
    return JSON.stringify([charging, battery !== null && battery <= LOW_BATTERY, steady]);
  };
  return told(before) === told(after) ? 'none' : 'changed';
}
