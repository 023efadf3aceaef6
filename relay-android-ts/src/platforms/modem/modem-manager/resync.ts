/**
 * Makes ModemManager read the whole storage of the modem again, by disabling and enabling it. While it reads
 * or deletes one SMS by AT commands, ModemManager 1.20 overlooks others that arrive, and finds them only when
 * the modem is enabled. Where neither was done, none can be overlooked.
 */
import type { Clock, Log } from '../../../core/ports.js';
import { detailOf, type Mmcli } from './mmcli.js';

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

const TIMES: ResyncTimes = { quietMs: 20_000, gapMs: 300_000, partsGapMs: 60_000, limitMs: 60_000 };

export class Resync {
  /** When an SMS was last read or removed; null where none was since the last time. */
  private activeAt: number | null = null;
  private partsAreMissing = false;
  private lastAt: number;

  constructor(
    private readonly parts: { readonly mmcli: Mmcli; readonly clock: Clock; readonly log: Log },
    private readonly times: ResyncTimes = TIMES,
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
    const timeout = `--timeout=${Math.max(1, Math.floor(limitMs / 1000))}`;
    this.activeAt = null;
    this.partsAreMissing = false;
    for (const option of ['-d', '-e']) {
      const answer = await mmcli.run(['-m', modem, option, timeout], limitMs);
      if (answer.kind === 'answered') continue;
      log.warn('the storage of the modem cannot be read again', { option, why: detailOf(answer) });
    }
    this.lastAt = clock.now();
  }
}
