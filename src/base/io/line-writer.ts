/**
 * Writes lines to a descriptor without blocking. A failed write is retried, whatever the reason: a closed
 * terminal (EIO), a full disk (ENOSPC), a closed reader (EPIPE), one that does not read (EAGAIN). Lines that
 * do not fit into memory until then are dropped; their number is reported once writing works.
 */
import { write, writeSync } from 'node:fs';

interface LineWriterOptions {
  /** Called with the first line. @returns the descriptor. */
  open(): number;
  /** Called once there is room again, with how many lines were lost; may write a line that says so. */
  onLost(count: number): void;
}

/** Characters in memory; a log that cannot be written costs lines, never the daemon's memory. */
const MAX_PENDING = 4 * 1024 * 1024;
/** Lines of one moment are written together: a write of each costs more than all else that a log does. */
const TOGETHER = 4_096;
const TOGETHER_MS = 100;
/** The most that is written at once. */
const CHUNK = 16 * 1024;
/** A pipe that is full is empty soon. */
const BUSY_RETRY_MS = 100;
const RETRY_MS = 2_000;
const CLOSE_DEADLINE_MS = 1_000;

export function createLineWriter(options: LineWriterOptions): LineWriter {
  return new LineWriter(options);
}

class LineWriter {
  private fd: number | undefined;
  private pending = '';
  /** Chunk that is being written or waits for its retry. */
  private chunk: Buffer | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lostLines = 0;
  /** Number of lost lines already reported. */
  private reportedLines = 0;
  private isClosing = false;
  private onIdle: () => void = () => {};
  private readonly atExit = () => this.lastTry();

  constructor(private readonly options: LineWriterOptions) {}

  /** @param line with its line feed. */
  write(line: string): void {
    if (this.pending.length + line.length > MAX_PENDING) {
      this.lostLines += 1;
      return;
    }
    this.pending += line;
    if (this.chunk !== null) return;
    if (this.pending.length >= TOGETHER) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), TOGETHER_MS).unref();
  }

  /** @returns number of lines dropped so far. */
  lost(): number {
    return this.lostLines;
  }

  /** Writes the remaining lines, within `CLOSE_DEADLINE_MS`. Never rejects. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (this.chunk !== null || this.pending !== '') {
      await new Promise<void>((resolve) => {
        const deadline = setTimeout(resolve, CLOSE_DEADLINE_MS);
        this.onIdle = () => {
          clearTimeout(deadline);
          resolve();
        };
        this.flush();
      });
    }
    clearTimeout(this.timer);
    process.off('exit', this.atExit);
  }

  private flush(): void {
    const isDue = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.fd === undefined) {
      this.fd = this.options.open();
      process.on('exit', this.atExit);
    }
    if (this.chunk === null) this.begin();
    // Without a timer it is being written now.
    else if (isDue) this.writeOn(this.chunk);
  }

  private begin(): void {
    if (this.pending === '') {
      this.onIdle();
      return;
    }
    // Whole lines, because a character must not be cut in two either.
    const end = this.pending.lastIndexOf('\n', CHUNK - 1) + 1 || this.pending.indexOf('\n') + 1;
    this.chunk = Buffer.from(this.pending.slice(0, end));
    this.pending = this.pending.slice(end);
    this.writeOn(this.chunk);
  }

  private writeOn(chunk: Buffer): void {
    write(this.fd ?? -1, chunk, (error, written) => {
      if (error !== null) return this.failed(error);
      if (written < chunk.length) {
        this.chunk = chunk.subarray(written);
        return this.writeOn(this.chunk);
      }
      // Before the next begins, because what it writes must not begin one, too.
      this.reportLost();
      this.chunk = null;
      this.begin();
    });
  }

  private failed({ code }: NodeJS.ErrnoException): void {
    const isBusy = code === 'EAGAIN' || code === 'EBUSY';
    // To wait for the end is to wait for a slow reader, and not for a terminal that is gone.
    if (this.isClosing && !isBusy) this.onIdle();
    else this.timer = setTimeout(() => this.flush(), isBusy ? BUSY_RETRY_MS : RETRY_MS).unref();
  }

  /** Reports lost lines after the kept, older ones, once there is space for more than the report. */
  private reportLost(): void {
    const count = this.lostLines - this.reportedLines;
    if (count === 0 || this.pending.length > MAX_PENDING - CHUNK) return;
    this.reportedLines = this.lostLines;
    this.options.onLost(count);
  }

  /** The last lines of a process that ends unexpectedly say why. */
  private lastTry(): void {
    if (this.chunk !== null || this.pending === '' || this.fd === undefined) return;
    try {
      writeSync(this.fd, this.pending);
    } catch {}
  }
}
