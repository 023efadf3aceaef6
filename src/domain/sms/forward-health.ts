/**
 * How a phone is doing, as far as a forwarder app can be made to tell with each SMS: the placeholders
 * battery, power, network and version of "Incoming SMS to URL forwarder". Knows neither phone nor store.
 */

/** What is undefined was not said, or cannot be read, and leaves what is known of the phone. */
export interface ForwardHealth {
  /** Percent, 0 to 100. */
  readonly battery: number | undefined;
  readonly charging: boolean | undefined;
  readonly network: string | undefined;
  readonly appVersion: string | undefined;
}

const CHARGING: Readonly<Record<string, boolean>> = { ac: true, usb: true, wireless: true, unplugged: false };
const NETWORKS = ['wifi', 'mobile', 'ethernet', 'none'];
const VERSION = /^[\w.+-]{1,60}$/;

/** @param fields the body as it came. */
export function forwardHealth(fields: Readonly<Record<string, unknown>>): ForwardHealth {
  const { battery, power, network, version } = fields;
  return {
    battery: readPercent(battery),
    charging: typeof power === 'string' ? CHARGING[power.trim().toLowerCase()] : undefined,
    network: NETWORKS.find((name) => name === network),
    appVersion: typeof version === 'string' && VERSION.test(version) ? version : undefined,
  };
}

/** The app writes -1 where it does not know. */
function readPercent(value: unknown): number | undefined {
  const percent = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? Math.round(percent) : undefined;
}
