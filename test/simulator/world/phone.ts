/** A relay phone: the agent's own core on ports that are simulated, with a disk that may be torn. */
import { createHmac } from 'node:crypto';
import { Agent } from '../../../relay-android-ts/src/core/agent.js';
import { DeadLetters } from '../../../relay-android-ts/src/core/inbox/dead-letters.js';
import { Queue } from '../../../relay-android-ts/src/core/inbox/queue.js';
import { Outbox } from '../../../relay-android-ts/src/core/outbox/outbox.js';
import type {
  Dispatch,
  DurableFile,
  HttpReply,
  Inbox,
  InboxRow,
  Platform,
  SendOutcome,
  ServerLine,
  StreamEnd,
} from '../../../relay-android-ts/src/core/ports.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Chance } from '../machine/chance.js';
import type { OwnTimers, Time } from '../machine/time.js';
import type { Sms } from './wallets.js';

const PAGE = 50;
/** Times that no SMS can have, as phones and modems tell them. */
const NO_TIMES = [null, '', '1970-01-01T06:00:00+06:00', '2099-01-01T00:00:00+06:00', '26-11-27'];
const SYNC_MS = 2;

/** What the phone's server is to it. */
export interface PhoneServer {
  /** @returns the answer to a sync, or why there is none. @param heard called when it has come back. */
  sync(phone: Phone, body: string, timers: OwnTimers): Promise<HttpReply>;
  events(phone: Phone, onText: (text: string) => void, timers: OwnTimers): Promise<StreamEnd>;
}

export interface PhoneParts {
  readonly time: Time;
  readonly chance: Chance;
  readonly server: PhoneServer;
  now(): number;
  /** Called when it sends an SMS over the air. */
  onAir(dispatch: Dispatch): void;
  /** Called when its inbox is told that SMS are safe, with their texts. */
  onKept(bodies: readonly string[]): void;
}

export class Phone {
  /** All that it has received. */
  readonly rows: InboxRow[] = [];
  /** Waiting SMS of the agent that runs; the others are on its disk. */
  queue: Queue | null = null;
  private readonly files = new Map<string, File>();
  private timers: OwnTimers;
  private agent: Agent | null = null;
  private lives = 0;
  /** How many of the first SMS its inbox has forgotten, because it was told that they are safe. */
  private forgotten = 0;
  private wake = () => {};

  constructor(
    readonly name: string,
    readonly deviceId: string,
    readonly deviceKey: string,
    private readonly parts: PhoneParts,
  ) {
    this.timers = parts.time.timers();
  }

  receive({ sender, body }: Sms): void {
    const key = `${this.rows.length + 1}`;
    const chance = this.parts.chance.of(`time ${key}`);
    const receivedAt = chance.is(0.03) ? chance.pick(NO_TIMES) : dhakaIso(this.parts.now());
    this.rows.push({ key, sender, body, receivedAt, simSlot: 1 });
    this.wake();
  }

  /** True where the agent has handed over all that the phone has. */
  get isDrained(): boolean {
    return this.queue !== null && this.queue.size === 0 && this.queue.cursor('sim') === `${this.rows.length}`;
  }

  async start(): Promise<void> {
    this.lives += 1;
    const timers = this.parts.time.timers();
    this.timers = timers;
    const own = this.parts.chance.of(this.lives);
    const queue = await Queue.open(this.file('queue'));
    const deadLetters = await DeadLetters.open(this.file('dead'));
    const outbox = await Outbox.open(this.file('outbox'), `journal-${this.name}-${this.lives}`, 'journal-');
    if (timers.isDead) return;
    this.queue = queue;
    const clock = {
      now: () => this.parts.now(),
      after: (ms: number, ring: () => void) => timers.after(ms, ring),
    };
    const agent = new Agent({
      queue,
      deadLetters,
      outbox,
      platform: this.platform(timers),
      line: this.line(timers),
      clock,
      random: own.part,
      log: { info: () => {}, warn: () => {} },
      appVersion: 'simulated',
      pollMs: 5_000,
      once: false,
      onExchange: () => {},
      takeRequests: async () => [],
      readDamage: async () => null,
      onProblem: () => {},
      onHealth: () => {},
    });
    this.agent = agent;
    agent.run().catch((error) => {
      if (!timers.isDead) this.parts.time.fail(error);
    });
  }

