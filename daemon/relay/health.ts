/** Maps the phone status that the agent sends with each round to the stored health. Knows no HTTP. */
import type { DeviceHealth } from '../../src/actions/relay/sync-device.js';
import { echoedLine } from '../../src/base/values/text.js';
import { readModems } from '../../src/domain/devices/modem-reading.js';

/** Texts that a phone may say of itself; longer ones are not what they claim to be. */
const MAX_TEXT = 60;
const MAX_PROBLEM = 200;
const MAX_QUEUED = 1_000_000_000;

/**
 * Each field is read separately. Missing or invalid fields keep the last known value; null means unknown, or
 * no problem.
 * @param value what stands in the request; anything but an object says nothing.
 */
export function readHealth(value: unknown): DeviceHealth {
  if (typeof value !== 'object' || value === null) return {};
  const { battery, charging, network, queued, app_version, trouble, sims } = value as Record<string, unknown>;
  return {
    battery: whole(battery, 100),
    charging: typeof charging === 'boolean' || charging === null ? charging : undefined,
    network: word(network),
    queued: whole(queued, MAX_QUEUED),
    appVersion: word(app_version),
    trouble: sentence(trouble),
    modems: modems(sims),
  };
}

function modems(sims: unknown): string | null | undefined {
  const readings = readModems(sims);
  if (readings === undefined) return undefined;
  return readings.length === 0 ? null : JSON.stringify(readings);
}

function whole(value: unknown, max: number): number | null | undefined {
  if (value === null) return null;
  return typeof value === 'number' && value >= 0 && value <= max ? Math.round(value) : undefined;
}

function word(value: unknown): string | null | undefined {
  if (value === null) return null;
  const isWord = typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.length <= MAX_TEXT;
  return isWord ? value : undefined;
}

/** A long description of a problem is cut, not refused. */
function sentence(value: unknown): string | null | undefined {
  if (value === null) return null;
  const text = typeof value === 'string' ? echoedLine(value, MAX_PROBLEM) : '';
  return text === '' ? undefined : text;
}
