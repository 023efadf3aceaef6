/** One GSM modem, driven by ModemManager through its command mmcli. */
import type { Clock, Log } from '../../../core/ports.js';
import type {
  DeliveryReport,
  Handover,
  Modem,
  ModemEvents,
  ModemState,
  OutgoingSms,
  StoredSms,
} from '../modem.js';
import { Mmcli, problemOfFailure } from './mmcli.js';
import { stateOf, stateWithout } from './modem-facts.js';
import { type LinkTimes, ModemLink } from './modem-link.js';
import { SmsEvents } from './sms-events.js';
import { inboxError, type ListTimes, SmsList } from './sms-list.js';
import { type SenderTimes, SmsSender } from './sms-sender.js';
import { Watchdog, type WatchdogTimes } from './watchdog.js';

export interface ModemManagerOptions {
  /** 1-based. */
  readonly slot: number;
  /** IMEI, which stays the same at each plugging in; null for the only modem there is. */
  readonly id: string | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The PATH in which mmcli, busctl and dbus-monitor are looked for. */
  readonly path: string | undefined;
  readonly times?: ModemManagerTimes;
}

export interface ModemManagerTimes {
  /** Milliseconds that a call of mmcli may take. */
  readonly callLimitMs?: number;
  readonly link?: LinkTimes;
  readonly list?: ListTimes;
  readonly sender?: SenderTimes;
  readonly watchdog?: WatchdogTimes;
}

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
  private events: ModemEvents | null = null;

  constructor({ slot, id, clock, log, path, times = {} }: ModemManagerOptions) {
    this.slot = slot;
    const mmcli = new Mmcli(path, times.callLimitMs);
    this.watchdog = new Watchdog(mmcli, { clock, log }, times.watchdog);
    this.link = new ModemLink(id, { mmcli, watchdog: this.watchdog, clock, log }, times.link);
    this.sender = new SmsSender({ mmcli, clock, log }, times.sender);
    const onReport = (report: DeliveryReport): void => this.events?.onReport(report);
    const isUsed = (object: string): boolean => this.sender.uses(object);
    this.sms = new SmsList({ mmcli, clock, log, onReport, isUsed }, times.list);
    const onRestart = (): void => this.forget();
    this.signals = new SmsEvents({ mmcli, clock, onSms: () => this.events?.onSms(), onRestart });
  }

  async open(events: ModemEvents): Promise<void> {
    this.events = events;
    this.signals.open();
    await this.link.read();
  }

  async list(): Promise<readonly StoredSms[]> {
    const modem = await this.link.object();
    if (typeof modem !== 'string') throw inboxError(modem);
    try {
      const stored = await this.sms.read(modem);
      await this.sender.followUp(modem, (id, handover) => this.events?.onHandedOver(id, handover));
      return stored;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  async remove(places: readonly string[]): Promise<void> {
    if (places.length === 0) return;
    const modem = await this.link.object();
    if (typeof modem !== 'string') throw inboxError(modem);
    await this.sms.remove(modem, places);
  }

  async send(sms: OutgoingSms): Promise<Handover> {
    // Read now: the object may be that of another modem, and of another SIM.
    const facts = await this.link.read();
    if ('kind' in facts) return { kind: 'refused', error: problemOfFailure(facts) };
    const { handover, answer } = await this.sender.send(facts.path, sms);
    this.watchdog.note(answer, true);
    return handover;
  }

  async readState(): Promise<ModemState> {
    const facts = await this.link.read();
    const problem = this.watchdog.problem;
    if ('kind' in facts) return stateWithout(problem ?? problemOfFailure(facts));
    const state = stateOf(facts);
    return { ...state, problem: problem ?? state.problem };
  }

  async close(): Promise<void> {
    this.signals.close();
    await this.link.close();
  }

  private forget(): void {
    this.link.forget();
    this.sms.forget();
  }
}
