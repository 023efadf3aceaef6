/** `kashbox help` */
import { command } from '../src/cli/command/define.js';
import { optionalManyWords } from '../src/cli/command/flags.js';
import { reportFailure } from '../src/cli/command/print-failure.js';
import { unknownCommand } from '../src/cli/command/unknown-command.js';

export default command({
  summary: 'Show what a command does and takes, as --help behind it does.',
  description: 'Without a command it shows all that there are. With --json, programs can read it.',
  examples: ['$', '$ payments', '$ payments list', '$ payments list --json'],
  args: { command: optionalManyWords('The words of the command, such as payments list.') },
  async run({ cli, args, flags }) {
    const words = [args.command ?? []].flat().flatMap((word) => word.split(/[\s:]+/));
    const { commandReference } = await import('../src/cli/text/command-reference.js');
    const reference = commandReference(cli.config, words);
    if (reference === null) {
      const failure = unknownCommand(words.join(':'), cli.config.commandIDs);
      reportFailure(failure, cli.argv);
      process.exitCode = failure.exit;
      return;
    }
    if (flags.json) return cli.show(reference, flags, () => []);
    const { default: Help } = await import('../src/cli/command/help.js');
    await new Help(cli.config, cli.config.pjson.oclif.helpOptions ?? {}).showHelp(words);
  },
});
