/** Converts any thrown value to the error that is printed. Knows nothing of commands. */
import { isKashboxError } from '../../base/errors/errors.js';

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** Process exit code. */
  readonly exit: number;
}

/** The escape sequences with which oclif dims parts of its messages. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** oclif's own errors (unknown flag, missing argument) carry an exit code under `oclif`. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'oclif' in error;
}

/** oclif appends the help of every missing argument to its message; their names are enough. */
function missingArguments(error: Error): string | null {
  if (!error.message.startsWith('Missing ') || !('args' in error) || !Array.isArray(error.args)) return null;
  const names = error.args.map((argument: { name: string }) => argument.name.toUpperCase());
  return `Missing argument ${names.join(', ')}`;
}

function plain(error: Error): string {
  const missing = missingArguments(error);
  if (missing !== null) return missing;
  return error.message
    .replace(COLOUR, '')
    .replace(/\nSee more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')
    .replace(/^Nonexistent flag/, 'Unknown flag')
    .replace(/Missing required flag (\S+)/g, 'Missing flag --$1')
    .replace(/(\w): *; /g, '$1: ');
}

/** @param command as a person types it, such as `merchants create`. */
export function failureOf(error: unknown, command: string): Failure {
  if (isKashboxError(error)) {
    const { code, message, hint, exit } = error;
    return { code, message, hint, exit };
  }
  if (isUsageError(error)) {
    return {
      code: 'invalid_input',
      message: plain(error),
      hint: `See what it takes: kashbox ${command} --help`,
      exit: 2,
    };
  }
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `Something unexpected went wrong: ${why}`,
    hint: 'Run it again with KASHBOX_DEBUG=1 to see where, and report it.',
    exit: 1,
  };
}
