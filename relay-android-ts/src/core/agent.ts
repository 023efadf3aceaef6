/** The whole agent on ports alone: inbox to queue, queue to server, outbox to phone, health beside them. */

import { reasonOf } from './errors.js';
import { compareHealth, UNKNOWN_HEALTH } from './health.js';
import type { DeadLetters } from './inbox/dead-letters.js';
import { InboxPump } from './inbox/inbox-pump.js';
import { MAX_TROUBLE } from './inbox/inbox-trouble.js';
import { LetterPump } from './inbox/letter-pump.js';
import type { Queue } from './inbox/queue.js';
import type { Outbox } from './outbox/outbox.js';
import { OutboxPump } from './outbox/outbox-pump.js';
import type { Clock, Digest, HealthReading, Log, Platform, Random, Wish } from './ports.js';
import { Resend } from './sync/resend.js';
import type { Line } from './sync/server-calls.js';
import { type SyncEnd, type SyncPorts, SyncPump } from './sync/sync-pump.js';
import { Bell } from './time/interruptible-wait.js';
import { withinTime } from './time/within-time.js';
import { WakeChannel } from './wake/wake-channel.js';

const FIRST_HEALTH_MS = 3_000;
/** A frozen phone must not hold up the end. */
const LAST_WORDS_MS = 3_000;

export interface AgentPorts {
  readonly platform: Platform;
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly outbox: Outbox;
  readonly line: Line;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly log: Log;
  readonly appVersion: string;
  readonly pollMs: number;
  readonly once: boolean;
  readonly onExchange: SyncPorts['onExchange'];
  readonly takeWishes: () => Promise<readonly Wish[]>;
  /** Told what keeps the agent from its work, and null when nothing does any more. */
  readonly onTrouble: (trouble: string | null) => void;
}

export class Agent {
  readonly #ports: AgentPorts;
  readonly #sync: SyncPump;
  readonly #inbox: InboxPump;
  readonly #outbox: OutboxPump;
  readonly #letters: LetterPump;
  readonly #channel: WakeChannel;
  readonly #healthBell: Bell<'stop'>;
  #health: HealthReading = UNKNOWN_HEALTH;
  #lastSmsAt: number | null = null;
  #inboxTrouble: string | null = null;
  #toldTrouble: string | null = null;
  #connected = false;
  #stopping = false;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
    const { platform, line, queue, clock } = ports;
    const resend = new Resend();
    this.#healthBell = new Bell(clock);
    this.#sync = new SyncPump({
      ...ports,
      resend,
      health: () => ({ ...this.#health, trouble: this.#trouble() }),
      onExchange: (verdict, error) => {
        this.#channel.note(verdict);
        this.#connected = error === null;
        this.#tellTrouble();
        this.#show();
        ports.onExchange(verdict, error);
      },
      onDispatches: () => this.#outbox.wake(),
      onResend: async (since) => {
        await this.#letters.again(since);
        this.#inbox.again(since);
      },
    });
    this.#inbox = new InboxPump({
      ...ports,
      inbox: platform.inbox,
      deviceId: () => line.deviceId,
      onNews: () => {
        this.#lastSmsAt = clock.now();
        this.#sync.wake('news');
      },
      onReread: (since) => {
        resend.read(since, queue.ids());
        this.#sync.wake('news');
      },
      onTrouble: (trouble) => {
        this.#inboxTrouble = trouble;
        this.#tellTrouble();
        this.#show();
      },
    });
    this.#outbox = new OutboxPump({
      ...ports,
      sender: platform.sender,
      onNews: () => this.#sync.wake('news'),
    });
    this.#letters = new LetterPump({
      ...ports,
      onNews: () => {
        this.#tellTrouble();
        this.#sync.wake('news');
      },
    });
    this.#channel = new WakeChannel({
      ...ports,
      // A call that gets through proves that the network is there.
      onCall: () => this.#sync.wake('network'),
      onLongPoll: (wanted) => this.#sync.waitThere(wanted),
    });
  }

  /** Runs until `stop`, or with `once` until all is delivered or something fails. */
  async run(): Promise<SyncEnd> {
    const { platform, once, log, clock } = this.#ports;
    const quietly = (error: unknown): void =>
      log.warn('the phone cannot show its state', { reason: reasonOf(error) });
    void platform.surface?.open().catch(quietly);
    await this.#letters.begin();
    this.#tellTrouble();
    // A phone that is slow to tell its health has SMS to deliver all the same.
    await withinTime(clock, this.#readHealth(), FIRST_HEALTH_MS);
    try {
      return once ? await this.#runOnce() : await this.#runOn();
    } finally {
      this.stop();
      const closing = platform.surface?.close().catch(quietly);
      if (closing !== undefined) await withinTime(clock, closing, LAST_WORDS_MS);
    }
  }

  /** The inbox is on the disk before the server is asked: if it cannot be reached nothing is lost. */
  async #runOnce(): Promise<SyncEnd> {
    const inboxEnd = await this.#inbox.run(true);
    const sending = this.#outbox.run();
    const end = await this.#sync.run(true);
    this.stop();
    await sending;
    if (end.kind !== 'drained' || inboxEnd !== 'fault') return end;
    return { kind: 'failed', code: 'storage_failed', reason: 'not all SMS could be taken from the inbox' };
  }

  async #runOn(): Promise<SyncEnd> {
    const beside = [
      this.#inbox.run(false),
      this.#outbox.run(),
      this.#channel.run(),
      this.#watchHealth(),
      this.#letters.run(),
    ];
    const end = await this.#sync.run(false);
    this.stop();
    await Promise.all(beside);
    return end;
  }

  /** Ends `run` after the request in flight; what is queued stays on the disk. */
  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#inbox.stop();
    // A look at the inbox that is under way may take long; what it would bring is still there next time.
    this.#ports.platform.inbox.close();
    this.#outbox.stop();
    this.#letters.stop();
    this.#channel.stop();
    this.#sync.stop();
    this.#healthBell.ring('stop');
  }

  /** First what keeps SMS from coming in, because more of it follows with every minute. */
  #trouble(): string | null {
    const all = [this.#inboxTrouble, this.#sync.trouble, this.#ports.deadLetters.trouble()];
    const told = all.filter((one) => one !== null).join('; ');
    return told === '' ? null : told.slice(0, MAX_TROUBLE);
  }

  #tellTrouble(): void {
    const trouble = this.#trouble();
    if (trouble === this.#toldTrouble) return;
    this.#toldTrouble = trouble;
    this.#ports.onTrouble(trouble);
    this.#sync.wake('news');
  }

  #show(): void {
    const { platform, queue } = this.#ports;
    platform.surface?.show({
      connected: this.#connected,
      waiting: queue.size,
      lastSmsAt: this.#lastSmsAt,
      trouble: this.#trouble(),
    });
  }

  async #watchHealth(): Promise<void> {
    while (!this.#stopping) {
      await this.#healthBell.wait(this.#ports.platform.healthEveryMs, ['stop']);
      if (this.#stopping) return;
      const before = this.#health;
      await this.#readHealth();
      const change = compareHealth(before, this.#health);
      if (change === 'changed') this.#sync.wake('news');
      if (change === 'network_back') this.#sync.wake('network');
    }
  }

  /** Health that cannot be read is unknown; it is never a reason not to deliver. */
  async #readHealth(): Promise<void> {
    try {
      this.#health = await this.#ports.platform.readHealth();
    } catch (error) {
      this.#ports.log.warn('the health of the phone cannot be read', { reason: reasonOf(error) });
      this.#health = UNKNOWN_HEALTH;
    }
  }
}
