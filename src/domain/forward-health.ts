/**
 * How a phone is doing, as far as a forwarder app can be made to tell with each SMS: the placeholders
 * battery, power, network and version of "Incoming SMS to URL forwarder". Knows neither phone nor store.
 */

export interface ForwardHealth {
  /** Percent, 0 to 100. */
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: string | null;
  readonly queued: null;
  readonly appVersion: string | null;
}

const CHARGING: Readonly<Record<string, boolean>> = { ac: true, usb: true, wireless: true, unplugged: false };
const NETWORKS = ['wifi', 'mobile', 'ethernet', 'none'];
const VERSION = /^[\w.+-]{1,60}$/;

/** @returns null where the body says nothing of it, which leaves what is known of the phone as it is. */
export function forwardHealth(fields: Readonly<Record<string, unknown>>): ForwardHealth | null {
  const { battery, power, network, version } = fields;
  const health = {
    battery: readPercent(battery),
    charging: typeof power === 'string' ? (CHARGING[power.trim().toLowerCase()] ?? null) : null,
    network: NETWORKS.find((name) => name === network) ?? null,
    queued: null,
    appVersion: typeof version === 'string' && VERSION.test(version) ? version : null,
  };
  return health.battery === null && health.charging === null && health.network === null ? null : health;
}

/** The app writes -1 where it does not know. */
function readPercent(value: unknown): number | null {
  const percent = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? Math.round(percent) : null;
}
