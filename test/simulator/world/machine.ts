/** The machine of the shop: its disk, its clock, and the daemons that run on it, each with its loops. */
import { startAlerter } from '../../../daemon/loops/alerter.js';
import { startChainExtender } from '../../../daemon/loops/chain-extender.js';
import { followClock } from '../../../daemon/loops/clock-watch.js';
import { startJobs, type Timetable } from '../../../daemon/loops/jobs.js';
import { createLoop } from '../../../daemon/loops/loop.js';
import { createNotifier } from '../../../daemon/loops/notifier.js';
import { startRechecker } from '../../../daemon/loops/rechecker.js';
import { type Core, createCore } from '../../../src/actions/core/core.js';
import type { OpenedKey } from '../../../src/actions/core/sealing.js';
import type { Log } from '../../../src/base/io/log.js';
import { createSecretBox } from '../../../src/base/io/secret.js';
import { dhakaMs } from '../../../src/base/values/clock.js';
import { createChainReader } from '../../../src/channels/bep20/reader.js';
import { createSmsEngine, type SmsEngine } from '../../../src/channels/mfs/index.js';
import type { Home } from '../../../src/config/home.js';
import { parseSettings } from '../../../src/config/settings.js';
import type { NotificationSender } from '../../../src/notify/send.js';
import { nameDiskError } from '../../../src/store/driver-errors.js';
import { openSqlite } from '../../../src/store/sqlite.js';
import type { SqliteDisk } from '../../../src/store/sqlite-driver.js';
import { refuseWhileHeld } from '../../../src/store/write-health.js';
import type { Disk } from '../disk/disk.js';
import { openSimulated } from '../disk/driver.js';
import { Process } from '../disk/process.js';
import type { Chance } from '../machine/chance.js';
import type { OwnTimers, Time } from '../machine/time.js';
import type { Chain } from './chain.js';

export const STORE_FILE = 'kashbox.db';
/** When simulated time begins, milliseconds since the epoch. */
export const START = dhakaMs(2026, 8, 21, 9, 30, 0);
const DAY_MS = 86_400_000;
const RESTART_MS = 2_000;

const home: Home = {
  folder: '/',
  storeFile: STORE_FILE,
  tlsFolder: '/tls',
  formatsFolder: '/formats',
  settings: {},
};
const settings = parseSettings({}, { KASHBOX_AGREEING_NODES: '2' }, {});
const engine: Promise<SmsEngine> = Promise.resolve(createSmsEngine([]));

/** Says nothing: the log decides nothing. */
export const SILENT = new Proxy({} as Log, { get: () => () => {} });

export interface MachineParts {
  readonly time: Time;
  readonly disk: Disk;
  readonly chance: Chance;
  readonly chain: Chain | null;
  /** Posts a notification for a daemon. */
  readonly post: (daemon: string) => NotificationSender['send'];
}

export class Machine {
  /** Milliseconds by which its clock is wrong. */
  wrongBy = 0;
  readonly daemons: Daemon[] = [];
  private readonly readers = new Set<Process>();

  constructor(readonly parts: MachineParts) {}

  now(): number {
    return START + this.parts.time.now + this.wrongBy;
  }

  add(name: string, skewMs: number): Daemon {
    const daemon = new Daemon(this, name, skewMs);
    this.daemons.push(daemon);
    return daemon;
  }

  /** A process that is no daemon, such as a backup, reads the store for so long. */
  readFor(ms: number): void {
    const reader = new Process();
    this.readers.add(reader);
    try {
      const raw = openSimulated(this.parts.disk, reader, STORE_FILE);
      raw.exec('BEGIN');
      raw.prepare('SELECT count(*) FROM sessions').get();
    } catch {
      // The disk fails at this very moment: it ends at once.
      this.end(reader);
      return;
    }
    this.parts.time.timers().after(ms, () => this.end(reader));
  }

  private end(reader: Process): void {
    this.readers.delete(reader);
    reader.kill();
    // Not at once: it may be SQLite itself in whose midst the power goes.
    this.parts.time.timers().after(0, () => reader.dispose());
  }

  /** All daemons end at once; `restartMs` later they begin again. */
  crash({
    hasPower,
    restartMs = RESTART_MS,
  }: {
    readonly hasPower: boolean;
    readonly restartMs?: number;
  }): void {
    for (const daemon of this.daemons) daemon.kill();
    if (!hasPower) {
      for (const reader of this.readers) this.end(reader);
      this.parts.disk.cutPower();
    }
    for (const daemon of this.daemons) daemon.startLater(restartMs);
  }
}

/** One process of Kashbox. */
export class Daemon {
  private process = new Process();
  private timers: OwnTimers;
  private core: Core | null = null;
  private lives = 0;

  constructor(
    private readonly machine: Machine,
    readonly name: string,
    private readonly skewMs: number,
  ) {
    this.timers = machine.parts.time.timers();
    this.timers.kill();
  }

  get isUp(): boolean {
    return this.core !== null && !this.timers.isDead;
  }

