/**
 * Tells operators of alerts, for as long as the daemon runs. It keeps no truth: what is due stands in the
 * store, and several daemons share it by leases.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  recordTelling,
  type TakenMessage,
  takeAlertMessages,
  tellAlert,
} from '../../src/actions/alerts/deliver-alerts.js';
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import type { AlertTeller } from '../../src/notify/tell-alert.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two looks: what other processes write is found by then. */
const LOOK_MS = 5_000;
/** Shortest: what is due and cannot be taken must not keep the machine busy. */
const BREATH_MS = 100;

export interface AlerterParts {
  readonly teller: AlertTeller;
  /** Where it says how its looks went, as the job `deliver-alerts`. */
  readonly records: Pick<JobRecords, 'record'>;
}

/** Its stop takes nothing more, and waits until what is under way is over and written down. */
export function startAlerter(core: Core, log: Log, { teller, records }: AlerterParts): Pick<Loop, 'stop'> {
  /** By their targets: one at a time each, so that one that hangs delays no other. */
  const underWay = new Map<string, Promise<void>>();
  const job = { core, records, name: 'deliver-alerts' } as const;

  /** @returns milliseconds until the next look. */
  async function look(): Promise<number> {
    const take = () => takeAlertMessages(core, { busy: new Set(underWay.keys()) });
    const { taken, waitMs } = await recordRun(job, take, (due) => due.taken.length);
    for (const message of taken) begin(message);
    return taken.length > 0 ? BREATH_MS : Math.max(BREATH_MS, waitMs ?? LOOK_MS);
  }

  function begin(message: TakenMessage): void {
    const telling = tell(message).finally(() => underWay.delete(message.targetId));
    underWay.set(message.targetId, telling);
  }

  async function tell(message: TakenMessage): Promise<void> {
    const { targetId, targetHint, letter } = message;
    try {
      const told = await tellAlert(core, teller, message);
      const after = await recordTelling(core, message, told);
      const facts = { alert: letter.id, target: targetId, hint: targetHint, detail: told.detail };
      if (after.state === 'DEAD') log.error(facts, 'an alert could not be told and was given up');
      else log.debug(facts, 'telling of an alert attempted');
    } catch (error) {
      // Its lease runs out, and then it is due again. Until then its target stays busy for a moment.
      const told = 'an alert could not be told, or that not written down';
      logFailure(core, log, { err: error, alert: letter.id }, told);
      await sleep(LOOK_MS);
    }
  }

  const failed = (error: unknown) =>
    logFailure(core, log, { err: error }, 'due alerts could not be looked up');
  const loop = createLoop({ run: look, pauseMs: LOOK_MS, failed });
  loop.start(0);
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}
