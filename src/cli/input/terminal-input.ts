/** The keyboard of a program that fills the screen, also where something was piped into it. */
import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { refuse } from '../../base/errors/refuse.js';

/**
 * @param what and `hint` say why it is needed and what to do without.
 * @throws KashboxError `invalid_input` where there is no terminal
 */
export function terminalInput(what: string, hint: string): ReadStream {
  return (
    (process.stdout.isTTY ? (process.stdin.isTTY ? process.stdin : openTerminal()) : null) ??
    refuse(what, hint)
  );
}

/** @returns null where the process has none, as under cron. */
function openTerminal(): ReadStream | null {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return null;
  }
}
