/** `kashbox alerts add` */
import { boolean } from '@oclif/core/flags';
import type { TypedTarget } from '../../src/actions/alerts/alert-target-input.js';
import { command, type FlagsOf } from '../../src/cli/command/define.js';
import { text } from '../../src/cli/command/flags.js';

const oneWay = { exactlyOne: ['webhook', 'command', 'telegram'] };

const FLAGS = {
  webhook: text('URL', 'Address that takes a POST.', oneWay),
  command: text('COMMAND', 'What the shell is to run.', oneWay),
  telegram: text('CHAT_ID', 'Chat that the bot writes to: its number, or the @name of a channel.', oneWay),
  'token-stdin': boolean({ description: 'Read the token of the bot from stdin.', dependsOn: ['telegram'] }),
  'telegram-api': text('URL', 'Your own Bot API server, if you run one.', { dependsOn: ['telegram'] }),
  'allow-private': boolean({
    description: 'The address is in your own network, or plain http. This machine needs no leave.',
    exclusive: ['command'],
  }),
};

export default command({
  summary: 'Say where you are told when a phone is in trouble or an SMS is missing.',
  description:
    'Every alert is told everywhere: as a signed JSON POST, by a command on the machine of the daemon, or as a ' +
    'message of your Telegram bot. What fails is tried again five times in about 45 minutes. ' +
    'A command is run by /bin/sh for at most 10 seconds, with the alert as JSON on its stdin and in ' +
    'KASHBOX_ALERT, KASHBOX_ALERT_EVENT, KASHBOX_ALERT_DEVICE and others (docs/alerts.md). ' +
    'The token of the bot is asked for, hidden; a script sets KASHBOX_TELEGRAM_TOKEN or pipes it in with ' +
    '--token-stdin. Addresses, commands and tokens are kept encrypted.',
  makesHome: true,
  examples: [
    '$ --webhook https://hooks.example.com/kashbox',
    '$ --webhook http://192.168.1.20:8123/api/webhook/till --allow-private',
    '$ --command \'notify-send "$KASHBOX_ALERT"\'',
    '$ --telegram 123456789',
  ],
  flags: FLAGS,
  async run({ cli, flags }) {
    const { addAlertTarget } = await import('../../src/actions/alerts/alert-targets.js');
    const { addedLines } = await import('../../src/cli/text/alert-text.js');
    const target = await typedTarget(flags);
    cli.show(await addAlertTarget(await cli.core(), { target, who: cli.who }), flags, addedLines);
  },
});

async function typedTarget(flags: FlagsOf<typeof FLAGS>): Promise<TypedTarget> {
  const { allowPrivate } = flags;
  if (flags.webhook !== undefined) return { kind: 'webhook', url: flags.webhook, allowPrivate };
  if (flags.command !== undefined) return { kind: 'command', command: flags.command };
  const { readToken } = await import('../../src/cli/input/telegram-token.js');
  const token = await readToken({
    isPiped: flags.tokenStdin,
    input: process.stdin,
    env: process.env,
  });
  return { kind: 'telegram', chat: flags.telegram ?? '', token, api: flags.telegramApi, allowPrivate };
}
