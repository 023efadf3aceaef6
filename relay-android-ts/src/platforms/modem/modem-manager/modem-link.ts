/** Finds the modem again and again, since its D-Bus object changes, and keeps it enabled. */
import type { Clock, Log } from '../../../core/ports.js';
import { detailOf, type Failure, type Mmcli } from './mmcli.js';
import { factsOf, type ModemFacts, readModems } from './modem-facts.js';
import type { Watchdog } from './watchdog.js';

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

const TIMES: LinkTimes = {
  trustMs: 30_000,
  enableLimitMs: 60_000,
  enableEveryMs: 60_000,
  scanEveryMs: 300_000,
};

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
    private readonly times: LinkTimes = TIMES,
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
    const args = ['-m', object, '-e', `--timeout=${Math.max(1, Math.floor(limitMs / 1000))}`];
    this.enabling = mmcli.run(args, limitMs).then((answer) => {
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
