/** `kashbox completion` */
import { completionScript, SHELLS } from '../src/cli/command/completion.js';
import { command } from '../src/cli/command/define.js';
import { oneWord } from '../src/cli/command/flags.js';

export default command({
  summary: 'Print the shell completion script.',
  description:
    'For bash put this into ~/.bashrc: eval "$(kashbox completion bash)". For zsh the same with zsh into ~/.zshrc, ' +
    'behind compinit. For fish write it into ~/.config/fish/completions/kashbox.fish. Commands, flags and their values ' +
    'are completed from the script alone: the Tab key opens no store. After an update of Kashbox a new terminal has the ' +
    'new commands; fish wants the file written again.',
  examples: ['$ bash', '$ fish > ~/.config/fish/completions/kashbox.fish'],
  args: { shell: oneWord('Which shell: bash, zsh or fish.', { options: [...SHELLS] }) },
  async run({ cli, args, flags }) {
    const shell = args.shell as (typeof SHELLS)[number];
    const script = completionScript(shell, cli.config.commands);
    cli.show({ shell, script }, flags, () => [script.trimEnd()]);
  },
});
