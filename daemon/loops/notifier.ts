/**
 * Sends due notifications to shops while the daemon runs. It keeps no state: due notifications are rows,
 * which several daemons share by leases. src/domain/notifications/fair-share decides the order.
 */
import type { Core } from '../../src/actions/core/core.js';
import {
  recordAttempt,
  resetNotificationTimes,
  sendNotification,
  type TakenNotification,
  takeNotifications,
} from '../../src/actions/notifications/deliver-notification.js';
import type { Log } from '../../src/base/io/log.js';
import { sleep } from '../../src/base/values/timers.js';
import {
  allocateCapacity,
  answersWell,
  type EndpointQueue,
  type Traffic,
} from '../../src/domain/notifications/fair-share.js';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../../src/domain/notifications/notification.js';
import type { NotificationSender } from '../../src/notify/send.js';
import { dueLanes } from '../../src/store/tables/notifications.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two polls; finds what other processes wrote. */
const MAX_PAUSE_MS = 2_000;
/**
 * Minimum pause before looking up changed payments, in ms: limits the load. Changes of other processes may
 * wait `OTHERS_PAUSE_MS`: other daemons send their own notifications, and commands send none.
 */
const OWN_PAUSE_MS = 20;
const OTHERS_PAUSE_MS = 500;
/** Lanes that are remembered. Least recently used lanes are evicted and start as untrusted. */
const MAX_REMEMBERED = 10_000;

interface LaneState {
  /** True if the last attempt was answered well. */
  readonly isGood: boolean;
  /** The number of the last attempt to it, counted over all. */
  readonly asked: number;
}

interface NotifierParts {
  readonly sender: NotificationSender;
  /** Records its runs as the job `deliver-notifications`. */
  readonly records: Pick<JobRecords, 'record'>;
}

export const createNotifier = (core: Core, log: Log, parts: NotifierParts) => new Notifier(core, log, parts);

class Notifier {
  private readonly underWay = new Map<string, number>();
  /** Lanes in the order of their last attempts. */
  private readonly known = new Map<string, LaneState>();
  private asked = 0;
  private readonly running = new Set<Promise<void>>();
  private readonly outcomes = Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    AttemptOutcome,
    number
  >;
  /** Time of the last look-up by the core's clock, which may be set back; thus Infinity before the first. */
  private lookedAt = Number.POSITIVE_INFINITY;
  /** Start of the last look-up, in ms on the monotonic clock. */
  private beganAt = Number.NEGATIVE_INFINITY;
  private readonly loop: Loop;
  private stopListening: () => void = () => {};

  constructor(
    private readonly core: Core,
    private readonly log: Log,
    private readonly parts: NotifierParts,
  ) {
    this.loop = createLoop({
      run: () => this.look(),
      pauseMs: MAX_PAUSE_MS,
      failed: (error) => logFailure(core, log, { err: error }, 'due notifications could not be looked up'),
      timers: core.timers,
    });
  }

  start(): void {
    this.stopListening = this.core.moved.listenAll((isOwn) => {
      const rested = this.core.timers.steadyMs() - this.beganAt;
      this.loop.wakeWithin(Math.max(0, (isOwn ? OWN_PAUSE_MS : OTHERS_PAUSE_MS) - rested));
    });
    this.loop.start(0);
  }

  /** Attempts since the start, by outcome. */
  attempts(): Readonly<Record<AttemptOutcome, number>> {
    return { ...this.outcomes };
  }

  /** Takes no new work, and waits until attempts under way are recorded. */
  async stop(): Promise<void> {
    this.stopListening();
    await this.loop.stop();
    await Promise.all(this.running);
  }

  /** @returns milliseconds until the next look-up, unless something wakes the loop before. */
  private async look(): Promise<number> {
    const { core, parts } = this;
    const at = core.clock.now();
    this.beganAt = core.timers.steadyMs();
    const take = async () => {
      if (at < this.lookedAt) await resetNotificationTimes(core);
      this.lookedAt = at;
      const lanes = await core.store.read(dueLanes);
      return { lanes, taken: await takeNotifications(core, allocateCapacity(lanes, at, this.traffic())) };
    };
    const job = { core, records: parts.records, name: 'deliver-notifications' } as const;
    const { lanes, taken } = await recordRun(job, take, (due) => due.taken.length);
    for (const notification of taken) this.begin(notification);
    return pauseUntil(lanes, at);
  }

  private begin(notification: TakenNotification): void {
    const { lane } = notification;
    this.underWay.set(lane, (this.underWay.get(lane) ?? 0) + 1);
    this.remember(lane, this.isGood(lane));
    const attempt = this.attempt(notification).finally(() => {
      const left = (this.underWay.get(lane) ?? 1) - 1;
      if (left > 0) this.underWay.set(lane, left);
      else this.underWay.delete(lane);
      this.running.delete(attempt);
      this.loop.wake();
    });
    this.running.add(attempt);
  }

  private async attempt(notification: TakenNotification): Promise<void> {
    const { core, log } = this;
    const at = core.clock.now();
    try {
      const result = await sendNotification(core, this.parts.sender, notification);
      this.outcomes[result.outcome] += 1;
      this.judge(notification.lane, answersWell(result));
      const after = await recordAttempt(core, notification, result, { at, askedBy: 'schedule' });
      const { outcome, detail, ms } = result;
      const told = { notification: notification.id, outcome, detail, ms: Math.round(ms) };
      if (after.state === 'FAILED') log.error(told, 'a notification failed permanently');
      else log.debug(told, 'notification attempted');
    } catch (error) {
      // Its lease runs out, and then it is due again.
      const facts = { err: error, notification: notification.id };
      logFailure(core, log, facts, 'an attempt could not be made or written down');
      // Keeps its slot for a while, so that immediate failures do not cause a busy loop.
      this.judge(notification.lane, false);
      await sleep(core.timers, MAX_PAUSE_MS);
    }
  }

  private readonly isGood = (lane: string): boolean => this.known.get(lane)?.isGood === true;

  /** Records that an attempt to the lane begins now. */
  private remember(lane: string, isGood: boolean): void {
    this.known.delete(lane);
    const [oldest] = this.known.size >= MAX_REMEMBERED ? this.known.keys() : [];
    if (oldest !== undefined) this.known.delete(oldest);
    this.asked += 1;
    this.known.set(lane, { isGood, asked: this.asked });
  }

  private judge(lane: string, isGood: boolean): void {
    const asked = this.known.get(lane)?.asked;
    if (asked !== undefined) this.known.set(lane, { isGood, asked });
  }

  private traffic(): Traffic {
    const { underWay, isGood } = this;
    return { underWay, isGood, lastAsked: (lane) => this.known.get(lane)?.asked ?? 0 };
  }
}

/** Due work already waits for a slot, and a freed slot starts the next poll. */
function pauseUntil(lanes: readonly EndpointQueue[], now: number): number {
  const waits = lanes.map(({ next_at }) => next_at - now).filter((wait) => wait > 0);
  return Math.min(MAX_PAUSE_MS, ...waits);
}
