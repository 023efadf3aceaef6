/** Phones that call once a second, each over its own kept TLS connection, evenly spread over the second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../src/base/values/clock.js';
import type { Daemon } from './servers.js';
import { nextSms } from './shop.js';
import { type Line, openLine, post } from './tls.js';

export interface Phone {
  readonly line: Line;
  readonly deviceKey: string;
}

export interface SteadyCalls {
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

export async function openPhones(daemon: Daemon, deviceKeys: readonly string[]): Promise<Phone[]> {
  const phones: Phone[] = [];
  for (let at = 0; at < deviceKeys.length; at += AT_ONCE) {
    phones.push(
      ...(await Promise.all(deviceKeys.slice(at, at + AT_ONCE).map((key) => openPhone(daemon, key)))),
    );
  }
  return phones;
}

/** With a first call, since a connection on which nothing comes is soon hung up. */
async function openPhone(daemon: Daemon, deviceKey: string): Promise<Phone> {
  const phone = { line: await openLine(daemon), deviceKey };
  await call(phone, false);
  return phone;
}

async function call({ line, deviceKey }: Phone, hasSms: boolean): Promise<void> {
  const { status } = await post(line, '/api/v2/relay/sync', { 'device-key': deviceKey }, body(hasSms));
  if (status !== 200) throw new Error(`a call was answered ${status}`);
}

export async function callSteadily(phones: readonly Phone[], calls: SteadyCalls): Promise<SteadyLoad> {
  const { seconds, smsEvery } = calls;
  const took: number[] = [];
  const start = performance.now();
  const callOn = async (phone: Phone, at: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      const due = start + (second + at / phones.length) * SECOND_MS;
      await sleep(Math.max(0, due - performance.now()));
      const began = performance.now();
      await call(phone, smsEvery > 0 && (second * phones.length + at) % smsEvery === 0);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(phones.map(callOn));
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
