/**
 * Help as oclif writes it, with the flags that a command needs in its usage; of a command that there is not
 * it says what every other command says.
 */
import { CommandHelp, Help, standardizeIDFromArgv } from '@oclif/core/help';
import { reportFailure, unknownCommand } from './failure.js';

const ASKS_FOR_HELP = ['--help', '-h'];

class UsageWithFlags extends CommandHelp {
  protected override defaultUsage(): string {
    const needed = Object.values(this.command.flags)
      .filter((flag) => flag.required)
      .map((flag) => {
        const value = flag.type === 'option' ? (flag.helpValue ?? flag.name.toUpperCase()) : '';
        return `--${flag.name} ${value}`.trim();
      });
    return [super.defaultUsage(), ...needed].join(' ');
  }
}

export default class KashboxHelp extends Help {
  protected override CommandHelpClass = UsageWithFlags;

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
