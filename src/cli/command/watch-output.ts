/** Output that is taken no more: a full disk is told in words, a reader that has gone is no failure. */
import { escapedControls } from '../../base/values/cells.js';

/** As for the store's own disk. */
const EXIT = 5;

/**
 * In place of oclif's own listener, which throws into nowhere and prints the program's text.
 * @param notes stderr, which `2>&1 | head` takes along.
 */
export function watchOutput(output: NodeJS.WriteStream, notes: NodeJS.WriteStream): void {
  let isTold = false;
  // There is nowhere left to say it.
  notes.removeAllListeners('error').on('error', () => {});
  output.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return;
    isTold = true;
    const text =
      `Error: The output cannot be written (${error.code ?? error.message})\n` +
      'Next: Free some space, or write to another disk; what was written is not whole.\n';
    notes.write(escapedControls(text));
    process.exit(EXIT);
  });
}
