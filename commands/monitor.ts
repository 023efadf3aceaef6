/** `kashbox monitor` */
import { boolean } from '@oclif/core/flags';
import { refuse } from '../src/base/errors/refuse.js';
import { DAY_MS } from '../src/base/values/clock.js';
import type { BaseCommand } from '../src/cli/command/base-command.js';
import { command } from '../src/cli/command/define.js';
import { text } from '../src/cli/command/flags.js';
import type { RemoteFlags, RemoteInput } from '../src/cli/input/remote-input.js';

const READ_BOARD = 'Use `kashbox monitor --json`: it prints what the dashboard shows, once.';

/** Default period of `kashbox why` in days. */
const WHY_DAYS = 30;

const ofUrl = { dependsOn: ['url'] };

export default command({
  summary: 'Open the live dashboard.',
  description:
    'It reads the store every three seconds; ? shows the keys. Some keys act after a question: approve or ' +
    'reject a verification, resend a notification, close a gap. From another machine, --url and ' +
    '--device-keys show the phones whose device keys you have, every five seconds. Other users can see ' +
    'flags in the process list: set KASHBOX_DEVICE_KEYS instead, or pipe the keys in with --device-keys ' +
    '-. --json prints the data once.',
  examples: ['$', '$ --json', '$ --url https://pay.example.com --device-keys - < keys.txt'],
  flags: {
    url: text('ADDRESS', 'Show the phones of the daemon at this https address.'),
    'device-keys': text('KEYS', 'Device keys, comma-separated; "-" reads them from stdin.', ofUrl),
    fingerprint: text('SHA256', 'Trust only the certificate with this fingerprint, as phones do.', {
      ...ofUrl,
      exclusive: ['ca'],
    }),
    ca: text('FILE', 'Trust certificates of this CA (PEM file).', ofUrl),
    'no-bell': boolean({ description: 'Do not ring the bell for new items.' }),
  },
  async run({ cli, flags }) {
    const remote = flags.url === undefined ? null : await remoteOf({ ...flags, url: flags.url });
    if (flags.json) return printOnce(cli, remote);
    const { terminalInput } = await import('../src/cli/input/ask.js');
    const [{ runMonitor }, { hasScreen, detectAppearance }] = await Promise.all([
      import('../src/monitor/run-monitor.js'),
      import('../src/monitor/painter.js'),
    ]);
    if (!hasScreen(process.env)) {
      refuse(`The terminal "${process.env.TERM ?? ''}" has no screen to draw on`, READ_BOARD);
    }
    const input = terminalInput('The dashboard needs a terminal', READ_BOARD);
    const source = await sourceOf(cli, remote);
    const { systemClock } = await import('../src/base/values/clock.js');
    const look = detectAppearance(process.env);
    await runMonitor({ source, input, look, clock: systemClock, rings: flags.noBell !== true });
    // A store that does not answer must not block the shell.
    process.exit(0);
  },
});

async function sourceOf(cli: BaseCommand, remote: RemoteInput | null) {
  if (remote !== null) return (await import('../src/monitor/source-remote.js')).remoteSource(remote);
  const { storeSource } = await import('../src/monitor/source-store.js');
  await requireHome(cli);
  const [{ explainWhy }, { whyView }] = await Promise.all([
    import('../src/actions/why/explain.js'),
    import('../src/cli/text/why-text.js'),
  ]);
  return storeSource(() => cli.reopen(), {
    who: cli.who,
    explain: async (core, asked) => {
      const now = core.clock.now();
      const why = whyView(await explainWhy(core, { asked, sinceMs: now - WHY_DAYS * DAY_MS }), now);
      // Of ids that are nearly the same, payments that other money has paid explain nothing.
      const answers = why.answers.filter(({ cause }) => cause !== 'credited');
      return answers.map(({ says, next }) => ({ says, next: next.join('\n') }));
    },
  });
}

/** A wrong folder must give an error before the screen is taken. */
async function requireHome(cli: BaseCommand): Promise<void> {
  const { requireHome } = await import('../src/actions/core/require-home.js');
  const { folder, env } = await cli.homeFolder();
  requireHome(folder, env);
}

async function printOnce(cli: BaseCommand, remote: RemoteInput | null): Promise<void> {
  if (remote === null) {
    const { loadDashboard } = await import('../src/actions/upkeep/load-dashboard.js');
    return cli.show(await loadDashboard(await cli.core()), { json: true }, () => []);
  }
  const { remoteSource } = await import('../src/monitor/source-remote.js');
  const { phones } = await remoteSource(remote).read();
  cli.show({ devices: phones }, { json: true }, () => []);
}

async function remoteOf(flags: RemoteFlags): Promise<RemoteInput> {
  const { remoteInput } = await import('../src/cli/input/remote-input.js');
  return remoteInput(flags);
}
