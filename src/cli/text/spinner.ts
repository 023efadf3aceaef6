/** A line on a terminal that moves while a command works and says nothing yet. */

/** What is done sooner needs no word. */
const FIRST_MS = 1_000;
const NEXT_MS = 200;
const FRAMES = ['|', '/', '-', '\\'];
const ESCAPE = String.fromCharCode(27);
const CLEARED = `\r${ESCAPE}[K`;

/**
 * @param what is done, as the line says it.
 * @returns a function that takes the line away; it may be called more than once.
 */
export function startSpinner(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  what: string,
  firstMs = FIRST_MS,
): () => void {
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
