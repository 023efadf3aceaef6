/** Battery, charging and network as Termux:API tells them. What it does not tell is unknown and no fault. */
import { UNKNOWN_HEALTH } from '../../core/health.js';
import type { HealthReading, Network } from '../../core/ports.js';
import { parseJson } from '../simulator/sms-json.js';
import type { TermuxCalls } from './termux-calls.js';

export async function readTermuxHealth(calls: TermuxCalls): Promise<HealthReading> {
  await followZone(calls);
  const { percentage, plugged } = await ask(calls, 'termux-battery-status');
  const isPercent = typeof percentage === 'number' && percentage >= 0 && percentage <= 100;
  return {
    ...UNKNOWN_HEALTH,
    battery: isPercent ? Math.round(percentage) : null,
    charging: typeof plugged === 'string' ? plugged !== 'UNPLUGGED' : null,
    network: await readNetwork(calls),
  };
}

async function readNetwork(calls: TermuxCalls): Promise<Network | null> {
  const { supplicant_state: wifi } = await ask(calls, 'termux-wifi-connectioninfo');
  if (wifi === 'COMPLETED') return 'wifi';
  const { data_state: data } = await ask(calls, 'termux-telephony-deviceinfo');
  if (data === 'connected') return 'mobile';
  return typeof wifi === 'string' && data === 'disconnected' ? 'none' : null;
}

/** The fields of the answer; none if there is no answer. */
async function ask(calls: TermuxCalls, program: string): Promise<Record<string, unknown>> {
  const result = await calls.run({ program, args: [] });
  const value = result.kind === 'answered' ? parseJson(result.stdout) : undefined;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * SMS are listed in the phone's local time, and a running Node keeps the zone that it found at its start. A
 * phone whose owner sets the zone, or travels, is followed within a minute.
 */
async function followZone(calls: TermuxCalls): Promise<void> {
  const result = await calls.run({ program: 'getprop', args: ['persist.sys.timezone'] });
  const zone = result.kind === 'answered' ? result.stdout.trim() : '';
  if (/^[A-Za-z0-9_+\-/]{1,60}$/.test(zone) && zone !== process.env.TZ) process.env.TZ = zone;
}
