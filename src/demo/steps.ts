/** The steps as they are done: timed, told and kept. Knows nothing of what a step does. */
import { isKashboxError, KashboxError } from '../base/errors/errors.js';

/** `$` a command, `>` what was sent, `<` what was answered, `.` a remark. */
export type Mark = '$' | '>' | '<' | '.';
export type Say = (mark: Mark, text: string) => void;

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly lines: readonly { readonly mark: Mark; readonly text: string }[];
}

export interface Audience {
  begins(number: number, title: string): void;
  ended(number: number, step: Step): void;
  /** Something is not played, and why. */
  skipped(why: string): void;
}

export class Steps {
  readonly done: Step[] = [];
  /** Why something was not played. */
  readonly skipped: string[] = [];
  /** Rejected with the reason of the signal, once there is one. */
  readonly ended: Promise<never>;

  /** @param signal aborted when the demo cannot go on. */
  constructor(
    private readonly audience: Audience,
    readonly signal: AbortSignal,
  ) {
    this.ended = new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Between two steps nobody listens; the next one does.
    this.ended.catch(() => {});
  }

  skip(why: string): void {
    this.skipped.push(why);
    this.audience.skipped(why);
  }

  /** @returns what `work` returns. @throws KashboxError */
  async run<T>(name: string, title: string, work: (say: Say) => Promise<T>): Promise<T> {
    this.audience.begins(this.done.length + 1, title);
    const lines: { mark: Mark; text: string }[] = [];
    const started = performance.now();
    const end = (ok: boolean) => {
      const step = { name, title, ok, ms: Math.round(performance.now() - started), lines };
      this.done.push(step);
      this.audience.ended(this.done.length, step);
    };
    try {
      const result = await Promise.race([this.ended, work((mark, text) => lines.push({ mark, text }))]);
      end(true);
      return result;
    } catch (error) {
      end(false);
      // What ended the demo explains a step better than the broken connection that it left there.
      throw named(this.signal.aborted ? this.signal.reason : error);
    }
  }
}

/** Ctrl-C is no failure of the demo and passes as it is. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

function named(error: unknown): unknown {
  if (isKashboxError(error) || error instanceof Interrupted) return error;
  return new KashboxError('internal', {
    cause: error,
    message: error instanceof Error ? error.message : String(error),
  });
}

/** @throws KashboxError `internal` that tells what was expected and what came. */
export function expect(holds: boolean, wanted: string, got: string): asserts holds {
  if (holds) return;
  throw new KashboxError('internal', {
    message: `Expected ${wanted}, got ${got}`,
    hint: 'Run the demo again with --once; if it fails again, report it with what it printed.',
  });
}
