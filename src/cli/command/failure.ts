/**
 * Reports failures of commands: converts any thrown value to the printed error, and describes an unknown
 * command.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { escapedControls } from '../../base/values/cells.js';

interface CommandFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Process exit code. */
  readonly exit: number;
}

/** Error of oclif's parser. oclif does not export its classes, so the fields identify them. */
interface UsageError extends Error {
  /** Arguments that are missing, or words that were not expected. */
  readonly args?: readonly ({ readonly name: string } | string)[];
  /** Flags that there are not, as they were typed. */
  readonly flags?: readonly string[];
  /** Definition of the flags and their parsed values; absent if a single value is invalid. */
  readonly parse?: {
    readonly input?: { readonly flags?: Readonly<Record<string, TiedFlag>> };
    readonly output?: {
      readonly flags?: Readonly<Record<string, unknown>>;
      readonly metadata?: {
        readonly flags?: Readonly<Record<string, { readonly setFromDefault?: boolean }>>;
      };
    };
  };
}

/** Names of other flags. */
interface TiedFlag {
  readonly required?: boolean;
  readonly dependsOn?: readonly string[];
  readonly exclusive?: readonly string[];
  readonly exactlyOne?: readonly string[];
}

/** oclif's own errors carry an exit code under `oclif`. */
function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && 'oclif' in error;
}

/** @returns the flag of the command that comes nearest to one that there is not. */
function nearestFlag({ flags: [typed] = [], parse }: UsageError): string | undefined {
  return typed === undefined ? undefined : nearest(typed.slice(2), Object.keys(parse?.input?.flags ?? {}));
}

const dashed = (names: readonly string[]) => names.map((name) => `--${name}`);

/** Returns errors about required, dependent and exclusive flags, without duplicates. */
function tiesBroken({ parse }: UsageError): string[] {
  const { flags = {}, metadata } = parse?.output ?? {};
  const isGiven = (name: string) => flags[name] !== undefined;
  const isTyped = (name: string) => isGiven(name) && metadata?.flags?.[name]?.setFromDefault !== true;
  const broken = Object.entries(parse?.input?.flags ?? {}).flatMap(([name, flag]) => {
    const { required, dependsOn = [], exclusive = [], exactlyOne = [] } = flag;
    if (!isGiven(name)) {
      if (required) return [`Missing flag --${name}`];
      if (exactlyOne.length === 0 || exactlyOne.some(isGiven)) return [];
      return [`Exactly one of the following must be provided: ${dashed(exactlyOne).join(', ')}`];
    }
    const needs = dependsOn.filter((other) => !isGiven(other));
    // Both say it of each other.
    const other = [...exclusive, ...exactlyOne].find((one) => one !== name && isTyped(one) && isTyped(name));
    return [
      ...(needs.length === 0 ? [] : [`--${name} also needs ${dashed(needs).join(', ')}`]),
      ...(other === undefined ? [] : [`Choose one: ${dashed([name, other].sort()).join(' or ')}`]),
    ];
  });
  return [...new Set(broken)];
}

/** Lines that oclif adds around the error about one value. */
const FRAME = /^(Parsing --|See more help with --help$)/;

function usageText(error: UsageError): string {
  const { args = [], flags = [] } = error;
  // oclif appends the help of every missing argument; their names are enough.
  const missing = args.flatMap((one) => (typeof one === 'object' ? [one.name] : []));
  if (missing.length > 0) return `Missing argument ${missing.join(', ').toUpperCase()}`;
  if (flags.length > 0) return `Unknown flag${flags.length === 1 ? '' : 's'}: ${flags.join(', ')}`;
  const broken = args.length > 0 ? [] : tiesBroken(error);
  if (broken.length > 0) return broken.join('; ');
  const lines = error.message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !FRAME.test(line)).join('; ');
}

/** @param command name as typed, such as `merchants create`. */
export function toFailure(error: unknown, command: string): CommandFailure {
  if (isKashboxError(error)) {
    const { code, message, hint, exit } = error;
    return { code, message, hint, exit };
  }
  if (isUsageError(error)) {
    const near = nearestFlag(error);
    const meant = near === undefined ? '' : `Did you mean --${near}? `;
    return {
      code: 'invalid_input',
      message: usageText(error),
      hint: `${meant}See its usage: kashbox ${command} --help`,
      exit: 2,
    };
  }
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `An unexpected error occurred: ${why}`,
    hint: 'Run it again with KASHBOX_DEBUG=1 to see where, and report it.',
    exit: 1,
  };
}

/** Reads the raw arguments for a request of JSON, because the flags may be what failed to parse. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.includes('--json') || flags.includes('--ndjson');
}

/**
 * @param argv arguments of the command as typed.
 * @param cause thrown value; its stack is printed only if KASHBOX_DEBUG is set.
 */
