/** Converts any thrown value to the error that is printed. Knows nothing of commands. */
import { isKashboxError } from '../../base/errors/errors.js';
import { nearest } from './nearest.js';

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
  const args: readonly unknown[] = 'args' in error && Array.isArray(error.args) ? error.args : [];
  // Of arguments that were not expected it keeps what was typed.
  const names = args.map((one) =>
    typeof one === 'object' && one !== null && 'name' in one ? one.name : null,
  );
  if (names.length === 0 || names.includes(null)) return null;
  return `Missing argument ${names.join(', ').toUpperCase()}`;
}

/** Flags that there are not, as they were typed. */
function unknownFlags(error: Error): readonly string[] {
  return 'flags' in error && Array.isArray(error.flags) ? error.flags.map(String) : [];
}

/** @returns the flag of the command that comes nearest to one that there is not. */
function nearestFlag(error: Error): string | undefined {
  const [typed] = unknownFlags(error);
  const { parse } = error as { readonly parse?: { readonly input?: { readonly flags?: object } } };
  return typed === undefined ? undefined : nearest(typed.slice(2), Object.keys(parse?.input?.flags ?? {}));
}

/** What oclif says of flags that stand together, or do not, in the words of a person. */
function ofTiedFlags(line: string, given: ReadonlySet<string>): string {
  const [, one, other] =
    /^--([\w-]+)(?:=.*)? cannot also be provided when using --([\w-]+)$/.exec(line) ?? [];
  // Both say it of each other, the one as the other.
  if (one !== undefined)
    return `Choose one: ${[one, other]
      .sort()
      .map((name) => `--${name}`)
      .join(' or ')}`;
  const needs = /^All of the following must be provided when using (--[\w-]+): (.+)$/.exec(line);
  if (needs === null) return line;
  const names = (needs[2] ?? '').split(', ').filter((name) => !given.has(name.slice(2)));
  return `${needs[1]} also needs ${names.join(', ')}`;
}

/** The names of the flags that were typed, as far as oclif has come. */
function givenFlags(error: Error): ReadonlySet<string> {
  const { parse } = error as { readonly parse?: { readonly output?: { readonly flags?: object } } };
  return new Set(Object.keys(parse?.output?.flags ?? {}));
}

function plain(error: Error): string {
  const missing = missingArguments(error);
  if (missing !== null) return missing;
  const unknown = unknownFlags(error);
  if (unknown.length > 0) return `Unknown flag${unknown.length === 1 ? '' : 's'}: ${unknown.join(', ')}`;
  const given = givenFlags(error);
  const lines = error.message
    .replace(COLOUR, '')
    .replace(/\nSee more help with --help$/, '')
    .replace(/^Parsing (--\S+)\s+(?=must )/, '$1 ')
    .replace(/^Parsing --\S+\s+/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .split('\n')
    .map((line) => ofTiedFlags(line.trim(), given))
    .filter((line) => line !== '');
  return [...new Set(lines)]
    .join('; ')
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
    const near = nearestFlag(error);
    const meant = near === undefined ? '' : `Did you mean --${near}? `;
    return {
      code: 'invalid_input',
      message: plain(error),
      hint: `${meant}See what it takes: kashbox ${command} --help`,
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
