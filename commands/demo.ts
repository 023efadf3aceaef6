/** `kashbox demo` */
import { boolean } from '@oclif/core/flags';
import type { KashboxError } from '../src/base/errors/errors.js';
import type { BaseCommand } from '../src/cli/command/base-command.js';
import { command } from '../src/cli/command/define.js';
import { integer } from '../src/cli/command/flags.js';
import { anvilProgram } from '../src/demo/chain.js';
import { runDemo } from '../src/demo/demo.js';
import { invitation, suggestedCommands } from '../src/demo/hosted.js';
import { createStepPrinter, type StepOutput, type StepReporter, summary } from '../src/demo/steps.js';

const GREETING = [
  "Kashbox: two payments by wallet, each from the shop's request to the confirmed",
  'SMS, and one in USDT on a chain of its own. The programs, the database and HTTPS',
  'are real; phone, wallets and money are played.',
  '',
];

const SILENT: StepReporter = { begins: () => {}, ended: () => {}, skipped: () => {} };

export default command({
  summary: 'Run a demo shop with the real programs.',
  description:
    'Creates a temporary installation, starts the daemon and the relay agent of a simulated phone, and ' +
    'runs two payments over HTTPS (API, checkout page) and one in USDT if the development package ' +
    '@foundry-rs/anvil is installed. It then stays up until Ctrl-C, with a checkout page for your browser ' +
    'and commands to try, and deletes everything at the end. Your home folder and database are not ' +
    'touched.',
  examples: ['$', '$ --once', '$ --once --json'],
  flags: {
    once: boolean({ description: 'Exit after the summary; exit code 0 only if every step succeeded.' }),
    port: integer({
      description: 'HTTPS port of the daemon; if it is in use, a free one.',
      default: 8443,
      min: 0,
      max: 65_535,
    }),
  },
  async run({ cli, flags }) {
    if (!flags.json) cli.say(GREETING);
    const end = await runDemo({
      root: cli.config.root,
      env: process.env,
      anvil: anvilProgram(cli.config.root),
      port: flags.port,
      audience: flags.json ? SILENT : createStepPrinter(screenOf(cli)),
      stays: !flags.once,
      onPlayed: ({ steps, skipped, stage, counter, checkout }) => {
        const { home, inbox } = stage.places;
        const { daemon, brandKey } = counter.open;
        const visit = checkout === null ? {} : { payment_url: checkout.url, paste: checkout.sms.sentBody };
        const facts = { url: daemon.url, home, inbox, brand_key: brandKey, ...visit };
        cli.show({ ok: true, ...facts, steps, skipped }, flags, () => summary(steps, cli.width));
        if (checkout === null) return;
        const lines = [
          '',
          ...suggestedCommands(stage, counter),
          '',
          ...invitation(checkout),
          '',
          'Ctrl-C ends it.',
        ];
        cli.note(lines.join('\n'));
      },
      onChange: (line) => cli.note(line),
    });
    switch (end.outcome) {
      case 'held':
        if (!flags.once) cli.note('Stopped; nothing of it is left.');
        return;
      case 'interrupted':
        process.exitCode = end.exit;
        cli.note('Stopped before its end; nothing of it is left.');
        return;
      case 'failed': {
        const { code, message, hint } = end.error;
        const report = { ok: false, error: { code, message, hint }, steps: end.steps };
        cli.show(report, flags, () => summary(end.steps, cli.width));
        reportError(cli, end.error);
        return;
      }
      case 'lost':
        reportError(cli, end.error);
        return;
      default:
        end satisfies never;
    }
  },
});

function reportError(cli: BaseCommand, { message, hint, exit }: KashboxError): void {
  process.exitCode = exit;
  cli.note(`Error: ${message}\nNext: ${hint}`);
}

function screenOf(cli: BaseCommand): StepOutput {
  const { stdout } = process;
  return {
    write: (text) => cli.write(text),
    width: cli.width,
    // Heeds NO_COLOR and terminals without colours.
    colour: stdout.isTTY && stdout.hasColors(),
    live: stdout.isTTY,
  };
}
