/** One GSM modem that gammu-smsd drives, with gammu-smsd as a child of the agent. */
import { access } from 'node:fs/promises';
import { errorMessage } from '../../../core/errors.js';
import type { Clock, Log } from '../../../core/ports.js';
import { findDeviceHolders } from '../../../ports/programs.js';
import type { Modem, ModemEvents, ModemSms, ModemState, OutgoingSms, SendResult } from '../modem.js';
import { type EndOfChild, endOrphans, GAMMU_TIMES, GammuChild, type GammuTimes } from './gammu-child.js';
import { GammuFolder, Unreadable } from './gammu-folder.js';
import { GammuLog, type Sign } from './gammu-log.js';
import { Outbox } from './outbox.js';
import { Spool } from './spool.js';
import { StuckSms } from './stuck-sms.js';

export interface GammuOptions {
  /** 1-based. */
  readonly slot: number;
  /** Path of the serial port; best one of /dev/serial/by-id, which stays the same. */
  readonly device: string;
  /** Folder for its configuration and SMS; created if it is missing, accessible only to its owner. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** PATH in which gammu-smsd, sh and coreutils are looked for. */
  readonly path: string;
  readonly times?: Partial<GammuTimes>;
}

/** Duration for which an error with a single SMS is reported if it does not occur again, ms. */
const PROBLEM_MS = 10_000;
const LOOK_AGAIN_MS = 2000;
const STARTING = 'the modem is being started';
const NO_EVENTS: ModemEvents = { onSms: () => {}, onReport: async () => {}, onHandedOver: () => {} };

/** A modem through gammu-smsd (1.42), which must be installed. Works on Linux. */
export function gammuModem(options: GammuOptions): Modem {
  return new GammuModem(options, { ...GAMMU_TIMES, ...options.times });
}

