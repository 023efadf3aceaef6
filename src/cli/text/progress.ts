/** Shows progress on a terminal: an amount done, or only a spinner. The line is cleared at the end. */

/** Delay before the first line; shorter work shows no progress. */
const FIRST_MS = 1_000;
const NEXT_MS = 200;
const MIB = 1_048_576;
/** A sign that moves, one after the other. */
export const FRAMES = ['|', '/', '-', '\\'];
/** Escape sequence that moves to the beginning of the line and clears it. */
export const CLEARED = `\r${String.fromCharCode(27)}[K`;

type ProgressOutput = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

interface Progress {
  onBytes(done: number, total: number | null): void;
  onRows(done: number, total: number | null): void;
  end(): void;
}

/** @param what description of the work, for the progress line. @param nowMs monotonic clock, ms. */
export function progressOn(output: ProgressOutput, what: string, nowMs: () => number): Progress {
  let dueMs = nowMs() + FIRST_MS;
  let isShown = false;
  const tellIn = (textOf: (done: number) => string) => (done: number, total: number | null) => {
    if (output.isTTY !== true || nowMs() < dueMs) return;
    dueMs = nowMs() + NEXT_MS;
    isShown = true;
    const part = total === null || total === 0 ? '' : `, ${Math.floor((100 * done) / total)}%`;
    output.write(`${CLEARED}${what}: ${textOf(done)}${part}`);
  };
  return {
    onBytes: tellIn((bytes) => `${Math.round(bytes / MIB)} MiB`),
    onRows: tellIn((count) => `${count} rows`),
    end() {
      if (isShown) output.write(CLEARED);
    },
  };
}

/**
 * Shows a spinner, for work without a known progress.
 * @param what description of the work, for the line.
 * @returns a function that removes the spinner; it may be called more than once.
 */
export function startSpinner(output: ProgressOutput, what: string, firstMs = FIRST_MS): () => void {
  if (output.isTTY !== true) return () => {};
  let turn = 0;
  let timer = setTimeout(draw, firstMs);
  timer.unref();
  function draw(): void {
    output.write(`${CLEARED}${FRAMES[turn % FRAMES.length]} ${what} …`);
    turn += 1;
    timer = setTimeout(draw, NEXT_MS);
    timer.unref();
  }
  return () => {
    clearTimeout(timer);
    if (turn > 0) output.write(CLEARED);
    turn = 0;
  };
}
