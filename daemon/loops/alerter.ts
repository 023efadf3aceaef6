/**
 * Sends alerts to operators while the daemon runs. It keeps no state: due messages are rows, which several
 * daemons share by leases.
 */
import {
  recordDelivery,
  sendAlert,
  type TakenMessage,
  takeAlertMessages,
} from '../../src/actions/alerts/deliver-alerts.js';
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import { sleep } from '../../src/base/values/timers.js';
import type { AlertSender } from '../../src/notify/send-alert.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two polls; finds what other processes wrote. */
const MAX_PAUSE_MS = 5_000;
/** Shortest pause: due work that cannot be taken must not keep the processor busy. */
const MIN_PAUSE_MS = 100;

interface AlerterParts {
  readonly alertSender: AlertSender;
  /** Records its runs as the job `deliver-alerts`. */
  readonly records: Pick<JobRecords, 'record'>;
}

/** Stopping takes no new work, and waits until deliveries under way are recorded. */
export function startAlerter(
  core: Core,
  log: Log,
  { alertSender, records }: AlerterParts,
): Pick<Loop, 'stop'> {
  /** Deliveries in progress, by target: one at a time, so that a slow target delays no other. */
  const underWay = new Map<string, Promise<void>>();
  const job = { core, records, name: 'deliver-alerts' } as const;

  /** @returns milliseconds until the next poll. */
  async function poll(): Promise<number> {
    const take = () => takeAlertMessages(core, { busy: new Set(underWay.keys()) });
    const { taken, waitMs } = await recordRun(job, take, (due) => due.taken.length);
    for (const message of taken) begin(message);
    return taken.length > 0 ? MIN_PAUSE_MS : Math.max(MIN_PAUSE_MS, waitMs ?? MAX_PAUSE_MS);
  }

  function begin(message: TakenMessage): void {
    const inDelivery = deliver(message).finally(() => underWay.delete(message.targetId));
    underWay.set(message.targetId, inDelivery);
  }

  async function deliver(message: TakenMessage): Promise<void> {
    const { targetId, targetHint, letter: payload } = message;
    try {
      const told = await sendAlert(core, alertSender, message);
      const after = await recordDelivery(core, message, told);
      const facts = { alert: payload.id, target: targetId, hint: targetHint, detail: told.detail };
      if (after.state === 'FAILED') log.error(facts, 'an alert failed permanently');
      else log.debug(facts, 'telling of an alert attempted');
    } catch (error) {
      // Its lease expires, and then it is due again. Until then its target stays busy.
      const told = 'an alert could not be told, or that not written down';
      logFailure(core, log, { err: error, alert: payload.id }, told);
      await sleep(core.timers, MAX_PAUSE_MS);
    }
  }

  const failed = (error: unknown) =>
    logFailure(core, log, { err: error }, 'due alerts could not be looked up');
  const loop = createLoop({ run: poll, pauseMs: MAX_PAUSE_MS, failed, timers: core.timers });
  loop.start(0);
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}
