/** One GSM modem, driven by ModemManager through its command mmcli. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { InboxError } from '../../../core/errors.js';
import type { Clock, Log } from '../../../core/ports.js';
import type {
  DeliveryReport,
  Modem,
  ModemEvents,
  ModemSms,
  ModemState,
  OutgoingSms,
  SendResult,
} from '../modem.js';
import { type CreateSms, createSmsViaDbus } from './create-sms.js';
import { MANAGER_TIMES, type ManagerTimes, Mmcli, problemOfFailure } from './mmcli.js';
import { type ModemFacts, stateWithout, toModemState } from './modem-facts.js';
import { ModemLink, Resync, Watchdog } from './modem-link.js';
import { inboxError, SmsList } from './sms-list.js';
import { SmsSender } from './sms-sender.js';

interface ModemManagerOptions {
  /** 1-based. */
  readonly slot: number;
  /** IMEI, which stays the same at each plugging in; null for the only modem there is. */
  readonly id: string | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The PATH in which mmcli and dbus-monitor are looked for. */
  readonly path: string | undefined;
  /** Default: over the system bus. */
  readonly createSms?: CreateSms;
  readonly times?: Partial<ManagerTimes>;
}

const STEADY = new Set(['enabled', 'searching', 'registered']);

/** A modem that is driven by ModemManager. Nothing is run before `open`. */
export function modemManagerModem(options: ModemManagerOptions): Modem {
  return new ModemManagerModem(options);
}

class ModemManagerModem implements Modem {
  readonly slot: number;
  private readonly watchdog: Watchdog;
  private readonly link: ModemLink;
  private readonly sms: SmsList;
  private readonly sender: SmsSender;
  private readonly signals: SmsEvents;
  private readonly resync: Resync;
  private resyncing: Promise<void> = Promise.resolve();
  /** Number of SMS being sent. */
  private sends = 0;
  private events: ModemEvents | null = null;

  constructor(options: ModemManagerOptions) {
    const { slot, id, clock, log, path, times = {} } = options;
    const { createSms = createSmsViaDbus(process.env.DBUS_SYSTEM_BUS_ADDRESS) } = options;
    this.slot = slot;
    const mmcli = new Mmcli(path, times.callLimitMs);
    const manager = { mmcli, clock, log, times: { ...MANAGER_TIMES, ...times } };
    this.watchdog = new Watchdog(manager);
    this.link = new ModemLink(id, manager, this.watchdog);
    this.sender = new SmsSender(manager, createSms);
    this.resync = new Resync(manager);
    const onReport = async (report: DeliveryReport): Promise<void> => this.events?.onReport(report);
    this.sms = new SmsList(manager, this.resync, onReport, (object) => this.sender.uses(object));
    const onRestart = (): void => this.forget();
    this.signals = new SmsEvents({ mmcli, clock, onSms: () => this.events?.onSms(), onRestart });
  }

  async open(events: ModemEvents): Promise<void> {
    this.events = events;
    this.signals.open();
    // Not waited for: ModemManager may hang.
    void this.link.read();
  }

  get isReady(): boolean {
    return this.link.isUp && this.watchdog.problem === null;
  }

  async list(): Promise<readonly ModemSms[]> {
    const modem = await this.found();
    try {
      const stored = await this.sms.read(modem.path);
      await this.sender.followUp(modem.path, (...what) => this.events?.onHandedOver(...what));
      if (modem.isAtOnly && this.resync.isDue && !this.isSending) await this.readStorage();
      return stored;
    } catch (error) {
      this.forget();
      throw await this.explain(error);
    }
  }

  async remove(places: readonly string[]): Promise<void> {
    if (places.length === 0) return;
    await this.sms.remove((await this.found()).path, places);
  }

  async send(sms: OutgoingSms): Promise<SendResult> {
    this.sends += 1;
    try {
      return await this.sendNow(sms);
    } finally {
      this.sends -= 1;
    }
  }

  private async sendNow(sms: OutgoingSms): Promise<SendResult> {
    await this.resyncing;
    // Read now: the object may be that of another modem, and of another SIM.
    const facts = await this.link.ready();
    if ('kind' in facts) return { kind: 'refused', error: problemOfFailure(facts) };
    const { handover, answer } = await this.sender.send(facts.path, sms);
    this.watchdog.note(answer, true);
    return handover;
  }

  async readState(): Promise<ModemState> {
    await this.resyncing;
    const facts = await this.link.read();
    const problem = this.watchdog.problem;
    if ('kind' in facts) return stateWithout(problem ?? problemOfFailure(facts));
    const state = toModemState(facts);
    return { ...state, problem: problem ?? state.problem };
  }

  async close(): Promise<void> {
    this.signals.close();
    // Else the modem would stay disabled.
    await this.resyncing;
  }

  /** mmcli says that a modem is not ready, but not that its SIM wants a PIN. */
  private async explain(error: unknown): Promise<unknown> {
    const facts = await this.link.read();
    return 'kind' in facts || facts.problem === null ? error : new InboxError(facts.problem, facts.problem);
  }

  private get isSending(): boolean {
    return this.sends > 0 || this.sender.isBusy;
  }

  private async found(): Promise<ModemFacts> {
    await this.resyncing;
    const modem = await this.link.recent();
    if ('kind' in modem) throw inboxError(modem);
    return modem;
  }

  /** Reads the storage again, during which nothing is sent; skips a modem that provides the Internet. */
  private async readStorage(): Promise<void> {
    const modem = await this.link.read();
    if ('kind' in modem || !STEADY.has(modem.state) || this.isSending) return;
    this.resyncing = this.resync.run(modem.path);
    await this.resyncing;
    this.forget();
    this.events?.onSms();
  }

  private forget(): void {
    this.link.forget();
    this.sms.forget();
  }
}

const MESSAGING = 'org.freedesktop.ModemManager1.Modem.Messaging';
const RULES = [
  `type='signal',interface='${MESSAGING}'`,
  "type='signal',member='NameOwnerChanged',arg0='org.freedesktop.ModemManager1'",
];
const RETRY_MS = 60_000;

/**
 * Watches the signals of ModemManager, so that an SMS is found before the next poll. dbus-monitor prints one
 * line for each signal, without SMS texts. If it is missing or not permitted, polling remains.
 */
class SmsEvents {
  private child: ChildProcess | null = null;
  private callOff: () => void = () => {};
  private isClosed = false;

  constructor(
    private readonly parts: {
      readonly mmcli: Mmcli;
      readonly clock: Clock;
      /** The D-Bus object of a modem that has taken an SMS or a report. */
      readonly onSms: (modem: string) => void;
      /** ModemManager has ended or has begun. */
      readonly onRestart: () => void;
    },
    private readonly retryMs = RETRY_MS,
  ) {}

  open(): void {
    const file = this.parts.mmcli.find('dbus-monitor');
    if (file === undefined || this.isClosed) return;
    const child = spawn(file, ['--system', '--profile', ...RULES], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.read(line));
    let isOver = false;
    const over = (): void => {
      if (isOver || this.isClosed) return;
      isOver = true;
      this.callOff = this.parts.clock.after(this.retryMs, () => this.open());
    };
    child.on('error', over).on('close', over);
  }

  close(): void {
    this.isClosed = true;
    this.callOff();
    this.child?.kill('SIGKILL');
  }

  /** A line has: type, time, serial, sender, destination, path, interface, member. */
  private read(line: string): void {
    const [type, , , , , path = '', , member] = line.split('\t');
    if (type !== 'sig') return;
    if (member === 'Added') this.parts.onSms(path);
    if (member === 'NameOwnerChanged') this.parts.onRestart();
  }
}
