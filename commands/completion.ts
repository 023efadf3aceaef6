/** `kashbox completion` */
import { string } from '@oclif/core/args';
import { command } from '../src/cli/command/define.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export default command({
  summary: 'Print the script with which your shell completes commands with the Tab key.',
  description:
    'For bash put this into ~/.bashrc: eval "$(kashbox completion bash)". For zsh the same with zsh into ~/.zshrc, ' +
    'behind compinit. For fish write it into ~/.config/fish/completions/kashbox.fish. Commands, flags and their values ' +
    'are completed from the script alone: the Tab key opens no store. After an update of Kashbox a new terminal has the ' +
    'new commands; fish wants the file written again.',
  examples: ['$ bash', '$ fish > ~/.config/fish/completions/kashbox.fish'],
  args: {
    shell: string({
      description: 'Which shell: bash, zsh or fish.',
      options: [...SHELLS],
      required: true,
      ignoreStdin: true,
    }),
  },
  async run({ cli, args, flags }) {
    const { completedCommands } = await import('../src/cli/completion/commands.js');
    const { bashCompletion } = await import('../src/cli/completion/bash.js');
    const { zshCompletion } = await import('../src/cli/completion/zsh.js');
    const { fishCompletion } = await import('../src/cli/completion/fish.js');
    const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
    const shell = args.shell as (typeof SHELLS)[number];
    const script = scripts[shell](completedCommands(cli.config.commands));
    cli.show({ shell, script }, flags, () => [script.trimEnd()]);
  },
});
