/** `kashbox webhooks listen` */
import { string } from '@oclif/core/flags';
import { secretsOfBrand } from '../../src/actions/brands/webhook-secrets.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { quoted } from '../../src/base/values/text.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { brandFlag, integer, ndjsonFlag, text } from '../../src/cli/command/flags.js';
import { environmentSecret } from '../../src/cli/input/webhook-input.js';
import {
  counted,
  formatTally,
  NOTHING,
  type Receiver,
  receivedJson,
  receivedLines,
  startReceiver,
} from '../../src/cli/webhooks/webhook-receiver.js';

export default command({
  summary: 'Receive and check notifications on this machine.',
  description:
    'For developers: runs a server on this machine that answers every notification and prints it, until ' +
    'Ctrl-C. It checks signatures with the secret of --brand or of KASHBOX_WEBHOOK_SECRET. Exit code 4: a ' +
    'signature was wrong.',
  examples: [
    '$ --brand "Amar Dokan"',
    '$ --brand "Amar Dokan" --status 500',
    '$ --brand "Amar Dokan" --count 1 --ndjson > notification.json',
  ],
  flags: {
    port: integer({ description: 'Port (0: any free port).', default: 9_090, min: 0, max: 65_535 }),
    host: string({ helpValue: 'ADDRESS', description: 'Address to listen on.', default: '127.0.0.1' }),
    path: text('PATH', 'Answer only this path, such as /hook (default: any).'),
    status: integer({
      description: 'HTTP status to answer with (default: 200, or 401 for a wrong signature).',
      min: 200,
      max: 599,
    }),
    brand: brandFlag,
    count: integer({ helpValue: 'COUNT', description: 'Exit after this number of notifications.', min: 1 }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, flags }) {
    if (flags.path !== undefined && !flags.path.startsWith('/')) {
      refuse(`--path "${flags.path}" is not a path`, 'Begin it with a slash: --path /hook');
    }
    const secrets = await secretSource(cli, flags.brand);
    // Reports a wrong brand name before anything else.
    const isChecked = (await secrets()).length > 0;
    let tally = NOTHING;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const receiver = await startReceiver({
      port: flags.port,
      host: flags.host,
      path: flags.path ?? null,
      status: flags.status ?? null,
      secrets,
      now: () => Date.now(),
      onReceived: (received) => {
        if (tally.received === flags.count) return;
        tally = counted(tally, received);
        if (!flags.json) cli.show(receivedJson(received), flags, () => receivedLines(received));
        if (tally.received === flags.count) end();
      },
      onRefused: (reason) => {
        tally = { ...tally, refused: tally.refused + 1 };
        cli.note(reason);
      },
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    greet(cli, receiver, flags.brand, isChecked);
    await ended;
    await receiver.close();
    if (flags.json) cli.show(tally, flags, () => []);
    else cli.note(formatTally(tally));
    if (tally.wrong > 0) process.exitCode = 4;
  },
});

async function secretSource(
  cli: BaseCommand,
  brand: string | undefined,
): Promise<() => Promise<readonly string[]>> {
  if (brand !== undefined) {
    const core = await cli.core();
    return () => secretsOfBrand(core, brand, core.clock.now());
  }
  const secret = environmentSecret(process.env);
  return async () => (secret === null ? [] : [secret]);
}

function greet(cli: BaseCommand, { url }: Receiver, brand: string | undefined, isChecked: boolean): void {
  const named = brand === undefined ? 'BRAND' : quoted(brand);
  cli.note(
    [
      `Listening on ${url}`,
      ...(isChecked ? [] : ['Signatures are not checked: name the brand with --brand.']),
      'To receive the notifications of a test brand here:',
      `  kashbox brands update ${named} --webhook-url ${url}`,
      `  kashbox webhooks test --brand ${named}`,
      'For a live brand, set KASHBOX_ALLOW_PRIVATE_WEBHOOKS=true for these commands and the daemon.',
      'Ctrl-C ends it.',
      '',
    ].join('\n'),
  );
}
