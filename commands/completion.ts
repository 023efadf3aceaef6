/** `kashbox completion` */
import { completionScript, SHELLS } from '../src/cli/command/completion.js';
import { command } from '../src/cli/command/define.js';
import { oneWord } from '../src/cli/command/flags.js';

export default command({
  summary: 'Print the shell completion script.',
  description:
    'bash: add eval "$(kashbox completion bash)" to ~/.bashrc. zsh: the same with zsh in ~/.zshrc, after ' +
    'compinit. fish: save the output as ~/.config/fish/completions/kashbox.fish. The script completes ' +
    'commands, flags and their values without opening a store. After an update of Kashbox open a new ' +
    'terminal; for fish, write the file again.',
  examples: ['$ bash', '$ fish > ~/.config/fish/completions/kashbox.fish'],
  args: { shell: oneWord('Which shell: bash, zsh or fish.', { options: [...SHELLS] }) },
  async run({ cli, args, flags }) {
    const shell = args.shell as (typeof SHELLS)[number];
    const script = completionScript(shell, cli.config.commands);
    cli.show({ shell, script }, flags, () => [script.trimEnd()]);
  },
});
