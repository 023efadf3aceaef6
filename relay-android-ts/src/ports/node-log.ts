/** Log lines: for people as text, for machines as one JSON object each; and a file for them, kept small. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Clock, Log, LogFacts } from '../core/ports.js';

/** Number of bytes kept of a log file; it may grow to twice this size before the older half is removed. */
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
 * Appends lines to a file that hardly exceeds 512 KiB. The file is never replaced, because the script that
 * starts the agent appends to it too. A file that cannot be written does not stop the agent: the line is
 * lost.
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

/** Removes the older half; keeps only complete lines. */
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
