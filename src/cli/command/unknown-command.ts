/** What is said of a command that there is not: what the typed words come nearest to. Pure. */
import type { Failure } from './failure.js';
import { nearest } from './nearest.js';

/** Other programs' words for what commands do here; never one for the opposite of what was typed. */
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

/** Other programs' words for whole commands. Null: nothing here does that, and what is near is not meant. */
const SAME_COMMAND: Readonly<Record<string, string | null>> = {
  status: 'doctor',
  check: 'doctor',
  start: 'daemon',
  serve: 'daemon',
  run: 'daemon',
  stop: null,
  pay: 'payments:create',
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
 * @param typed what oclif took for the command, with `:` between its words.
 * @param known every command, written alike.
 * @returns what is wrong with it, and what to do instead.
 */
export function unknownCommand(typed: string, known: readonly string[]): Failure {
  const failure = (message: string, hint: string) => ({ code: 'invalid_input', message, hint, exit: 2 });
  if (typed.startsWith('-')) {
    const hint = 'Flags stand behind a command; see all commands: kashbox --help';
    return failure(`kashbox alone takes no flag "${typed}"`, hint);
  }
  const before = commandBefore(typed, known);
  if (before !== undefined) {
    const rest = spaced(typed.slice(before.length + 1));
    const hint = `See what it takes: kashbox ${spaced(before)} --help`;
    return failure(`kashbox ${spaced(before)} takes no argument "${rest}"`, hint);
  }
  return failure(`There is no command "${spaced(typed)}"`, hintFor(typed, known));
}
