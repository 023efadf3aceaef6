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
import type { JobRecords } from './job-records.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two looks: what other processes write is found by then. */
const LOOK_MS = 5_000;
/** Shortest: what is due and cannot be taken must not keep the machine busy. */
const BREATH_MS = 100;

export interface Alerter {
  start(): void;
  /** Takes nothing more, and waits until what is under way is over and written down. */
  stop(): Promise<void>;
}

export interface AlerterParts {
  readonly teller: AlertTeller;
  /** Where it says how its looks went, as the job `deliver-alerts`. */
  readonly records: Pick<JobRecords, 'record'>;
}

export function createAlerter(core: Core, log: Log, parts: AlerterParts): Alerter {
  return new RunningAlerter(core, log, parts);
}

class RunningAlerter implements Alerter {
  /** By their targets: one at a time each, so that one that hangs delays no other. */
  private readonly underWay = new Map<string, Promise<void>>();
  private looking: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly core: Core,
    private readonly log: Log,
    private readonly parts: AlerterParts,
  ) {}

  start(): void {
    this.looking = this.look().then((pause) => {
      if (!this.isStopping) this.timer = setTimeout(() => this.start(), pause);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.looking;
    await Promise.all(this.underWay.values());
  }

  /** @returns milliseconds until the next look. */
  private async look(): Promise<number> {
    const { core, log, parts, underWay } = this;
    const at = core.clock.now();
    const began = performance.now();
    const note = (done: number, error: string | null) =>
      parts.records.record('deliver-alerts', { at, ms: Math.round(performance.now() - began), done, error });
    try {
      const { taken, waitMs } = await takeAlertMessages(core, { busy: new Set(underWay.keys()) });
      for (const message of taken) this.begin(message);
      note(taken.length, null);
      return taken.length > 0 ? BREATH_MS : Math.min(LOOK_MS, Math.max(BREATH_MS, waitMs ?? LOOK_MS));
    } catch (error) {
      logFailure(core, log, { err: error }, 'due alerts could not be looked up');
      note(0, error instanceof Error ? error.message : 'unknown');
      return LOOK_MS;
    }
  }

  private begin(message: TakenMessage): void {
    const telling = this.tell(message).finally(() => this.underWay.delete(message.targetId));
    this.underWay.set(message.targetId, telling);
  }

  private async tell(message: TakenMessage): Promise<void> {
    const { core, log } = this;
    const { targetId, targetHint, letter } = message;
    try {
      const told = await tellAlert(core, this.parts.teller, message);
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
}
