/** `kashbox monitor` */
import { string } from '@oclif/core/flags';
import { KashboxError } from '../src/base/errors/errors.js';
import { BaseCommand } from '../src/cli/command/base-command.js';
import { text } from '../src/cli/command/flags.js';
import type { RemoteInput } from '../src/cli/input/remote-input.js';

const READ_BOARD = 'Use `kashbox monitor --json`: it prints what the dashboard shows, once.';

export default class Monitor extends BaseCommand {
  static override summary = 'Live dashboard: phones, payments, reviews, notifications, alerts, jobs.';
  static override description =
    'It reads the store every three seconds and changes nothing; ? shows the keys. From another machine it shows the ' +
    'phones whose device keys you have (--url, --device-keys), every five seconds. Keys given as a flag are seen by ' +
    'whoever lists the processes of that machine: put them into KASHBOX_DEVICE_KEYS, or pipe them in with ' +
    '--device-keys -. With --json it prints what it would show, once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
    '<%= config.bin %> <%= command.id %> --url https://pay.example.com --device-keys - < keys.txt',
  ];
  static override flags = {
    url: text('ADDRESS', 'Watch phones of the daemon at this https address.'),
    'device-keys': string({
      helpValue: 'KEYS',
      description: 'Their device keys with commas between; "-" reads them from stdin.',
      dependsOn: ['url'],
    }),
    fingerprint: string({
      helpValue: 'SHA256',
      description: 'Trust the certificate of this fingerprint and no other, as phones do.',
      dependsOn: ['url'],
      exclusive: ['ca'],
    }),
    ca: string({
      helpValue: 'FILE',
      description: 'Trust certificates of this authority (PEM).',
      dependsOn: ['url'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Monitor);
    const remote = flags.url === undefined ? null : await this.remote(flags.url, flags);
    if (flags.json) return this.printOnce(remote);
    const { terminalInput } = await import('../src/cli/input/terminal-input.js');
    const [{ runMonitor }, { hasScreen, appearanceOf }] = await Promise.all([
      import('../src/monitor/run-monitor.js'),
      import('../src/monitor/appearance.js'),
    ]);
    if (!hasScreen(process.env)) {
      throw new KashboxError('invalid_input', {
        message: `The terminal "${process.env.TERM ?? ''}" has no screen to draw on`,
        hint: READ_BOARD,
      });
    }
    const input = terminalInput('The dashboard needs a terminal', READ_BOARD);
    const source = await this.source(remote);
    const { systemClock } = await import('../src/base/values/clock.js');
    await runMonitor({ source, input, look: appearanceOf(process.env), clock: systemClock });
    // A store that does not answer must not block the shell.
    process.exit(0);
  }

  private async source(remote: RemoteInput | null) {
    if (remote !== null) return (await import('../src/monitor/source-remote.js')).remoteSource(remote);
    const { storeSource } = await import('../src/monitor/source-store.js');
    await this.requireHome();
    return storeSource(async () => {
      await this.requireHome();
      return this.reopen();
    });
  }

  /** A wrong folder must give an error, not an empty shop. */
  private async requireHome(): Promise<void> {
    const [{ requireHome }, { homeFolder }] = await Promise.all([
      import('../src/actions/core/require-home.js'),
      import('../src/config/home.js'),
    ]);
    requireHome({ folder: homeFolder(process.env), env: process.env });
  }

  private async printOnce(remote: RemoteInput | null): Promise<void> {
    if (remote === null) {
      await this.requireHome();
      const { readBoard } = await import('../src/actions/upkeep/read-dashboard.js');
      return this.show(await readBoard(await this.core()), { json: true }, () => []);
    }
    const { remoteSource } = await import('../src/monitor/source-remote.js');
    const { phones } = await remoteSource(remote).read();
    this.show({ devices: phones }, { json: true }, () => []);
  }

  private async remote(
    url: string,
    flags: Readonly<Record<'device-keys' | 'fingerprint' | 'ca', string | undefined>>,
  ): Promise<RemoteInput> {
    const { remoteInput } = await import('../src/cli/input/remote-input.js');
    return remoteInput({
      url,
      deviceKeys: flags['device-keys'],
      fingerprint: flags.fingerprint,
      ca: flags.ca,
    });
  }
}
