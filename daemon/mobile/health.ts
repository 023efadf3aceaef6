/** Maps the app's `system:ping` to the stored health of a phone. Knows no HTTP. */
import type { DeviceHealth } from '../../src/actions/relay/sync-device.js';

/** Flags of `connection:transport`; the first that is set names the network. */
const TRANSPORTS: readonly (readonly [flag: number, name: string])[] = [
  [4, 'wifi'],
  [8, 'ethernet'],
  [2, 'cellular'],
];
const VERSION = /^[\w.+ -]{1,60}$/;

/** Missing or unreadable fields are undefined and keep the last known value. */
export function readPing(payload: unknown): DeviceHealth {
  const { health } = asObject(payload);
  const { checks, version } = asObject(health);
  const observed = (name: string): number | undefined => {
    const { observedValue } = asObject(asObject(checks)[name]);
    return typeof observedValue === 'number' && observedValue >= 0 ? observedValue : undefined;
  };
  const level = observed('battery:level');
  const power = observed('battery:charging');
  const transport = observed('connection:transport');
  return {
    battery: level === undefined || level > 100 ? undefined : Math.round(level),
    // The lowest flag says "charging now", the others what is plugged in: a full battery no longer charges.
    charging: power === undefined ? undefined : power > 0,
    network: transport === undefined ? undefined : networkOf(transport),
    appVersion: typeof version === 'string' && VERSION.test(version) ? version : undefined,
  };
}

function networkOf(transport: number): string | null {
  if (transport === 0) return 'none';
  return TRANSPORTS.find(([flag]) => (transport & flag) !== 0)?.[1] ?? null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
