/** What a question of the benchmark answers, and what a run hands to it. */

/** One measured number, what it was held against, and what is asked of it. */
export interface Figure {
  /** "create", "verify hit: p99 to p50" … */
  readonly name: string;
  readonly value: number;
  /** Behind the number: "of the baseline", "× p50", "µs" … */
  readonly unit: string;
  /** The least or the most that is good enough; absent where a number is only told. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The absolute numbers behind the value, of this machine and this minute. */
  readonly detail: string;
}

export interface Run {
  /** Fewer rounds and rows: to see that everything works, not to believe the numbers. */
  readonly quick: boolean;
  /** An empty folder that is removed at the end. */
  folder(name: string): string;
  /** Done at the end, also after an error, last registered first. */
  atEnd(cleanUp: () => unknown): void;
  /** One line of progress. */
  say(line: string): void;
}

export interface Question {
  /** The word that chooses it on the command line. */
  readonly word: string;
  readonly title: string;
  /** What is measured and against what, for the page. */
  readonly about: string;
  answer(run: Run): Promise<readonly Figure[]>;
}

export function holds(figure: Figure): boolean {
  return figure.value >= (figure.atLeast ?? -Infinity) && figure.value <= (figure.atMost ?? Infinity);
}
