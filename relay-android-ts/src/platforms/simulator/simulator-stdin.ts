/**
 * An inbox that is a stream of lines: each line is one SMS as JSON, and is answered with a line of its
 * own once it is on the disk. A feeder that was cut off sends again what was not answered; with the same
 * `received_at` an SMS gets the same id and is stored once.
 */
import type { Readable, Writable } from 'node:stream';
import type { Inbox, InboxPage, InboxRow, Log } from '../../core/ports.js';
import { parseJson } from '../../core/shape.js';
import { parseSms } from './sms-json.js';

const MAX_LINE_CHARS = 64 * 1024;
/** Above this many unsaved lines, reading pauses. */
const MAX_WAITING = 1_000;

/** A parsed line: an SMS, or the reason why it is invalid. Answers keep the order of lines. */
type Line = { readonly row: InboxRow } | { readonly refused: string };

export class StdinInbox implements Inbox {
  readonly name = 'stdin';
  private lines: Line[] = [];
  private inHand: Line[] = [];
  private ended = false;
  private wake: () => void = () => {};

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly now: () => number,
    private readonly log: Log,
  ) {
    // SMS are kept even if the feeder no longer reads answers.
    output.on('error', () => {});
    this.read();
  }

  /** After a failed write the same lines come again, since nobody else has them. */
  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    if (this.inHand.length === 0) {
      this.inHand = this.lines.splice(0, limit);
      if (this.lines.length < MAX_WAITING) this.input.resume();
    }
    const rows = this.inHand.flatMap((line) => ('row' in line ? [line.row] : []));
    if (this.inHand.length > 0) return { rows, cursor, next: 'more' };
    return { rows, cursor, next: this.ended ? 'ended' : 'idle' };
  }

  async kept(_page: InboxPage, ids: readonly string[]): Promise<void> {
    let at = 0;
    const answers = this.inHand.map((line) =>
      JSON.stringify('row' in line ? { queued: ids[at++] } : { refused: line.refused }),
    );
    this.inHand = [];
    if (answers.length > 0) this.output.write(`${answers.join('\n')}\n`);
  }

  onWake(wake: () => void): void {
    this.wake = wake;
  }

  /** What was read is with the feeder, and nowhere else. */
  again(): void {}

  close(): void {
    this.input.destroy();
  }

  private read(): void {
    const decoder = new TextDecoder();
    let rest = '';
    let tooLong = false;
    this.input.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.accept(tooLong ? undefined : line);
        tooLong = false;
      }
      if (rest.length > MAX_LINE_CHARS) {
        tooLong = true;
        rest = '';
      }
      if (this.lines.length >= MAX_WAITING) this.input.pause();
      this.wake();
    });
    this.input.on('end', () => this.finish(tooLong ? undefined : rest));
    this.input.on('error', () => this.finish(''));
  }

  /** Undefined stands for a line that was too long to keep. */
  private accept(line: string | undefined): void {
    if (line?.trim() === '') return;
    if (line === undefined || line.length > MAX_LINE_CHARS) {
      this.lines.push({ refused: `a line is longer than ${MAX_LINE_CHARS} characters` });
      return;
    }
    const parsed = parseSms(parseJson(line), this.name, this.now());
    if (parsed.kind === 'sms' && parsed.timeFault)
      this.log.warn('received_at is unusable; the SMS has no time, and a person decides');
    this.lines.push(parsed.kind === 'sms' ? { row: parsed.row } : { refused: parsed.reason });
  }

  private finish(rest: string | undefined): void {
    this.accept(rest);
    this.ended = true;
    this.wake();
  }
}
