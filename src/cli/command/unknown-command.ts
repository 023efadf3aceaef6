/** What is said of a command that there is not: what the typed words come nearest to. Pure. */
import type { Failure } from './failure.js';

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
function nearest(typed: string, known: readonly string[]): string | undefined {
  const reach = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  const [best] = known
    .filter((word) => !isOpposite(typed, word))
    .map((word) => ({ word, far: distance(typed, word) }))
    .sort((a, b) => a.far - b.far || a.word.localeCompare(b.word));
  return best !== undefined && best.far <= reach ? best.word : undefined;
}

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
