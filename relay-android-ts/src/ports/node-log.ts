/** Log lines on stderr: for people as text, for machines as one JSON object each. */
import type { Clock, Facts, Log } from '../core/ports.js';

type Level = 'info' | 'warn';

/** `write` takes one line with its line break. */
export function createLog(json: boolean, clock: Clock, write: (line: string) => void): Log {
  const emit = (level: Level, message: string, facts: Facts = {}): void => {
    const time = new Date(clock.now()).toISOString();
    if (json) write(`${JSON.stringify({ time, level, message, ...facts })}\n`);
    else write(`${time} ${level === 'warn' ? 'WARN ' : ''}${message}${factsText(facts)}\n`);
  };
  return {
    info: (message, facts) => emit('info', message, facts),
    warn: (message, facts) => emit('warn', message, facts),
  };
}

function factsText(facts: Facts): string {
  const parts = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
