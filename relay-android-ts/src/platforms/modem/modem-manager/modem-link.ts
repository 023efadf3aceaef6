/**
 * Keeps the modem of ModemManager working: finds it again and again, since its D-Bus object changes,
 * enables it, resets it when it does not answer, and has its storage read again.
 */
import type { Clock, Log } from '../../../core/ports.js';
import { type Answer, detailOf, type Failure, type Mmcli } from './mmcli.js';
import { factsOf, type ModemFacts, readModems } from './modem-facts.js';

export interface LinkTimes {
  /** How long the object of a modem is believed to be that of the same modem. */
  readonly trustMs: number;
  /** What enabling may take. */
  readonly enableLimitMs: number;
  /** Between two tries to enable it, after one that has failed. */
  readonly enableEveryMs: number;
  /** Between two searches of ModemManager for modems, while this one is missing. */
  readonly scanEveryMs: number;
}

const LINK_TIMES: LinkTimes = {
  trustMs: 30_000,
  enableLimitMs: 60_000,
  enableEveryMs: 60_000,
  scanEveryMs: 300_000,
};

/** mmcli counts in whole seconds. */
const timeoutOf = (limitMs: number): string => `--timeout=${Math.max(1, Math.floor(limitMs / 1000))}`;

/** States of ModemManager in which SMS can be sent, or the network may come any moment. */
const UP = new Set(['enabled', 'searching', 'registered', 'connecting', 'connected', 'disconnecting']);

export class ModemLink {
  private facts: ModemFacts | null = null;
  /** For the watchdog, also where nothing else of the modem is known any more. */
  private lastObject: string | null = null;
  private readAt = 0;
  private enableAt = 0;
  private scanAt: number | null = null;
  private enabling: Promise<void> | null = null;

  /** @param id IMEI of the modem; null for the only one there is */
  constructor(
    private readonly id: string | null,
    private readonly parts: {
      readonly mmcli: Mmcli;
      readonly watchdog: Watchdog;
      readonly clock: Clock;
      readonly log: Log;
    },
    private readonly times: LinkTimes = LINK_TIMES,
  ) {}

  /** Whether it was there and enabled when it was last read. */
  get isUp(): boolean {
    return this.facts !== null && UP.has(this.facts.state);
  }

  /** After an error by which the object may be that of no modem, or of another one. */
  forget(): void {
    this.facts = null;
  }

  /** The modem as it was told some time ago, or is now. */
  async recent(): Promise<ModemFacts | Failure> {
    const { clock } = this.parts;
    const isRecent = this.facts !== null && clock.now() - this.readAt < this.times.trustMs;
    return isRecent && this.facts !== null ? this.facts : this.read();
  }

  /** As `read`, but when enabling it, if that is under way, has ended. */
  async ready(): Promise<ModemFacts | Failure> {
    const read = await this.read();
    if (this.enabling === null) return read;
    await this.enabling;
    return this.read();
  }

  /** What ModemManager tells of the modem now. A disabled modem begins to be enabled. */
  async read(): Promise<ModemFacts | Failure> {
    const { clock, watchdog } = this.parts;
    if (this.lastObject !== null) await watchdog.watch(this.lastObject);
    const found = (await this.known()) ?? (await this.search());
    watchdog.note('kind' in found ? found : { kind: 'answered' }, false);
    if ('kind' in found) {
      this.facts = null;
      if (found.kind === 'no_modem') void this.scan();
      return found;
    }
    this.facts = found;
    this.readAt = clock.now();
    this.scanAt = null;
    if (this.lastObject !== found.path) {
      this.lastObject = found.path;
      this.enableAt = 0;
      this.parts.log.info('modem found', { model: found.model ?? 'unknown' });
    }
    if (found.state === 'disabled') void this.enable(found.path);
    return found;
  }

  /** Undefined where the object is not known, or is not that of this modem. */
  private async known(): Promise<ModemFacts | Failure | undefined> {
    if (this.facts === null) return undefined;
    const read = await this.parts.mmcli.read(['-m', this.facts.path]);
    if (read.kind !== 'answered') return read.kind === 'no_modem' ? undefined : read;
    const facts = factsOf(read.fields);
    return facts.imei === this.facts.imei ? facts : undefined;
  }

  private async search(): Promise<ModemFacts | Failure> {
    const modems = await readModems(this.parts.mmcli);
    if ('kind' in modems) return modems;
    if (this.id === null && modems.length > 1) return { kind: 'several' };
    const found = modems.find(({ imei }) => this.id === null || imei === this.id);
    return found ?? { kind: 'no_modem' };
  }

  private enable(object: string): Promise<void> {
    const { clock, mmcli, log } = this.parts;
    if (this.enabling !== null || clock.now() < this.enableAt) return Promise.resolve();
    this.enableAt = clock.now() + this.times.enableEveryMs;
    const limitMs = this.times.enableLimitMs;
    this.enabling = mmcli.run(['-m', object, '-e', timeoutOf(limitMs)], limitMs).then((answer) => {
      this.enabling = null;
      if (answer.kind === 'answered') this.readAt = this.enableAt = 0;
      else log.warn('the modem cannot be enabled', { why: detailOf(answer) });
    });
    return this.enabling;
  }

