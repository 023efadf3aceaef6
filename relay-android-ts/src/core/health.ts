/** Health of a phone, and which changes are reported immediately. Pure. */
import { type Infer, isCount, isNumber, isText, oneOf, orMissing, orNull, shape } from './shape.js';

export type PhoneNetwork = 'wifi' | 'mobile' | 'none' | 'unknown';

/** Health of a phone; null means unknown. */
export interface HealthReading {
  /** Per cent. */
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: PhoneNetwork | null;
  readonly sims: readonly SimReading[];
}

/** Registration with the network (3GPP TS 27.007, +CREG). `none`: not registered and not searching. */
const isRegistration = oneOf('home', 'roaming', 'searching', 'denied', 'none', 'unknown');
export type Registration = Infer<typeof isRegistration>;

/** `absent`: no SIM in the modem; `locked`: the SIM requires its PIN. */
const isSimState = oneOf('ready', 'absent', 'locked', 'failed', 'unknown');
export type SimState = Infer<typeof isSimState>;

/**
 * Validates a SIM and its modem, also when loaded from disk. Fields that only modems report are missing on
 * other platforms.
 */
export const isSimReading = shape({
  /** 1-based. */
  slot: isCount,
  number: orNull(isText),
  /** Per cent. */
  signal: orMissing(orNull(isNumber)),
  registration: orMissing(orNull(isRegistration)),
  state: orMissing(orNull(isSimState)),
  /** Temperature of the modem, °C. */
  temperature: orMissing(orNull(isNumber)),
});
export type SimReading = Infer<typeof isSimReading>;

/** Health as reported to the server. */
export interface HealthReport extends HealthReading {
  /** Problem that stops the agent, in one line; null if there is none. */
  readonly problem: string | null;
}

/** Battery level whose crossing is reported immediately, per cent. */
const LOW_BATTERY = 20;

export const UNKNOWN_HEALTH: HealthReading = { battery: null, charging: null, network: null, sims: [] };

/** @returns the value rounded to an integer; null if it is not a number from 0 to 100 */
export function parsePercent(value: unknown): number | null {
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
