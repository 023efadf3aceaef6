/** The complete agent, built on ports only: inbox to queue, queue to server, outbox to phone, and health. */
import { errorMessage, MAX_PROBLEM } from './errors.js';
import { compareHealth, type HealthReading, UNKNOWN_HEALTH } from './health.js';
import { type DeadLetterPorts, DeadLetterPump } from './inbox/dead-letters.js';
import { InboxPump } from './inbox/inbox-pump.js';
import { OutboxPump } from './outbox/outbox-pump.js';
import type { Platform, Runtime } from './ports.js';
import type { Stores } from './stores.js';
import { type SyncEnd, type SyncPorts, SyncPump } from './sync/sync-pump.js';
import { Pump, withinTime } from './time/pump.js';
import { WakeChannel } from './wake/wake-channel.js';

const FIRST_HEALTH_MS = 3_000;
/** A frozen phone must not block the shutdown. */
const LAST_WORDS_MS = 3_000;

interface AgentPorts
  extends Stores,
    Runtime,
    Pick<SyncPorts, 'line' | 'appVersion' | 'onExchange'>,
    Pick<DeadLetterPorts, 'takeRequests'> {
  readonly platform: Platform;
  readonly pollMs: number;
  readonly once: boolean;
  /** Called with the problem that stops the agent, and with null when it is over. */
  readonly onProblem: (problem: string | null) => void;
  /** @returns one line about a damaged journal; null if none, or its copy was deleted or is 30 days old */
  readonly readDamage: () => Promise<string | null>;
  /** Called with each reading of the health. */
  readonly onHealth: (health: HealthReading) => void;
}

export class Agent extends Pump<AgentPorts> {
  private readonly sync: SyncPump;
  private readonly inbox: InboxPump;
  private readonly outbox: OutboxPump;
  private readonly letters: DeadLetterPump;
  private readonly channel: WakeChannel;
  private health: HealthReading = UNKNOWN_HEALTH;
  private damage: string | null = null;
  private lastSmsAt: number | null = null;
  private reportedProblem: string | null = null;
  private connected = false;

  constructor(ports: AgentPorts) {
    super(ports);
    const { platform, line, clock } = ports;
    this.sync = new SyncPump({
      ...ports,
      health: () => ({ ...this.health, problem: this.problem() }),
      onExchange: (verdict, error) => {
        this.channel.note(verdict);
        this.connected = error === null;
        this.reportProblem();
        this.show();
        ports.onExchange(verdict, error);
      },
      onDelivered: (ids) => this.releaseStorage(ids),
      onDispatches: () => this.outbox.wake(),
      onResend: async (since) => {
        await this.letters.again(since);
        this.inbox.again(since);
      },
    });
    this.inbox = new InboxPump({
      ...ports,
      inbox: platform.inbox,
      deviceId: () => line.deviceId,
      onNews: () => {
        this.lastSmsAt = clock.now();
        this.sync.wake('news');
      },
      onReread: (since) => this.sync.reread(since),
      onProblem: () => {
        this.reportProblem();
        this.show();
      },
    });
    this.outbox = new OutboxPump({
      ...ports,
      sender: platform.sender,
      onNews: () => this.sync.wake('news'),
    });
    this.letters = new DeadLetterPump({
      ...ports,
      onNews: () => {
        this.reportProblem();
        this.sync.wake('news');
      },
    });
    this.channel = new WakeChannel({
      ...ports,
      // A successful call proves that the network works.
      onCall: () => this.sync.wake('network'),
      onLongPoll: (wanted) => this.sync.waitThere(wanted),
    });
  }

