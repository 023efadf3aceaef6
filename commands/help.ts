/** `kashbox help` */
import type { Command, Interfaces } from '@oclif/core';
import { command } from '../src/cli/command/define.js';
import { reportFailure, unknownCommand } from '../src/cli/command/failure.js';
import { optionalWords } from '../src/cli/command/flags.js';
import { default as Help } from '../src/cli/command/help.js';

export default command({
  summary: 'Show help for a command.',
  description: 'Without a command it lists all commands. "kashbox help ids" explains IDs, names and "-".',
  examples: ['$', '$ payments', '$ payments list', '$ payments list --json'],
  args: { command: optionalWords('Command, such as payments list; or ids.') },
  async run({ cli, args, flags }) {
    const words = [args.command ?? []].flat().flatMap((word) => word.split(/[\s:]+/));
    if (words.join(' ') === 'ids') return cli.show(IDS, flags, (lines) => lines);
    const reference = commandReference(cli.config, words);
    if (reference === null) {
      const failure = unknownCommand(words.join(':'), cli.config.commandIDs);
      reportFailure(failure, cli.argv);
      process.exitCode = failure.exit;
      return;
    }
    if (flags.json) return cli.show(reference, flags, () => []);
    await new Help(cli.config, cli.config.pjson.oclif.helpOptions ?? {}).showHelp(words);
  },
});

/** Help about ids and names, common to all commands that take them. */
const IDS = [
  'Commands name a merchant, brand, phone, payment or other resource by its ID. Merchants, brands, phones and',
  'banks also have names. A payment also has a number of 12 letters and digits.',
  '',
  'A prefix of an ID is enough if no other ID begins with it.',
  '',
  'Commands that take several also read them from stdin with "-": one per line, or the output of a list',
  'command with --json or --ndjson:',
  '',
  '  kashbox payments list --status PENDING --ndjson | kashbox payments show -',
];

type KnownCommands = Pick<Interfaces.Config, 'commands' | 'bin'>;

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
 * @param words topic of the help, such as `payments list`; empty for all commands.
 * @returns reference of one command, or list of the commands that begin with these words; null if none.
 */
function commandReference({ commands, bin }: KnownCommands, words: readonly string[]) {
  const id = words.join(':');
  const one = commands.find((command) => command.id === id);
  if (one !== undefined) return inFull(one, bin);
  const found = commands
    .filter((command) => id === '' || command.id.startsWith(`${id}:`))
    .map((command) => ({ command: typedName(command.id), summary: command.summary ?? '' }))
    .sort((a, b) => (a.command < b.command ? -1 : 1));
  return found.length === 0 ? null : found;
}
