/** What oclif calls when somebody types a command that there is not: says so and names the nearest. */
import type { Hook } from '@oclif/core';
import { reportFailure } from './print-failure.js';

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

/** @returns the known id nearest to what was typed, or undefined if none is near. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((id) => ({ id, far: distance(typed, id) }))
    .sort((a, b) => a.far - b.far || a.id.localeCompare(b.id));
  return best !== undefined && best.far <= Math.max(2, typed.length / 3) ? best.id : undefined;
}

const spaced = (id: string) => id.replaceAll(':', ' ');

/** oclif takes words after a command that has no arguments for a longer command. */
function commandBefore(typed: string, known: readonly string[]): string | undefined {
  return known.filter((id) => typed.startsWith(`${id}:`)).sort((a, b) => b.length - a.length)[0];
}

/** What is wrong with the typed command, and what to do instead. */
function explain(typed: string, known: readonly string[]): { message: string; hint: string } {
  const before = commandBefore(typed, known);
  if (before !== undefined) {
    return {
      message: `kashbox ${spaced(before)} takes no argument "${spaced(typed.slice(before.length + 1))}"`,
      hint: `See what it takes: kashbox ${spaced(before)} --help`,
    };
  }
  const near = nearest(typed, known);
  return {
    message: `There is no command "${spaced(typed)}"`,
    hint: near === undefined ? 'See all commands: kashbox --help' : `Did you mean: kashbox ${spaced(near)}`,
  };
}

const hook: Hook<'command_not_found'> = async ({ id, argv = [], config }) => {
  reportFailure({ code: 'invalid_input', ...explain(id, config.commandIDs), exit: 2 }, argv);
  process.exitCode = 2;
};

export default hook;
