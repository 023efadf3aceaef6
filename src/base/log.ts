/**
 * The log: JSON lines for operators, by pino, on stderr. It is told what to write and never takes a whole
 * request, header list or error object apart by itself, because that is how secrets get into logs.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export interface OpenLog {
  readonly log: Log;
  /** Writes out what is still in memory and ends the log. Resolves, too, when nobody reads it any more. */
  close(): Promise<void>;
}

const STDERR = 2;
/** A reader of stderr that has stopped reading costs log lines, never the daemon's memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** Lines of one moment are written together: a write of each costs more than all else that a log does. */
const TOGETHER_BYTES = 4_096;
const TOGETHER_MS = 100;
const MAX_CAUSES = 5;
/** For a reader that is there and does not read. */
const CLOSE_DEADLINE_MS = 1_000;

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
    stack: error.stack,
    ...(error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: errorFields(error.cause, depth + 1) }),
  };
}

/**
 * @param level `fatal`, `error`, `warn`, `info`, `debug` or `silent`.
 * @param destination where lines go instead of stderr.
 */
export function openLog(level: string, destination?: DestinationStream): OpenLog {
  const stderr = pino.destination({
    fd: STDERR,
    sync: false,
    minLength: TOGETHER_BYTES,
    periodicFlush: TOGETHER_MS,
    maxLength: MAX_BUFFERED_BYTES,
  });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    destination ?? stderr,
  );
  return { log, close: () => closeStream(stderr) };
}

/** Not with `flushSync`, which tries for ever once the reader of a pipe has gone. */
function closeStream(stream: ReturnType<typeof pino.destination>): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(resolve, CLOSE_DEADLINE_MS);
    const end = () => {
      clearTimeout(deadline);
      resolve();
    };
    stream.once('close', end).once('error', end);
    stream.end();
  });
}
