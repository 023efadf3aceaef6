/** Commands as programs read them: what `kashbox help --json` prints. Knows no store. */
import type { Command, Interfaces } from '@oclif/core';

type Known = Pick<Interfaces.Config, 'commands' | 'bin'>;

const typedName = (id: string) => id.replaceAll(':', ' ');

function inFull({ id, summary, description, examples = [], args, flags }: Command.Loadable, bin: string) {
  const filled = (text: string) =>
    text.replaceAll('<%= config.bin %>', bin).replaceAll('<%= command.id %>', typedName(id));
  return {
    command: typedName(id),
    summary: summary ?? '',
    description: description ?? '',
    args: Object.values(args).map(({ name, description: about, required = false }) => {
      return { name, description: about ?? '', required };
    }),
    flags: Object.values(flags).map((flag) => ({
      name: flag.name,
      description: flag.description ?? '',
      required: flag.required === true,
      takes_value: flag.type === 'option',
      options: flag.type === 'option' ? (flag.options ?? null) : null,
    })),
    examples: examples.filter((example) => typeof example === 'string').map(filled),
  };
}

/**
 * @param words what was asked about, such as `payments list`; none for all.
 * @returns one command in full, or the commands that begin with these words; null where there is none.
 */
export function commandReference({ commands, bin }: Known, words: readonly string[]) {
  const id = words.join(':');
  const one = commands.find((command) => command.id === id);
  if (one !== undefined) return inFull(one, bin);
  const found = commands
    .filter((command) => id === '' || command.id.startsWith(`${id}:`))
    .map((command) => ({ command: typedName(command.id), summary: command.summary ?? '' }))
    .sort((a, b) => (a.command < b.command ? -1 : 1));
  return found.length === 0 ? null : found;
}
