/** What happened, in order, as one hash: two runs of one seed are the same where it is. */
import { createHash } from 'node:crypto';

export class Trace {
  private readonly hash = createHash('sha256');
  /** The last lines, for whoever looks for a fault. */
  readonly last: string[] = [];

  constructor(
    private readonly now: () => number,
    private readonly kept = 0,
  ) {}

  add(...words: readonly (string | number | null)[]): void {
    const line = `${this.now()} ${words.join(' ')}`;
    this.hash.update(`${line}\n`);
    if (this.kept === 0) return;
    this.last.push(line);
    if (this.last.length > this.kept) this.last.shift();
  }

  /** @returns 16 hex digits. Nothing can be added any more. */
  end(): string {
    return this.hash.digest('hex').slice(0, 16);
  }
}