  startLater(ms: number): void {
    this.machine.parts.time.timers().after(ms, () => {
      if (!this.timers.isDead) return;
      this.start().catch((error) => {
        if (!(error instanceof Stillborn)) this.machine.parts.time.fail(error);
      });
    });
  }

  /** Begins a new life, with its loops unless told otherwise. */
  async start({ hasLoops = true } = {}): Promise<void> {
    const { time, disk, chance, chain, post } = this.machine.parts;
    this.lives += 1;
    const process = new Process();
    const timers = time.timers();
    this.process = process;
    this.timers = timers;
    const own = chance.of(`${this.name} ${this.lives}`);
    const clock = { now: () => Math.floor(this.machine.now() + this.skewMs) };
    const store = await openSqlite(STORE_FILE, {
      now: clock.now(),
      timers,
      disk: simulated(disk, process),
      onDamage: () => this.restart(),
    }).catch((error) => {
      // The disk fails at this very moment, as systemd would see: it is tried again.
      this.restart();
      throw new Stillborn(error);
    });
    const core = createCore({
      store,
      settings,
      home,
      clock,
      timers,
      random: own.bytes,
      key: KEY,
      outside: {
        chain: async () =>
          createChainReader({
            now: clock.now,
            steadyMs: timers.steadyMs,
            confirmations: settings.chainConfirmations,
            agreeing: settings.agreeingNodes,
            ask: (node, chainId, hashes, limits) => {
              if (chain === null) throw new Error('there is no chain');
              return chain.ask(timers, node, chainId, hashes, limits);
            },
          }),
        exchange: () => Promise.reject(new Error('there is no exchange')),
        tallies: () => [],
      },
      engine: () => engine,
    });
    this.core = core;
    // What writes no money runs in one of them.
    const isFirst = this === this.machine.daemons[0];
    if (hasLoops) startLoops(core, { send: this.guard(timers, post(this.name)) }, isFirst);
  }

  /** A process that has been killed hears no answer any more. */
  private guard(timers: OwnTimers, send: NotificationSender['send']): NotificationSender['send'] {
    return (letter) =>
      timers.isDead ? never() : send(letter).then((result) => (timers.isDead ? never() : result));
  }

  /** Does a request; never ends where the process does. @throws Down, and what `work` throws */
  async serve<T>(work: (core: Core) => Promise<T>): Promise<T> {
    const { core, timers } = this;
    if (core === null || timers.isDead) throw new Down();
    try {
      // As every route of the daemon does.
      refuseWhileHeld(core.store);
      const result = await work(core);
      return timers.isDead ? await never() : result;
    } catch (error) {
      if (timers.isDead) return never();
      throw error;
    }
  }

  /** Ends it as it should be, for what reads the disk afterwards. */
  async close(): Promise<void> {
    await this.core?.close();
    this.kill();
  }

  kill(): void {
    const { process } = this;
    this.timers.kill();
    process.kill();
    this.core = null;
    // Not at once: it may be SQLite itself in whose midst the process dies.
    this.machine.parts.time.timers().after(0, () => process.dispose());
  }

  private restart(): void {
    this.kill();
    this.startLater(RESTART_MS);
  }
}

export class Down extends Error {}
class Stillborn extends Error {
  constructor(cause: unknown) {
    super('the store did not open', { cause });
  }
}

const never = () => new Promise<never>(() => {});

function simulated(disk: Disk, process: Process): SqliteDisk {
  return {
    open: (file) => {
      if (!disk.exists(file)) {
        disk.create(file);
        disk.syncFolder();
      }
      return openSimulated(disk, process, file);
    },
    identity: () => ({ file: '', log: '' }),
    rewriteLog: (file) => {
      const log = `${file}-wal`;
      if (process.isDead || !disk.exists(log)) return;
      try {
        const bytes = new Uint8Array(disk.size(log));
        disk.read(log, 0, bytes);
        disk.write(log, 0, bytes);
        // Who kills the process in the middle of it ends it here.
        if (!process.isDead) disk.sync(log);
      } catch (error) {
        throw nameDiskError(error);
      }
    },
  };
}

const KEY: OpenedKey = {
  secrets: createSecretBox(Buffer.alloc(32, 7), (size) => Buffer.alloc(size, 9)),
  problem: null,
};

/** As `runDaemon` starts them, without what needs a real disk: the backup. */
function startLoops(core: Core, sender: NotificationSender, isFirst: boolean): void {
  const records = { record: () => {}, all: () => [], close: async () => {} };
  createNotifier(core, SILENT, { sender, records }).start();
  startRechecker(core, SILENT, records);
  if (isFirst) startAlerter(core, SILENT, { alertSender: { send: () => never() } as never, records });
  const timetable: Timetable = (name, when, run) => {
    const pauseMs =
      name === 'make-backup' ? Number.POSITIVE_INFINITY : 'everyMs' in when ? when.everyMs : DAY_MS;
    const loop = createLoop({ run, pauseMs, timers: core.timers });
    loop.start();
    return loop;
  };
  const jobs = startJobs(core, SILENT, records, timetable);
  if (isFirst) startChainExtender(core, SILENT, records);
  followClock(core, SILENT, { clockWasSet: () => jobs.clockWasSet(), catchUp: async () => {} });
}
