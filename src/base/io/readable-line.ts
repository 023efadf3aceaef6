/**
 * A line of the log for a person at a terminal, from its JSON. It adds nothing and knows no field but those
 * that every line has; what strangers have sent cannot move the cursor.
 */
import { visible } from '../values/cells.js';
import { dhakaText } from '../values/clock.js';

interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

interface LoggedLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: LoggedError;
  readonly [field: string]: unknown;
}

const LEVEL_WIDTH = 5;

/** @param json one line, with its line feed. @returns one or more lines, in Bangladesh time. */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LoggedLine;
  const named = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const words = [msg, ...named].filter((word) => word !== '').join('  ');
  const head = `${dhakaText(Date.parse(time))} ${level.toUpperCase().padEnd(LEVEL_WIDTH)} ${visible(words)}`;
  return `${[head, ...errorLines(err)].join('\n')}\n`;
}

function errorLines(error: LoggedError | undefined): string[] {
  if (error === undefined) return [];
  const { type = 'Error', message = '', stack, cause } = error;
  const lines = (stack ?? `${type}: ${message}`).split('\n').map((line) => `    ${visible(line)}`);
  return [...lines, ...errorLines(cause)];
}
