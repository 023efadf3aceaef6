/**
 * Sends SMS through `termux-sms-send`, which reports no result. Android adds each SMS of an app like
 * Termux:API to the phone's list, as sent or failed (AOSP, SMSDispatcher): that row is the only proof.
 * Without it the result is `UNKNOWN`. There are no delivery reports.
 */

import { errorMessage } from '../../core/errors.js';
import type { Clock, Dispatch, Sender, SendOutcome } from '../../core/ports.js';
import { explain, type TermuxCalls } from './termux-calls.js';
import { listSms, newestSms, type TermuxRow } from './termux-list.js';

const PROGRAM = 'termux-sms-send';
/** The script passes the number on unquoted, so it must be nothing but a number. */
const NUMBER = /^\+?[0-9*#]{3,20}$/;
const PROOF_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
const ROWS = 50;
/** Numbers are compared by their last digits, because the country code may be missing. */
const TAIL_DIGITS = 10;

interface PendingSend {
  readonly dispatch: Dispatch;
  /** The newest row before it was sent. */
  readonly after: number;
  readonly until: number;
  readonly tell: (outcome: SendOutcome) => void;
}

export class TermuxSender implements Sender {
  private watched: PendingSend[] = [];
  /** Rows already used as proof of another SMS. */
  private readonly used = new Set<number>();
  private cancelLook: (() => void) | null = null;
  private closed = false;

  constructor(
    private readonly calls: TermuxCalls,
    private readonly clock: Clock,
  ) {}

  async send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void> {
    const refuse = (error: string): void => tell({ state: 'FAILED', error });
    const { number, message, simSlot } = dispatch;
    if (!NUMBER.test(number)) return refuse('this is no number that the phone can send to');
    // Termux:API takes the spaces off both ends and then would wait for a text.
    if (message.trim() === '') return refuse('there is no text');
    let after: number;
    try {
      after = (await newestSms(this.calls, 'all'))?.id ?? 0;
    } catch (error) {
      return refuse(`nothing was sent: ${errorMessage(error)}`);
    }
    const slot = simSlot === null ? [] : ['-s', String(simSlot - 1)];
    const args = ['-n', number, ...slot];
    const result = await this.calls.run({ program: PROGRAM, args, input: message, urgent: true });
    if (result.kind === 'missing' || result.kind === 'refused') return refuse(explain(PROGRAM, result));
    // A failed call may still have reached the phone.
    this.watch({ dispatch, after, until: this.clock.now() + PROOF_MS, tell });
  }

  close(): void {
    this.closed = true;
    this.cancelLook?.();
    this.watched = [];
  }

  private watch(watched: PendingSend): void {
    this.watched.push(watched);
    if (this.watched.length === 1) void this.look();
  }

  private async look(): Promise<void> {
    const after = Math.min(...this.watched.map((one) => one.after));
    const where = `_id > ${after} and creator = 'com.termux.api'`;
    const listed = await listSms(this.calls, { type: 'all', where, limit: ROWS }).catch(() => undefined);
    for (const row of listed?.rows ?? []) this.prove(row);
    const now = this.clock.now();
    for (const { tell } of this.watched.filter((one) => one.until <= now)) {
      tell({ state: 'UNKNOWN', error: 'it does not stand in the list of sent SMS of the phone' });
    }
    this.watched = this.watched.filter((one) => one.until > now);
    if (this.watched.length === 0) this.used.clear();
    else if (!this.closed) this.cancelLook = this.clock.after(LOOK_EVERY_MS, () => void this.look());
  }

  private prove(row: TermuxRow): void {
    const outcome = outcomeOf(row);
    if (outcome === undefined || this.used.has(row.id)) return;
    const proved = this.watched.find((one) => isOf(row, one));
    if (proved === undefined) return;
    this.used.add(row.id);
    this.watched = this.watched.filter((one) => one !== proved);
    proved.tell(outcome);
  }
}

/** @returns undefined while the SMS is still being sent */
function outcomeOf(row: TermuxRow): SendOutcome | undefined {
  if (row.type === 'sent') return { state: 'SENT' };
  if (row.type === 'failed') return { state: 'FAILED', error: 'the phone could not send it' };
  return undefined;
}

function isOf(row: TermuxRow, { dispatch, after }: PendingSend): boolean {
  const sameNumber = tail(row.address) === tail(dispatch.number);
  return row.id > after && sameNumber && row.body.trim() === dispatch.message.trim();
}

function tail(number: string): string {
  return number.replace(/[^0-9*#]/g, '').slice(-TAIL_DIGITS);
}