class GammuModem implements Modem {
  readonly slot: number;
  private events = NO_EVENTS;
  private readonly folder: GammuFolder;
  private readonly gammuLog = new GammuLog((sign) => this.take(sign));
  private readonly unreadable: Unreadable;
  private readonly stuck: StuckSms;
  private readonly spool: Spool;
  private readonly outbox: Outbox;
  private readonly child: GammuChild;
  private problem: string | null = STARTING;
  /** Time until which a single SMS's error is reported though the modem answers, ms since the Unix epoch. */
  private lastsUntil = 0;
  private isWorking = false;
  /** Earliest time of the next search for the program that uses the device: it scans all processes. */
  private lookAgainAt = 0;
  private stopWaiting = (): void => {};
  private isClosed = false;
  /** True when its folder exists and the leftovers of earlier runs have been processed. */
  private isSetUp = false;
  /** Reports are read one after the other. */
  private reports: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: GammuOptions,
    private readonly times: GammuTimes,
  ) {
    const { slot, device, folder, clock, log, path } = options;
    this.slot = slot;
    this.folder = new GammuFolder(folder);
    this.unreadable = new Unreadable(this.folder.of('unreadable'));
    this.stuck = new StuckSms(device, this.unreadable, { clock, log, slot });
    this.spool = new Spool(this.folder, this.unreadable, clock, log, times.joinMs);
    this.child = new GammuChild({
      config: this.folder.config,
      path,
      clock,
      times,
      prepare: () => this.prepare(),
      isThere: () => this.isThere(),
      onStart: (pid) => this.onStart(pid),
      onHang: () => this.onHang(),
      onLine: (line) => this.gammuLog.line(line),
      onEnd: (end) => this.onEnd(end),
      patience: () => (this.outbox.isBusy ? times.sendSeconds * 1000 : 0),
    });
    this.outbox = new Outbox(this.folder, () => this.child.restart(), clock, Math.random);
  }

  async open(events: ModemEvents): Promise<void> {
    this.events = events;
    this.folder.check(this.plan);
    await this.setUp().catch((error: unknown) => this.failOfFolder(error));
    this.child.start();
  }

  get isReady(): boolean {
    return this.isWorking;
  }

  list(): Promise<readonly ModemSms[]> {
    return this.spool.list();
  }

  remove(places: readonly string[]): Promise<void> {
    return this.spool.remove(places);
  }

  async send(sms: OutgoingSms): Promise<SendResult> {
    if (this.isClosed) return { kind: 'refused', error: 'nothing was sent: the agent ends' };
    if (!this.isSetUp) return { kind: 'refused', error: `nothing was sent: ${this.problem ?? STARTING}` };
    const off = this.options.clock.after(this.times.beginMs, () => this.outbox.expire());
    const handover = await this.outbox.send(sms);
    off();
    return handover;
  }

  async readState(): Promise<ModemState> {
    const { registration, sim, signal, model } = this.gammuLog;
    const works = this.isWorking && this.options.clock.now() >= this.lastsUntil;
    const problem = works ? await this.unreadable.problem() : (this.problem ?? STARTING);
    return { problem, registration, sim, signal, model, temperature: null, number: null };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.outbox.expire();
    await this.child.close();
    this.stopWaiting();
    await this.outbox.ended('the agent ends').catch(() => {});
    await this.reports;
    await this.spool.close();
  }

  private get plan() {
    return { device: this.options.device, sendSeconds: this.times.sendSeconds };
  }

  /** A full disk holds up the start, which is tried again. */
  private async setUp(): Promise<void> {
    if (this.isSetUp) return;
    await this.folder.prepare(this.plan);
    const orphans = await endOrphans(this.folder);
    if (orphans > 0) this.options.log.warn('a gammu-smsd of an earlier run was ended', { slot: this.slot });
    await this.spool.load();
    this.spool.watch(() => this.events.onSms());
    await this.outbox.tellEarlier(this.events.onHandedOver);
    await this.outbox.sweep();
    this.isSetUp = true;
  }

  /** Prepares each start of gammu, while it does not run. @returns false if it must not be started now */
  private async prepare(): Promise<boolean> {
    try {
      await this.setUp();
      await endOrphans(this.folder);
      await this.outbox.ended(this.problem);
      await this.outbox.sweep();
      await this.spool.recover();
    } catch (error) {
      this.failOfFolder(error);
      return false;
    }
    this.events.onSms();
    this.takeReports();
    const isThere = await this.isThere();
    if (isThere) await this.stuck.clear();
    // What has expired meanwhile must not be begun.
    await this.outbox.ended(this.problem).catch(() => {});
    return isThere;
  }

  private async isThere(): Promise<boolean> {
    const isThere = await access(this.options.device).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    this.isWorking = false;
    this.fail('the modem is not there');
    return false;
  }

  private failOfFolder(error: unknown): void {
    this.fail(`the folder of the modem cannot be written (${errorMessage(error).slice(0, 40)})`);
  }

  private onStart(pid: number): void {
    this.gammuLog.begin(pid);
    this.stopWaiting();
    this.stopWaiting = this.options.clock.after(this.times.answerMs, () => {
      if (this.isWorking) return;
      if (this.problem === STARTING) this.fail('the modem does not answer');
      this.nameHolder();
    });
  }

  private onHang(): void {
    this.isWorking = false;
    this.fail('the modem does not answer; gammu-smsd is being ended');
  }

  private onEnd({ isMissing, hung }: EndOfChild): void {
    this.isWorking = false;
    if (this.isClosed) return;
    if (isMissing) this.fail('gammu-smsd is not there: install the package gammu-smsd');
    else if (hung) this.fail('the modem does not answer; gammu-smsd was started again');
    else if (this.problem === null) this.fail('gammu-smsd has ended');
    this.nameHolder();
  }

  private take(sign: Sign): void {
    this.outbox.sign(sign);
    switch (sign.kind) {
      case 'polled':
        this.works();
        return;
      case 'stored':
        this.events.onSms();
        this.takeReports();
        return;
      case 'pdu':
        this.spool.remember(sign.facts);
        return;
      case 'problem':
        this.fail(sign.problem);
        if (sign.isOfSms) this.lastsUntil = this.options.clock.now() + PROBLEM_MS;
        else this.isWorking = false;
        this.nameHolder();
        return;
      case 'undecoded': {
        const isDue = this.stuck.note(sign.sms);
        this.fail(this.stuck.problem);
        this.lastsUntil = this.options.clock.now() + PROBLEM_MS;
        if (isDue && !this.outbox.isBusy) this.child.restart();
        return;
      }
      case 'gone':
        this.child.restart();
        return;
      default:
    }
  }

  private works(): void {
    this.child.answered();
    if (!this.isWorking) this.options.log.info('the modem works', { slot: this.slot });
    this.isWorking = true;
    if (this.options.clock.now() >= this.lastsUntil) this.problem = null;
  }

  private fail(problem: string): void {
    if (problem !== this.problem) this.options.log.warn(`modem: ${problem}`, { slot: this.slot });
    this.problem = problem;
  }

  /** Says which other program has the device, where one has. */
  private nameHolder(): void {
    const { device, clock } = this.options;
    if (clock.now() < this.lookAgainAt) return;
    this.lookAgainAt = clock.now() + LOOK_AGAIN_MS;
    void findDeviceHolders(device, process.pid).then(([holder]) => {
      if (holder !== undefined && !this.isWorking && !this.isClosed)
        this.fail(`another program uses the modem: ${holder.name.replace(/[^\w.-]/g, '?')}`);
    });
  }

  private takeReports(): void {
    this.reports = this.reports
      .then(() => this.spool.takeReports(this.events.onReport))
      .catch((error: unknown) => {
        this.options.log.warn('delivery reports cannot be read', { reason: errorMessage(error) });
      });
  }
}