  /** Runs until `stop`, or with `once` until all is delivered or something fails. */
  async run(): Promise<SyncEnd> {
    const { platform, once, log, clock } = this.ports;
    const ignoringErrors = (error: unknown): void =>
      log.warn('the platform cannot be opened or closed', { reason: errorMessage(error) });
    void platform.surface?.open().catch(ignoringErrors);
    await this.letters.begin();
    this.reportProblem();
    // Slow health readings must not delay SMS.
    await withinTime(clock, this.readHealth(), FIRST_HEALTH_MS);
    this.reportProblem();
    try {
      return once ? await this.runOnce() : await this.runOn();
    } finally {
      this.stop();
      const closing = [platform.surface?.close(), platform.close?.()].filter((one) => one !== undefined);
      const closed = Promise.all(closing.map((one) => one.catch(ignoringErrors))).then(() => {});
      if (closing.length > 0) await withinTime(clock, closed, LAST_WORDS_MS);
    }
  }

  /** Writes the inbox to disk before the first request, so nothing is lost if the server is unreachable. */
  private async runOnce(): Promise<SyncEnd> {
    const inboxEnd = await this.inbox.run(true);
    const sending = this.outbox.run();
    const end = await this.sync.run(true);
    this.stop();
    await sending;
    if (end.kind !== 'drained' || inboxEnd !== 'fault') return end;
    return { kind: 'failed', code: 'storage_failed', reason: 'not all SMS could be taken from the inbox' };
  }

  private async runOn(): Promise<SyncEnd> {
    const companions = [
      this.inbox.run(false),
      this.outbox.run(),
      this.channel.run(),
      this.watchHealth(),
      this.letters.run(),
    ];
    const end = await this.sync.run(false);
    this.stop();
    await Promise.all(companions);
    return end;
  }

  /** Ends `run` after the request in flight; the queue stays on disk. */
  override stop(): void {
    if (this.timer.stopped) return;
    super.stop();
    this.inbox.stop();
    // A reading of the inbox may take long; its SMS are still there next time.
    this.ports.platform.inbox.close();
    this.outbox.stop();
    this.letters.stop();
    this.channel.stop();
    this.sync.stop();
  }

  /** Inbox problems first, because they affect every new SMS. */
  private problem(): string | null {
    const { platform, deadLetters } = this.ports;
    const own = [this.inbox.problem, this.damage, this.sync.problem, deadLetters.problem()];
    const all = [platform.problem?.() ?? null, ...own];
    const told = all.filter((one) => one !== null).join('; ');
    return told === '' ? null : told.slice(0, MAX_PROBLEM);
  }

  private reportProblem(): void {
    const problem = this.problem();
    if (problem === this.reportedProblem) return;
    this.reportedProblem = problem;
    this.ports.onProblem(problem);
    this.sync.wake('news');
  }

  /** A storage that cannot be emptied gives its SMS again after a restart, and the server knows them. */
  private releaseStorage(ids: readonly string[]): void {
    const { platform, log } = this.ports;
    platform.inbox.delivered?.(ids).catch((error) => {
      log.warn('SMS that the server has cannot be removed from their storage', {
        reason: errorMessage(error),
      });
    });
  }

  private show(): void {
    const { platform, queue } = this.ports;
    platform.surface?.show({
      connected: this.connected,
      waiting: queue.size,
      lastSmsAt: this.lastSmsAt,
      problem: this.problem(),
    });
  }

  private async watchHealth(): Promise<void> {
    while (!this.timer.stopped) {
      await this.timer.wait(this.ports.platform.healthEveryMs);
      if (this.timer.stopped) return;
      const before = this.health;
      await this.readHealth();
      this.reportProblem();
      const change = compareHealth(before, this.health);
      if (change === 'changed') this.sync.wake('news');
      if (change === 'network_back') this.sync.wake('network');
    }
  }

  /** Health that cannot be read is unknown; it is never a reason not to deliver. */
  private async readHealth(): Promise<void> {
    // A folder that cannot be listed tells nothing new.
    this.damage = await this.ports.readDamage().catch(() => this.damage);
    try {
      this.health = await this.ports.platform.readHealth();
    } catch (error) {
      this.ports.log.warn('the health of the phone cannot be read', { reason: errorMessage(error) });
      this.health = UNKNOWN_HEALTH;
    }
    this.ports.onHealth(this.health);
  }
}
