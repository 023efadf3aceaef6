/** The whole agent on ports alone: inbox to queue, queue to server, health beside them. */

import { Bell } from './bell.js';
import type { DeadLetters } from './dead-letters.js';
import { reasonOf } from './errors.js';
import { compareHealth, UNKNOWN_HEALTH } from './health.js';
import { InboxPump } from './inbox-pump.js';
import type { Line } from './line.js';
import type { Clock, Digest, HealthReading, Log, Platform, Random } from './ports.js';
import type { Queue } from './queue.js';
import { type SyncEnd, type SyncPorts, SyncPump } from './sync-pump.js';

export interface AgentPorts {
  readonly platform: Platform;
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly line: Line;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly log: Log;
  readonly appVersion: string;
  readonly pollMs: number;
  readonly once: boolean;
  readonly onExchange: SyncPorts['onExchange'];
}

export class Agent {
  readonly #ports: AgentPorts;
  readonly #sync: SyncPump;
  readonly #inbox: InboxPump;
  readonly #healthBell: Bell<'stop'>;
  #health: HealthReading = UNKNOWN_HEALTH;
  #stopping = false;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
    this.#healthBell = new Bell(ports.clock);
    this.#sync = new SyncPump({ ...ports, health: () => this.#health });
    this.#inbox = new InboxPump({
      ...ports,
      inbox: ports.platform.inbox,
      deviceId: () => ports.line.deviceId,
      onNews: () => this.#sync.wake('news'),
    });
  }

  /** Runs until `stop`, or with `once` until all is delivered or something fails. */
  async run(): Promise<SyncEnd> {
    await this.#readHealth();
    try {
      return this.#ports.once ? await this.#runOnce() : await this.#runOn();
    } finally {
      this.stop();
      this.#ports.platform.inbox.close();
    }
  }

  /** The inbox is on the disk before the server is asked: if it cannot be reached nothing is lost. */
  async #runOnce(): Promise<SyncEnd> {
    const inboxEnd = await this.#inbox.run(true);
    const end = await this.#sync.run(true);
    if (end.kind !== 'drained' || inboxEnd !== 'fault') return end;
    return { kind: 'failed', code: 'storage_failed', reason: 'not all SMS could be taken from the inbox' };
  }

  async #runOn(): Promise<SyncEnd> {
    const beside = [this.#inbox.run(false), this.#watchHealth()];
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
    this.#sync.stop();
    this.#healthBell.ring('stop');
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
