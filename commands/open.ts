/** `kashbox open` */
import { KashboxError } from '../src/base/errors/errors.js';
import type { BaseCommand } from '../src/cli/command/base-command.js';
import { command } from '../src/cli/command/define.js';
import { oneWord } from '../src/cli/command/flags.js';
import { linkBase } from '../src/cli/command/link-code.js';

export default command({
  summary: 'Open the API reference or the dashboard.',
  description:
    'docs: prints the address of the API reference of the running daemon and, in a terminal on a desktop, ' +
    'opens it in the browser. dashboard: the same as "kashbox monitor". Exit code 5: the daemon does not run.',
  examples: ['$ docs', '$ docs --json', '$ dashboard'],
  args: { page: oneWord('Page to open.', { options: ['docs', 'dashboard'] }) },
  async run({ cli, args, flags }) {
    if (args.page === 'docs') return openDocs(cli, flags);
    const context = cli.contextFlag === undefined ? [] : ['--context', cli.contextFlag];
    await cli.config.runCommand('monitor', [...context, ...(flags.json ? ['--json'] : [])]);
  },
});

async function openDocs(cli: BaseCommand, flags: { readonly json: boolean | undefined }): Promise<void> {
  const [{ daemonCommand, isServing }, { openInBrowser }] = await Promise.all([
    import('../src/cli/setup/managed-daemon.js'),
    import('../src/cli/programs/browser.js'),
  ]);
  const core = await cli.core();
  const url = `${linkBase(core)}/docs`;
  if (!(await isServing(core))) {
    throw new KashboxError('daemon_unreachable', {
      message: `The daemon of this installation does not answer, so ${url} cannot be opened`,
      hint: `Start it: ${daemonCommand(undefined)}`,
    });
  }
  const { platform, env, stdout } = process;
  const opened = await openInBrowser(url, { platform, env, isTerminal: stdout.isTTY && !flags.json });
  cli.show({ url, opened }, flags, () => [url]);
}
