/** `kashbox demo` */
import { boolean, integer } from '@oclif/core/flags';
import type { KashboxError } from '../src/base/errors/errors.js';
import { BaseCommand } from '../src/cli/command/base-command.js';
import type { Screen } from '../src/demo/narrator.js';
import type { Audience } from '../src/demo/steps.js';

const GREETING = [
  "Kashbox: two payments by wallet, each from the shop's request to the confirmed",
  'SMS, and one in USDT on a chain of its own. The programs, the database and HTTPS',
  'are real; phone, wallets and money are played.',
  '',
];

const SILENT: Audience = { begins: () => {}, ended: () => {}, skipped: () => {} };

export default class Demo extends BaseCommand {
  static override summary = 'Watch payments from request to confirmation, with the real programs.';
  static override description =
    'Makes a throw-away installation in a temporary folder, starts the daemon and the relay agent of a simulated ' +
    'phone, and plays two payments over HTTPS: one by API, one on the checkout page; and one in USDT, if the ' +
    'development package @foundry-rs/anvil is installed, which is the chain it plays on. Then it stays up until Ctrl-C, ' +
    'with a checkout page for your own browser and commands to try; nothing of it stays behind. It touches neither ' +
    'your home folder nor your database.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --once',
    '<%= config.bin %> <%= command.id %> --once --json',
  ];
  static override flags = {
    once: boolean({ description: 'End after the summary; exit 0 only if every step held.' }),
    port: integer({
      description: 'HTTPS port of the daemon; if it is taken, a free one is used.',
      default: 8443,
      min: 0,
      max: 65_535,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const [{ runDemo }, { anvilProgram }, { narrator, summary }, { invitation, tour }] = await Promise.all([
      import('../src/demo/demo.js'),
      import('../src/demo/chain.js'),
      import('../src/demo/narrator.js'),
      import('../src/demo/tour.js'),
    ]);
    if (!flags.json) this.say(GREETING);
    const end = await runDemo({
      root: this.config.root,
      env: process.env,
      anvil: anvilProgram(this.config.root),
      port: flags.port,
      audience: flags.json ? SILENT : narrator(this.screen),
      stays: !flags.once,
      onPlayed: ({ steps, skipped, stage, counter, checkout }) => {
        const { home, inbox } = stage.places;
        const { daemon, brandKey } = counter.open;
        const visit = checkout === null ? {} : { payment_url: checkout.url, paste: checkout.sms.sentBody };
        const facts = { url: daemon.url, home, inbox, brand_key: brandKey, ...visit };
        this.show({ ok: true, ...facts, steps, skipped }, flags, () => summary(steps, this.width));
        if (checkout === null) return;
        const lines = ['', ...tour(stage, counter), '', ...invitation(checkout), '', 'Ctrl-C ends it.'];
        this.note(lines.join('\n'));
      },
      onChange: (line) => this.note(line),
    });
    switch (end.outcome) {
      case 'held':
        if (!flags.once) this.note('Stopped; nothing of it is left.');
        return;
      case 'interrupted':
        process.exitCode = end.exit;
        this.note('Stopped before its end; nothing of it is left.');
        return;
      case 'failed': {
        const { code, message, hint } = end.error;
        const report = { ok: false, error: { code, message, hint }, steps: end.steps };
        this.show(report, flags, () => summary(end.steps, this.width));
        this.reportError(end.error);
        return;
      }
      case 'lost':
        this.reportError(end.error);
        return;
      default:
        end satisfies never;
    }
  }

  private reportError({ message, hint, exit }: KashboxError): void {
    process.exitCode = exit;
    this.note(`Error: ${message}\nNext: ${hint}`);
  }

  private get screen(): Screen {
    const { stdout } = process;
    return {
      write: (text) => this.write(text),
      width: this.width,
      // Heeds NO_COLOR and terminals without colours.
      colour: stdout.isTTY && stdout.hasColors(),
      live: stdout.isTTY,
    };
  }
}
