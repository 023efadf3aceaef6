/**
 * The log: JSON lines by pino on stderr, or lines for a person where that is a terminal. It is told what to
 * write and never takes a whole request, header list or error object apart by itself, because that is how
 * secrets get into logs.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { createLineWriter } from './line-writer.js';
import { readableLine } from './readable-line.js';
import { sourceStack } from './source-stack.js';
import { openStderr } from './stderr.js';

export type Log = Logger;

export type LogFormat = 'json' | 'text';

export interface OpenLog {
  readonly log: Log;
  /** @returns how many lines could not be written and were given up. */
  lost(): number;
  /** Writes out what is still in memory and ends the log. Resolves, too, when nobody reads it any more. */
  close(): Promise<void>;
}

const MAX_CAUSES = 5;

/**
 * What the log shows of an error: its kind, code, text and stack, and those of its causes. Other fields
 * (drivers and HTTP clients hang whole requests and rows on their errors) are left out.
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
