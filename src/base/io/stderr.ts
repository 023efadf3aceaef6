/** The standard error of this process: a descriptor that holds up nobody, and an end without a terminal. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDERR = 2;
const STANDARD = [0, 1, STDERR];

/**
 * Opens stderr without blocking. A stopped terminal (Ctrl-S) or a pipe that nobody reads would block a write
 * forever, and with it the exit of the process. The non-blocking flag belongs to the open file, which other
 * processes share, so the same terminal or pipe is opened again.
 * @returns a descriptor of stderr.
 */
export function openStderr(): number {
  if (process.platform !== 'linux') return STDERR;
  try {
    const kind = fstatSync(STDERR);
    // Node does it for a socket by itself, as soon as its stream is asked for.
    if (kind.isSocket()) return process.stderr.fd;
    if (!kind.isFIFO() && !isatty(STDERR)) return STDERR;
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Of another user, or its other end is gone: then the first write says so.
    return STDERR;
  }
}

/**
 * Keeps a process alive when its terminal is closed: no failed output may end it. At exit Node restores the
 * terminal modes and aborts if that fails, unless the descriptor is closed.
 */
export function surviveTerminal(): void {
  // Without a listener an error of theirs is an exception that nobody has caught; that of oclif throws it.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {});
  }
  const terminals = STANDARD.filter((fd) => isatty(fd));
  process.once('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}
