/** Log lines: for people as text, for machines as one JSON object each; and a file for them, kept small. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Clock, Log, LogFacts } from '../core/ports.js';

/** What of a log file is kept; it may become twice as long before the older half goes. */
const KEPT_BYTES = 256 * 1024;

type Level = 'info' | 'warn';

/** `write` takes one line with its line break. */
export function createLog(json: boolean, clock: Clock, write: (line: string) => void): Log {
  const emit = (level: Level, message: string, facts: LogFacts = {}): void => {
    const time = new Date(clock.now()).toISOString();
    if (json) write(`${JSON.stringify({ time, level, message, ...facts })}\n`);
    else write(`${time} ${level === 'warn' ? 'WARN ' : ''}${message}${factsText(facts)}\n`);
  };
  return {
    info: (message, facts) => emit('info', message, facts),
    warn: (message, facts) => emit('warn', message, facts),
  };
}

/**
 * Appends lines to a file that never holds much more than 512 KiB. It stays the same file, since the script
 * that starts the agent appends to it too. A file that cannot be written is no reason to stop: what would
 * have been in it is lost.
 */
export function logFile(path: string): (line: string) => void {
  // An agent that ends before its first line, again and again, leaves only what the script has appended.
  quietly(() => shorten(path));
  return (line) =>
    quietly(() => {
      appendFileSync(path, line, { mode: 0o600 });
      shorten(path);
    });
}

/** Leaves whole lines only. */
function shorten(path: string): void {
  if (!existsSync(path) || statSync(path).size <= 2 * KEPT_BYTES) return;
  const newest = readFileSync(path).subarray(-KEPT_BYTES);
  writeFileSync(path, newest.subarray(newest.indexOf('\n') + 1));
}

function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // The error cannot be logged.
  }
}

function factsText(facts: LogFacts): string {
  const parts = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
