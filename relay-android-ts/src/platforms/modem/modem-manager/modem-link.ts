/**
 * Keeps the modem of ModemManager working: finds it again and again, since its D-Bus object changes,
 * enables it, resets it when it does not answer, and has its storage read again.
 */
import { describeFailure, type Manager, type MmcliAnswer, type MmcliFailure } from './mmcli.js';
import { loadModems, type ModemFacts, parseModemFacts } from './modem-facts.js';

/** Option `--timeout` of mmcli, which accepts only integer seconds. */
const timeoutOf = (limitMs: number): string => `--timeout=${Math.max(1, Math.floor(limitMs / 1000))}`;

/** States of ModemManager in which SMS can be sent, or the network may come any moment. */
const UP = new Set(['enabled', 'searching', 'registered', 'connecting', 'connected', 'disconnecting']);

export class ModemLink {
  private facts: ModemFacts | null = null;
  /** Last D-Bus object, for the watchdog; kept after `forget`. */
  private lastObject: string | null = null;
  private readAt = 0;
  private enableAt = 0;
  private scanAt: number | null = null;
  private enabling: Promise<void> | null = null;

  /** @param id IMEI of the modem; null for the only one there is */
  constructor(
    private readonly id: string | null,
    private readonly manager: Manager,
    private readonly watchdog: Watchdog,
  ) {}

  /** True if the modem existed and was enabled at the last reading. */
  get isUp(): boolean {
    return this.facts !== null && UP.has(this.facts.state);
  }

  /** Called after an error that may mean that the object belongs to no modem or to another one. */
  forget(): void {
    this.facts = null;
  }

  /** Cached facts if they are recent, otherwise reads them. */
  async recent(): Promise<ModemFacts | MmcliFailure> {
    const { clock, times } = this.manager;
    const isRecent = this.facts !== null && clock.now() - this.readAt < times.trustMs;
    return isRecent && this.facts !== null ? this.facts : this.read();
  }

  /** Reads like `read`, but first waits until an enabling in progress has ended. */
  async ready(): Promise<ModemFacts | MmcliFailure> {
    const read = await this.read();
    if (this.enabling === null) return read;
    await this.enabling;
    return this.read();
  }

  /** Queries ModemManager for the modem. Starts to enable a disabled modem. */
  async read(): Promise<ModemFacts | MmcliFailure> {
    const { clock, log } = this.manager;
    if (this.lastObject !== null) await this.watchdog.watch(this.lastObject);
    const found = (await this.known()) ?? (await this.search());
    this.watchdog.note('kind' in found ? found : { kind: 'answered' }, false);
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
      log.info('modem found', { model: found.model ?? 'unknown' });
    }
    if (found.state === 'disabled') void this.enable(found.path);
    return found;
  }

  /** @returns undefined if the object is unknown or does not belong to this modem */
  private async known(): Promise<ModemFacts | MmcliFailure | undefined> {
    if (this.facts === null) return undefined;
    const read = await this.manager.mmcli.read(['-m', this.facts.path]);
    if (read.kind !== 'answered') return read.kind === 'no_modem' ? undefined : read;
    const facts = parseModemFacts(read.fields);
    return facts.imei === this.facts.imei ? facts : undefined;
  }

  private async search(): Promise<ModemFacts | MmcliFailure> {
    const modems = await loadModems(this.manager.mmcli);
    if ('kind' in modems) return modems;
    if (this.id === null && modems.length > 1) return { kind: 'several' };
    const found = modems.find(({ imei }) => this.id === null || imei === this.id);
    return found ?? { kind: 'no_modem' };
  }

  private enable(object: string): Promise<void> {
    const { clock, mmcli, log, times } = this.manager;
    if (this.enabling !== null || clock.now() < this.enableAt) return Promise.resolve();
    this.enableAt = clock.now() + times.enableEveryMs;
    const limitMs = times.enableLimitMs;
    this.enabling = mmcli.run(['-m', object, '-e', timeoutOf(limitMs)], limitMs).then((answer) => {
      this.enabling = null;
      if (answer.kind === 'answered') this.readAt = this.enableAt = 0;
      else log.warn('the modem cannot be enabled', { why: describeFailure(answer) });
    });
    return this.enabling;
  }

  /**
   * Makes ModemManager scan for modems: it drops a modem that does not answer, and does not look for it again
   * while it stays plugged in.
   */
  private async scan(): Promise<void> {
    const { clock, mmcli, times } = this.manager;
    const now = clock.now();
    // A modem that has just been unplugged or reset comes back without this.
    this.scanAt ??= now + times.scanEveryMs;
    if (now < this.scanAt) return;
    this.scanAt = now + times.scanEveryMs;
    await mmcli.run(['-S']);
  }
}

