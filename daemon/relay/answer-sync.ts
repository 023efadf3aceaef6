/** Answers one sync of a relay phone, from the request's fields to the answer's. Knows no HTTP. */
import type { DeviceContext } from '../../src/actions/access/authenticate-device.js';
import type { Core } from '../../src/actions/core/core.js';
import { type DeviceHealth, syncDevice } from '../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { echoedLine } from '../../src/base/values/text.js';
import { parseModemReadings } from '../../src/domain/devices/modem-reading.js';
import { relayReceipt } from '../../src/domain/devices/relay-receipt.js';
import { parseReports } from '../../src/domain/dispatches/dispatch.js';
import { parseOutbox } from '../../src/domain/dispatches/dispatch-plan.js';
import { parseClockTime, parseInstant } from '../../src/domain/sms/incoming-sms.js';
import { parseWaitMs, type WaitedFor, type WaitForDispatches } from './wait-for-dispatches.js';

interface AskedSync {
  readonly caller: DeviceContext;
  /** The device key as it came: the receipt is made with it, because the store has only its hash. */
  readonly key: string;
  /** The SMS as they came, each to be checked on its own. */
  readonly messages: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * @param wait delays an answer that holds nothing until there is something, if the phone wants to wait.
 * @returns the fields of the answer.
 * @throws KashboxError what `syncDevice` and `wait` throw
 */
export async function answerSync(
  core: Core,
  { caller, key, messages, body }: AskedSync,
  wait: (found: Omit<WaitForDispatches, 'key' | 'socket'>) => Promise<WaitedFor>,
) {
  const reports = parseReports(body.reports);
  const outbox = parseOutbox(body.outbox);
  const synced = await syncDevice(core, {
    device: caller,
    messages,
    health: parseHealth(body.health),
    outbound: { reports, outbox },
    resentSince: parseInstant(body.resent_since),
    hasLastingIds: true,
    sentAtMs: parseClockTime(body.sent_at),
  });
  const { leased, device } = await wait({
    device: { ...caller, resendSince: synced.resendSince },
    journal: outbox?.journal ?? null,
    waitMs: parseWaitMs(body.wait_ms, { messages, reports }),
    leased: synced.leased,
  });
  return {
    status: true,
    results: synced.results,
    receipt: relayReceipt(key.trim(), synced.results),
    dispatches: leased.dispatches.map((one) => ({ ...one, expires_at: dhakaIso(one.expires_at) })),
    next_poll_ms: leased.nextPollMs,
    ...(device.resendSince === null ? {} : { resend_since: dhakaIso(device.resendSince) }),
    server_time: dhakaIso(core.clock.now()),
  };
}

/** Texts that a phone may say of itself; longer ones are not what they claim to be. */
const MAX_TEXT = 60;
const MAX_PROBLEM = 200;
const MAX_QUEUED = 1_000_000_000;

/**
 * Parses each field separately. Missing or invalid fields keep the last known value; null means unknown, or
 * no problem.
 * @param value value in the request; anything but an object is ignored.
 */
function parseHealth(value: unknown): DeviceHealth {
  if (typeof value !== 'object' || value === null) return {};
  const { battery, charging, network, queued, app_version, problem, sims } = value as Record<string, unknown>;
  return {
    battery: parseCount(battery, 100),
    charging: typeof charging === 'boolean' || charging === null ? charging : undefined,
    network: word(network),
    queued: parseCount(queued, MAX_QUEUED),
    appVersion: word(app_version),
    problem: sentence(problem),
    modems: modems(sims),
  };
}

function modems(sims: unknown): string | null | undefined {
  const readings = parseModemReadings(sims);
  if (readings === undefined) return undefined;
  return readings.length === 0 ? null : JSON.stringify(readings);
}

function parseCount(value: unknown, max: number): number | null | undefined {
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
