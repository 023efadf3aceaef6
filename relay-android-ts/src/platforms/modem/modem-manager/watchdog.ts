/**
 * Resets a modem that does not answer any more. Not often: a reset takes a minute, and breaks off what is
 * being sent.
 */
import type { Clock, Log } from '../../../core/ports.js';
import { type Answer, detailOf, type Failure, type Mmcli } from './mmcli.js';

export interface WatchdogTimes {
  /** Calls in a row without an answer, until the modem is reset. */
  readonly silences: number;
  /** Milliseconds until the next reset; doubled with each that did not help. */
  readonly gapMs: number;
  readonly maxGapMs: number;
}

const TIMES: WatchdogTimes = { silences: 3, gapMs: 300_000, maxGapMs: 3_600_000 };
/**
 * ModemManager is not restarted by the agent: this needs root, and takes all other modems away, in the midst
 * of what they send.
 */
const ADVICE = 'restart it with: systemctl restart ModemManager';

export class Watchdog {
  /** Of ModemManager, and of the modem behind it, which ModemManager answers for as long as it can. */
  private readonly silent = { hung: 0, modem_hung: 0 };
  private resets = 0;
  private nextAt = 0;

  constructor(
    private readonly mmcli: Mmcli,
    private readonly runtime: { readonly clock: Clock; readonly log: Log },
    private readonly times: WatchdogTimes = TIMES,
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
