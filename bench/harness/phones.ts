/** Phones that call once a second, each over its own kept TLS connection, evenly spread over the second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../src/base/clock.js';
import type { Daemon } from './servers.js';
import { nextSms } from './shop.js';
import { type Line, openLine, post } from './tls.js';

export interface SteadyCalls {
  /** Device keys. */
  readonly keys: readonly string[];
  readonly seconds: number;
  /** Every so many calls bring an SMS; 0 for none. */
  readonly smsEvery: number;
}

export interface SteadyLoad {
  readonly count: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const SECOND_MS = 1_000;
/** Connections that are opened at once. */
const AT_ONCE = 20;

export async function callSteadily(daemon: Daemon, calls: SteadyCalls): Promise<SteadyLoad> {
  const { keys, seconds } = calls;
  const lines: Line[] = [];
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    lines.push(...(await Promise.all(keys.slice(at, at + AT_ONCE).map(() => openLine(daemon)))));
  }
  const took: number[] = [];
  const start = performance.now() + SECOND_MS;
  const phone = async (line: Line, at: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      const due = start + (second + at / lines.length) * SECOND_MS;
      await sleep(Math.max(0, due - performance.now()));
      const hasSms = calls.smsEvery > 0 && (second * lines.length + at) % calls.smsEvery === 0;
      const began = performance.now();
      const { status } = await post(
        line,
        '/api/v2/relay/sync',
        { 'device-key': keys[at] ?? '' },
        body(hasSms),
      );
      took.push(performance.now() - began);
      if (status !== 200) throw new Error(`a call was answered ${status}`);
    }
  };
  await Promise.all(lines.map(phone));
  for (const { secure } of lines) secure.destroy();
  took.sort((a, b) => a - b);
  const part = (of: number) => took[Math.floor(took.length * of)] ?? Number.NaN;
  return { count: took.length, seconds, p50Ms: part(0.5), p99Ms: part(0.99) };
}

function body(hasSms: boolean): object {
  const health = { battery: 88, charging: true, network: 'wifi', queued: 0, app_version: '0.1.0' };
  if (!hasSms) return { messages: [], reports: [], health };
  const { reference, body: text } = nextSms();
  const sms = { id: reference, sender: 'bKash', body: text, received_at: dhakaIso(Date.now()), sim_slot: 1 };
  return { messages: [sms], reports: [], health };
}
