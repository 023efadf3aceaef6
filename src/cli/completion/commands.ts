/** What a shell must know of the commands to complete them. Pure; read from oclif's list of commands. */
import type { Command } from '@oclif/core';

export interface CompletedFlag {
  /** Without its dashes. */
  readonly name: string;
  readonly about: string;
  readonly takes: 'nothing' | 'text' | 'file';
  /** The values that there are; empty where any may be typed. */
  readonly values: readonly string[];
}

export interface CompletedCommand {
  /** `payments list`, or `setup`. */
  readonly name: string;
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  /** What its first argument may be; empty where any may be typed. */
  readonly values: readonly string[];
}

/** One line, without what would end a quoted text or begin a substitution in a shell. */
function plainLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll("'", '’');
  return line.replace(/["`\\$]/g, '').trim();
}

/** The first sentence; more has no room beside a word. */
const inShort = (text: string | undefined) => plainLine(text ?? '').replace(/[.:;] .*$|\.$/, '');

export function completedCommands(commands: readonly Command.Loadable[]): CompletedCommand[] {
  return commands
    .map(({ id, summary, flags, args }) => ({
      name: id.replaceAll(':', ' '),
      about: inShort(summary),
      flags: Object.values(flags).map(flagOf),
      values: Object.values(args)[0]?.options ?? [],
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function flagOf(flag: Command.Flag.Any): CompletedFlag {
  const about = inShort(flag.description);
  if (flag.type === 'boolean') return { name: flag.name, about, takes: 'nothing', values: [] };
  const takes = flag.helpValue === 'FILE' ? 'file' : 'text';
  return { name: flag.name, about, takes, values: flag.options ?? [] };
}

/** What may stand first: a command of one word, or the first word of several. */
export function firstWords(commands: readonly CompletedCommand[]): { word: string; about: string }[] {
  const words = new Map<string, string>();
  for (const { name, about } of commands) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) words.set(first, about);
    else words.set(first, [words.get(first), second].filter((part) => part !== undefined).join(', '));
  }
  return [...words].map(([word, about]) => ({ word, about }));
}

/** The commands of two words by their first one. */
export function commandsByTopic(commands: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  const topics = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    if (second !== undefined) topics.set(first, [...(topics.get(first) ?? []), command]);
  }
  return topics;
}

export const secondWord = ({ name }: CompletedCommand) => name.slice(name.indexOf(' ') + 1);
