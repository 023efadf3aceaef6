/** A line on a terminal that says how far a long piece of work is, and is gone at its end. */

const FIRST_MS = 1_000;
const NEXT_MS = 200;
const MIB = 1_048_576;
const ESCAPE = String.fromCharCode(27);
const CLEARED = `\r${ESCAPE}[K`;

interface Progress {
  onBytes(done: number, total: number | null): void;
  onRows(done: number, total: number | null): void;
  end(): void;
}

const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
const inRows = (count: number) => `${count} rows`;

/**
 * @param what is done, as the line says it.
 * @param nowMs of a clock that only goes forward.
 */
export function progressOn(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  what: string,
  nowMs: () => number,
): Progress {
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
    onBytes: tellIn(mib),
    onRows: tellIn(inRows),
    end() {
      if (isShown) output.write(CLEARED);
    },
  };
}
