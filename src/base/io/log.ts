/**
 * The log: JSON lines by pino on stderr, or readable lines if that is a terminal. It writes only the fields
 * that it is given and never serializes a request, header list or error object itself, because that is how
 * secrets get into logs.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { visible } from '../values/cells.js';
import { dhakaText } from '../values/clock.js';
import { createLineWriter } from './line-writer.js';
import { sourceStack } from './source-stack.js';
import { openStderr } from './stderr.js';

export type Log = Logger;

export type LogFormat = 'json' | 'text';

interface OpenLog {
  readonly log: Log;
  /** @returns number of lines that could not be written and were dropped. */
  lost(): number;
  /** Writes the buffered lines and closes the log. Resolves even if nobody reads it. */
  close(): Promise<void>;
}

const MAX_CAUSES = 5;

/**
 * Returns the fields of an error that the log shows: type, code, message and stack, and those of its causes.
 * Other fields are left out: drivers and HTTP clients attach complete requests and rows to their errors.
 */
function errorFields(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : typeof error };
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    stack: error.stack === undefined ? undefined : sourceStack(error.stack),
    ...(error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: errorFields(error.cause, depth + 1) }),
  };
}

/**
 * @param level `fatal`, `error`, `warn`, `info`, `debug` or `silent`.
 * @param destination where lines go instead of stderr.
 * @param format `json` for programs, `text` for people.
 */
export function openLog(level: string, destination?: DestinationStream, format: LogFormat = 'json'): OpenLog {
  const stderr = createLineWriter({
    open: openStderr,
    onLost: (lost) => log.error({ lost }, 'the log could not be written for a while: lines are missing here'),
  });
  const lines = destination ?? stderr;
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    format === 'json' ? lines : { write: (line) => lines.write(readableLine(line)) },
  );
  return { log, lost: () => stderr.lost(), close: () => stderr.close() };
}

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

/**
 * Formats a line for a terminal. It adds nothing and knows only the fields that every line has; text from
 * strangers cannot move the cursor.
 * @param json one line, with its line feed.
 * @returns one or more lines, in Bangladesh time.
 */
function readableLine(json: string): string {
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
