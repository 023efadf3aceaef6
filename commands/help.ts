/** `kashbox help` */
import { command } from '../src/cli/command/define.js';
import { reportFailure, unknownCommand } from '../src/cli/command/failure.js';
import { optionalWords } from '../src/cli/command/flags.js';
import { default as Help } from '../src/cli/command/help.js';
import { commandReference } from '../src/cli/text/command-reference.js';

export default command({
  summary: 'Show what a command does and takes, as --help behind it does.',
  description: 'Without a command it shows all that there are. With --json, programs can read it.',
  examples: ['$', '$ payments', '$ payments list', '$ payments list --json'],
  args: { command: optionalWords('The words of the command, such as payments list.') },
  async run({ cli, args, flags }) {
    const words = [args.command ?? []].flat().flatMap((word) => word.split(/[\s:]+/));
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
