/** Readings of the GSM modems of a relay. Stored as JSON text with the device. */

const REGISTRATIONS = ['home', 'roaming', 'searching', 'denied', 'none', 'unknown'] as const;
const SIM_STATES = ['ready', 'absent', 'locked', 'failed', 'unknown'] as const;

export interface ModemReading {
  /** 1 for the first SIM. */
  readonly slot: number;
  /** Percent. */
  readonly signal: number | null;
  /** Registration with the network. */
  readonly registration: (typeof REGISTRATIONS)[number] | null;
  readonly sim: (typeof SIM_STATES)[number] | null;
  /** Degrees Celsius. */
  readonly temperature: number | null;
}

const MAX_MODEMS = 9;

/**
 * @param value SIMs of a relay: `[{slot, signal, registration, state, temperature}]`.
 * @returns modems that report at least one value; undefined (no report) if `value` is not a list.
 */
export function parseModemReadings(value: unknown): ModemReading[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_MODEMS).flatMap((sim: unknown) => {
    if (typeof sim !== 'object' || sim === null) return [];
    const { slot, signal, registration, state, temperature } = sim as Record<string, unknown>;
    if (!isWithin(slot, 1, MAX_MODEMS)) return [];
    const reading: ModemReading = {
      slot: Math.round(slot),
      signal: isWithin(signal, 0, 100) ? Math.round(signal) : null,
      registration: REGISTRATIONS.find((one) => one === registration) ?? null,
      sim: SIM_STATES.find((one) => one === state) ?? null,
      temperature: isWithin(temperature, -60, 150) ? Math.round(temperature) : null,
    };
    const { slot: _, ...told } = reading;
    return Object.values(told).every((one) => one === null) ? [] : [reading];
  });
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** @param json text of `devices.modems`. */
export function parseStoredModems(json: string | null): readonly ModemReading[] {
  return json === null ? [] : (JSON.parse(json) as readonly ModemReading[]);
}
