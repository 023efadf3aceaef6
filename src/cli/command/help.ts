/** Help as oclif writes it; but of a command that there is not it says what every other command says. */
import { Help, standardizeIDFromArgv } from '@oclif/core/help';
import { reportFailure } from './print-failure.js';
import { unknownCommand } from './unknown-command.js';

const ASKS_FOR_HELP = ['--help', '-h'];

export default class KashboxHelp extends Help {
  override async showHelp(typed: string[]): Promise<void> {
    const words = typed.filter((word) => !ASKS_FOR_HELP.includes(word));
    const [id = ''] = standardizeIDFromArgv([...words], this.config);
    const isKnown =
      id === '' || id.startsWith('-') || this.config.findCommand(id) || this.config.findTopic(id);
    if (isKnown) return super.showHelp(typed);
    reportFailure(unknownCommand(id, this.config.commandIDs), words);
    process.exitCode = 2;
  }
}
