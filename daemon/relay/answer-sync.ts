/** One round of a relay phone, from the fields of its request to those of the answer. Knows no HTTP. */
import type { DeviceContext } from '../../src/actions/access/authenticate-device.js';
import type { Core } from '../../src/actions/core/core.js';
import { syncDevice } from '../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { relayReceipt } from '../../src/domain/devices/relay-receipt.js';
import { readReports } from '../../src/domain/dispatches/dispatch.js';
import { readOutbox } from '../../src/domain/dispatches/dispatch-plan.js';
import { readClock, readInstant } from '../../src/domain/sms/incoming-sms.js';
import { readHealth } from './health.js';
import { readWait } from './long-poll.js';
import type { WaitedFor, WaitForDispatches } from './wait-for-dispatches.js';

export interface AskedSync {
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
  const reports = readReports(body.reports);
  const outbox = readOutbox(body.outbox);
  const synced = await syncDevice(core, {
    device: caller,
    messages,
    health: readHealth(body.health),
    outbound: { reports, outbox },
    resentSince: readInstant(body.resent_since),
    hasLastingIds: true,
    sentAtMs: readClock(body.sent_at),
  });
  const { leased, device } = await wait({
    device: { ...caller, resendSince: synced.resendSince },
    journal: outbox?.journal ?? null,
    waitMs: readWait(body.wait_ms, { messages, reports }),
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