  /** The system kills the app, or the battery is empty. */
  kill(): void {
    this.timers.kill();
    this.agent = null;
    this.queue = null;
    this.wake = () => {};
    for (const file of this.files.values()) file.tear();
  }

  /** What it was given to send, and what it knows of it, is gone. */
  loseOutbox(): void {
    this.files.delete('outbox');
  }

  get isUp(): boolean {
    return this.agent !== null;
  }

  private file(name: string): File {
    const file = new File(
      this.timers,
      this.parts.chance.of(`${name} ${this.lives}`),
      this.files.get(name)?.bytes,
    );
    this.files.set(name, file);
    return file;
  }

  private platform(timers: OwnTimers): Platform {
    const { onAir, onKept, chance } = this.parts;
    const inbox: Inbox = {
      name: 'sim',
      since: async (cursor, limit) => {
        const from = Math.max(Number(cursor ?? 0), this.forgotten);
        const rows = this.rows.slice(from, from + Math.min(limit, PAGE));
        const end = from + rows.length;
        return { rows, cursor: `${end}`, next: end < this.rows.length ? 'more' : 'idle' };
      },
      kept: async ({ rows, cursor }) => {
        this.forgotten = Math.max(this.forgotten, Number(cursor));
        onKept(rows.map(({ body }) => body));
      },
      onWake: (wake) => {
        this.wake = () => void (timers.isDead || wake());
      },
      again: () => {},
      close: () => {},
    };
    const send = async (dispatch: Dispatch, tell: (outcome: SendOutcome) => void) => {
      onAir(dispatch);
      timers.after(chance.whole(50, 3_000), () => {
        tell(chance.is(0.1) ? { state: 'FAILED', error: 'no network' } : { state: 'SENT' });
      });
    };
    return {
      name: 'simulated',
      inbox,
      sender: { send, close: () => {} },
      surface: null,
      readHealth: async () => ({ battery: 80, charging: true, network: 'mobile', sims: [] }),
      healthEveryMs: 300_000,
    };
  }

  private line(timers: OwnTimers): ServerLine {
    const { server } = this.parts;
    return {
      deviceId: this.deviceId,
      sync: (body, stop) => orStopped(stop, server.sync(this, body, timers), UNREACHABLE),
      seal: (text) => createHmac('sha256', this.deviceKey).update(text).digest('hex'),
      events: (onText, stop) => orStopped(stop, server.events(this, onText, timers), CLOSED),
      renew: async () => {},
    };
  }
}

const UNREACHABLE: HttpReply = { kind: 'unreachable', reason: 'stopped' };
const CLOSED: StreamEnd = { kind: 'closed' };

/** @returns what `work` ends with, or `stopped` where the agent does not wait for it any more. */
function orStopped<T>(stop: AbortSignal, work: Promise<T>, stopped: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(stopped);
    stop.addEventListener('abort', end, { once: true });
    work.finally(() => stop.removeEventListener('abort', end)).then(resolve, reject);
  });
}

/** A file of the agent: what is being appended when the phone dies is there in part. */
class File implements DurableFile {
  bytes: Uint8Array;
  private pending: Uint8Array | null = null;

  constructor(
    private readonly timers: OwnTimers,
    private readonly chance: Chance,
    bytes: Uint8Array = new Uint8Array(),
  ) {
    this.bytes = bytes;
  }

  tear(): void {
    if (this.pending !== null) this.add(this.pending.subarray(0, this.chance.whole(0, this.pending.length)));
    this.pending = null;
  }

  private add(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }

  async read(): Promise<Uint8Array> {
    return this.bytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.pending = bytes;
    await this.synced();
    this.add(bytes);
    this.pending = null;
  }

  private synced(): Promise<void> {
    return new Promise((resolve) => void this.timers.after(SYNC_MS, resolve));
  }

  async truncate(size: number): Promise<void> {
    await this.synced();
    this.bytes = this.bytes.slice(0, size);
  }

  async replace(bytes: Uint8Array): Promise<void> {
    await this.synced();
    this.bytes = bytes;
  }

  async setAside(): Promise<string> {
    return 'beside it';
  }

  async close(): Promise<void> {}
}