/**
 * ModemManager is not restarted by the agent: this needs root, and takes all other modems away, in the midst
 * of what they send.
 */
const ADVICE = 'restart it with: systemctl restart ModemManager';

/**
 * Resets a modem that no longer answers. Resets are rare, because a reset takes a minute and interrupts SMS
 * that are being sent.
 */
export class Watchdog {
  /** Consecutive calls unanswered by ModemManager (`hung`) or by the modem behind it (`modem_hung`). */
  private readonly silent = { hung: 0, modem_hung: 0 };
  private resets = 0;
  private nextAt = 0;

  constructor(private readonly manager: Manager) {}

  /** Takes every result. `isOfModem` for calls that the modem itself must answer. */
  note(result: MmcliAnswer | MmcliFailure | { readonly kind: 'answered' }, isOfModem: boolean): void {
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
    const { silences } = this.manager.times;
    if (hung >= silences) return `ModemManager does not answer; ${ADVICE}`;
    if (modemHung < silences) return null;
    return this.resets > 0
      ? 'the modem does not answer, also after a reset: unplug it and plug it in again'
      : 'the modem does not answer';
  }

  /** Resets the modem if it is time. @param modem its D-Bus object */
  async watch(modem: string): Promise<void> {
    const { mmcli, clock, log, times } = this.manager;
    if (this.problem === null || clock.now() < this.nextAt) return;
    const gap = Math.min(times.resetGapMs * 2 ** this.resets, times.maxResetGapMs);
    this.nextAt = clock.now() + gap;
    this.resets += 1;
    log.warn('the modem does not answer and is reset', { nextInSeconds: Math.round(gap / 1000) });
    const answer = await mmcli.run(['-m', modem, '--reset']);
    if (answer.kind === 'answered') this.silent.hung = 0;
    else log.warn('the modem cannot be reset', { why: describeFailure(answer), next: ADVICE });
  }
}

/**
 * Makes ModemManager read the complete storage of the modem again, by disabling and enabling it. While
 * ModemManager 1.20 reads or deletes an SMS by AT commands, it misses others that arrive, and finds them only
 * when the modem is enabled. Without such activity none can be missed.
 */
export class Resync {
  /** Time when an SMS was last read or removed; null if none was since the last run. */
  private activeAt: number | null = null;
  private partsAreMissing = false;
  private lastAt: number;

  constructor(private readonly manager: Manager) {
    this.lastAt = manager.clock.now();
  }

  /** ModemManager has read or removed an SMS. */
  noteActivity(): void {
    this.activeAt = this.manager.clock.now();
  }

  /** An SMS lacks parts. They are looked for once, until another SMS comes. */
  notePartsMissing(): void {
    this.noteActivity();
    this.partsAreMissing = true;
  }

  get isDue(): boolean {
    const { clock, times } = this.manager;
    const now = clock.now();
    if (this.activeAt === null || now - this.activeAt < times.resyncQuietMs) return false;
    return now - this.lastAt >= (this.partsAreMissing ? times.resyncPartsGapMs : times.resyncGapMs);
  }

  /** @param modem its D-Bus object */
  async run(modem: string): Promise<void> {
    const { mmcli, log, clock, times } = this.manager;
    const limitMs = times.enableLimitMs;
    this.activeAt = null;
    this.partsAreMissing = false;
    for (const option of ['-d', '-e']) {
      const answer = await mmcli.run(['-m', modem, option, timeoutOf(limitMs)], limitMs);
      if (answer.kind === 'answered') continue;
      log.warn('the storage of the modem cannot be read again', { option, why: describeFailure(answer) });
    }
    this.lastAt = clock.now();
  }
}