export function reportFailure(failure: CommandFailure, argv: readonly string[], cause?: unknown): void {
  const { code, message, hint } = failure;
  if (wantsJson(argv)) write(process.stdout, `${JSON.stringify({ error: { code, message, hint } })}\n`);
  else write(process.stderr, `Error: ${message}\nNext: ${hint}\n`);
  const debug = process.env.KASHBOX_DEBUG;
  if (debug === undefined || debug === '' || debug === '0') return;
  for (let error = cause; error instanceof Error; error = error.cause) {
    write(process.stderr, `${error.stack ?? error.message}\n`);
  }
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(escapedControls(text));
}

/** Synonyms from other programs for our verbs; a synonym never means the opposite of what was typed. */
const SAME_VERB: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'enroll', 'set'],
  new: ['create', 'enroll'],
  register: ['enroll', 'create'],
  delete: ['remove', 'revoke', 'disable'],
  del: ['remove', 'revoke', 'disable'],
  rm: ['remove', 'revoke', 'disable'],
  remove: ['revoke', 'disable'],
  deactivate: ['suspend', 'disable'],
  disable: ['suspend'],
  enable: ['activate'],
  unsuspend: ['activate'],
  edit: ['update', 'set'],
  change: ['update', 'set'],
  ls: ['list'],
  get: ['show'],
  view: ['show'],
  describe: ['show'],
  resend: ['replay'],
  retry: ['replay'],
};

/** Synonyms for complete commands. Null: no such command, and a similar name has another meaning. */
const SAME_COMMAND: Readonly<Record<string, string | null>> = {
  status: 'doctor',
  check: 'doctor',
  start: 'daemon',
  serve: 'daemon',
  run: 'daemon',
  stop: null,
  pay: 'payments:create',
  connect: 'brands:connect',
  upgrade: 'update',
};

const nearestVerb = (typed: string, verbs: readonly string[]) =>
  SAME_VERB[typed]?.find((verb) => verbs.includes(verb)) ?? nearest(typed, verbs);

const spaced = (id: string) => id.replaceAll(':', ' ');
const verbsOf = (topic: string, known: readonly string[]) =>
  known.filter((id) => id.startsWith(`${topic}:`)).map((id) => id.slice(topic.length + 1));
const didYouMean = (...words: readonly string[]) => `Did you mean: kashbox ${words.join(' ')}`;

/** oclif takes words after a command that has no arguments for a longer command. */
function commandBefore(typed: string, known: readonly string[]): string | undefined {
  return known.filter((id) => typed.startsWith(`${id}:`)).sort((a, b) => b.length - a.length)[0];
}

const SEE_ALL = 'See all commands: kashbox --help';

function hintFor(typed: string, known: readonly string[]): string {
  const [first = '', second] = typed.toLowerCase().split(':');
  const own = verbsOf(first, known);
  if (own.length > 0) {
    const verb = nearestVerb(second ?? '', own);
    return verb === undefined ? `kashbox ${first} has: ${own.sort().join(', ')}` : didYouMean(first, verb);
  }
  if (second !== undefined && known.includes(`${second}:${first}`)) return didYouMean(second, first);
  const same = SAME_COMMAND[first];
  if (typeof same === 'string' && known.includes(same)) return didYouMean(spaced(same));
  // A verb of many topics is no mistyped topic.
  if (same === null || known.some((id) => id.endsWith(`:${first}`))) return SEE_ALL;
  const topic = nearest(first, [...new Set(known.map((id) => id.split(':')[0] ?? ''))]);
  if (topic === undefined) return SEE_ALL;
  const verb = second === undefined ? undefined : nearestVerb(second, verbsOf(topic, known));
  return didYouMean(topic, ...(verb === undefined ? [] : [verb]));
}

/**
 * @param typed command as oclif parsed it, with `:` between its words.
 * @param known ids of all commands, in the same form.
 * @returns the error, with a suggestion.
 */
export function unknownCommand(typed: string, known: readonly string[]): CommandFailure {
  const failure = (message: string, hint: string) => ({ code: 'invalid_input', message, hint, exit: 2 });
  if (typed.startsWith('-')) {
    const hint = 'Flags go after the command; see all commands: kashbox --help';
    return failure(`kashbox alone takes no flag "${typed}"`, hint);
  }
  const before = commandBefore(typed, known);
  const [first = '', second = ''] = typed.split(':');
  // `update brands` names a command of brands, although there is an `update`.
  if (before !== undefined && !known.includes(`${second}:${first}`)) {
    const rest = spaced(typed.slice(before.length + 1));
    const hint = `See its usage: kashbox ${spaced(before)} --help`;
    return failure(`kashbox ${spaced(before)} takes no argument "${rest}"`, hint);
  }
  return failure(`There is no command "${spaced(typed)}"`, hintFor(typed, known));
}

/** A word and its opposite are often near each other: `deactivate` and `activate`. */
const isOpposite = (typed: string, known: string) => /^(de|dis|in|un)/.test(typed) && typed.endsWith(known);

/** Letters to put in, take out or change to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** @returns the known word nearest to the typed one, or undefined if none is near. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const reach = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  const [best] = known
    .filter((word) => !isOpposite(typed, word))
    .map((word) => ({ word, far: distance(typed, word) }))
    .sort((a, b) => a.far - b.far || a.word.localeCompare(b.word));
  return best !== undefined && best.far <= reach ? best.word : undefined;
}