  /**
   * ModemManager drops a modem that does not answer, and does not look for it again by itself while it stays
   * plugged in.
   */
  private async scan(): Promise<void> {
    const { clock, mmcli } = this.parts;
    const now = clock.now();
    // A modem that has just been unplugged or reset comes back without this.
    this.scanAt ??= now + this.times.scanEveryMs;
    if (now < this.scanAt) return;
    this.scanAt = now + this.times.scanEveryMs;
    await mmcli.run(['-S']);
  }
}

export interface WatchdogTimes {
  /** Calls in a row without an answer, until the modem is reset. */
  readonly silences: number;
  /** Milliseconds until the next reset; doubled with each that did not help. */
  readonly gapMs: number;
  readonly maxGapMs: number;
}

const WATCHDOG_TIMES: WatchdogTimes = { silences: 3, gapMs: 300_000, maxGapMs: 3_600_000 };
/**
 * ModemManager is not restarted by the agent: this needs root, and takes all other modems away, in the midst
 * of what they send.
 */
const ADVICE = 'restart it with: systemctl restart ModemManager';

/**
 * Resets a modem that does not answer any more. Not often: a reset takes a minute, and breaks off what is
 * being sent.
 */
export class Watchdog {
  /** Of ModemManager, and of the modem behind it, which ModemManager answers for as long as it can. */
  private readonly silent = { hung: 0, modem_hung: 0 };
  private resets = 0;
  private nextAt = 0;

  constructor(
    private readonly mmcli: Mmcli,
    private readonly runtime: { readonly clock: Clock; readonly log: Log },
    private readonly times: WatchdogTimes = WATCHDOG_TIMES,
  ) {}

  /** Takes every result. `isOfModem` for calls that the modem itself must answer. */
  note(result: Answer | Failure | { readonly kind: 'answered' }, isOfModem: boolean): void {
    if (result.kind === 'hung' || result.kind === 'modem_hung') {
      this.silent[result.kind] += 1;
      return;
    }
    if (result.kind !== 'answered') return;
    this.silent.hung = 0;
    if (!isOfModem) return;
    this.silent.modem_hung = 0;
    this.resets = 0;
  }

  /** One line, or null. */
  get problem(): string | null {
    const { hung, modem_hung: modemHung } = this.silent;
    if (hung >= this.times.silences) return `ModemManager does not answer; ${ADVICE}`;
    if (modemHung < this.times.silences) return null;
    return this.resets > 0
      ? 'the modem does not answer, also after a reset: unplug it and plug it in again'
      : 'the modem does not answer';
  }

  /** Resets the modem if it is time. @param modem its D-Bus object */
  async watch(modem: string): Promise<void> {
    const { clock, log } = this.runtime;
    if (this.problem === null || clock.now() < this.nextAt) return;
    const gap = Math.min(this.times.gapMs * 2 ** this.resets, this.times.maxGapMs);
    this.nextAt = clock.now() + gap;
    this.resets += 1;
    log.warn('the modem does not answer and is reset', { nextInSeconds: Math.round(gap / 1000) });
    const answer = await this.mmcli.run(['-m', modem, '--reset']);
    if (answer.kind === 'answered') this.silent.hung = 0;
    else log.warn('the modem cannot be reset', { why: detailOf(answer), next: ADVICE });
  }
}

export interface ResyncTimes {
  /** How long no SMS must have come or been removed. */
  readonly quietMs: number;
  /** Between two of them. */
  readonly gapMs: number;
  /** Between two of them while parts of an SMS are missing, which may have been overlooked. */
  readonly partsGapMs: number;
  /** What disabling or enabling may take. */
  readonly limitMs: number;
}

const RESYNC_TIMES: ResyncTimes = { quietMs: 20_000, gapMs: 300_000, partsGapMs: 60_000, limitMs: 60_000 };

/**
 * Makes ModemManager read the whole storage of the modem again, by disabling and enabling it. While it reads
 * or deletes one SMS by AT commands, ModemManager 1.20 overlooks others that arrive, and finds them only when
 * the modem is enabled. Where neither was done, none can be overlooked.
 */
export class Resync {
  /** When an SMS was last read or removed; null where none was since the last time. */
  private activeAt: number | null = null;
  private partsAreMissing = false;
  private lastAt: number;

  constructor(
    private readonly parts: { readonly mmcli: Mmcli; readonly clock: Clock; readonly log: Log },
    private readonly times: ResyncTimes = RESYNC_TIMES,
  ) {
    this.lastAt = parts.clock.now();
  }

  /** ModemManager has read or removed an SMS. */
  noteActivity(): void {
    this.activeAt = this.parts.clock.now();
  }

  /** An SMS lacks parts. They are looked for once, until another SMS comes. */
  notePartsMissing(): void {
    this.noteActivity();
    this.partsAreMissing = true;
  }

  get isDue(): boolean {
    const { quietMs, gapMs, partsGapMs } = this.times;
    const now = this.parts.clock.now();
    if (this.activeAt === null || now - this.activeAt < quietMs) return false;
    return now - this.lastAt >= (this.partsAreMissing ? partsGapMs : gapMs);
  }

  /** @param modem its D-Bus object */
  async run(modem: string): Promise<void> {
    const { mmcli, log, clock } = this.parts;
    const { limitMs } = this.times;
    this.activeAt = null;
    this.partsAreMissing = false;
    for (const option of ['-d', '-e']) {
      const answer = await mmcli.run(['-m', modem, option, timeoutOf(limitMs)], limitMs);
      if (answer.kind === 'answered') continue;
      log.warn('the storage of the modem cannot be read again', { option, why: detailOf(answer) });
    }
    this.lastAt = clock.now();
  }
}
