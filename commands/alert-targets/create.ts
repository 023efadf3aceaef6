/** `kashbox alert-targets create` */
import { boolean } from '@oclif/core/flags';
import { addAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { parseMailServer, type TypedTarget } from '../../src/actions/alerts/target-input.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { numberWord } from '../../src/base/values/text.js';
import { command, type FlagsOf } from '../../src/cli/command/define.js';
import { text } from '../../src/cli/command/flags.js';
import { choiceFlags, toTargetChoices } from '../../src/cli/command/target-flags.js';
import { loadSecret } from '../../src/cli/input/secrets.js';
import { addedLines } from '../../src/cli/text/alert-text.js';
import { ALERT_RETRIES, ALERT_RETRY_MINUTES } from '../../src/domain/alerts/alert-target.js';

const oneWay = { exactlyOne: ['webhook', 'command', 'telegram', 'email'] };

const FLAGS = {
  webhook: text('URL', 'Webhook URL that receives a POST.', oneWay),
  command: text('COMMAND', 'Shell command to run.', oneWay),
  telegram: text('CHAT_ID', 'Telegram chat: its number, or the @name of a channel.', oneWay),
  email: text('ADDRESS', 'E-mail address.', oneWay),
  smtp: text('URL', 'Mail server: smtps://user@mail.example.com:465, or smtp:// with STARTTLS.', {
    dependsOn: ['email'],
  }),
  'mail-from': text('ADDRESS', 'Sender address (default: the user of --smtp).', {
    dependsOn: ['email'],
  }),
  'password-stdin': boolean({
    description: 'Read the password of the mail server from stdin.',
    dependsOn: ['email'],
  }),
  'token-stdin': boolean({ description: 'Read the token of the bot from stdin.', dependsOn: ['telegram'] }),
  'telegram-api': text('URL', 'Bot API server, if you run your own.', { dependsOn: ['telegram'] }),
  'allow-private': boolean({
    description: 'Allow a private address or plain http (not needed for this machine).',
    exclusive: ['command'],
  }),
  ...choiceFlags,
};

export default command({
  summary: 'Add an alert target.',
  description:
    'Sends alerts as a signed JSON POST, to a command on the machine of the daemon, as a Telegram message, or by ' +
    'e-mail. Without --events all but completed payments; "--events default,payment.completed" adds them. A failed ' +
    `delivery is retried ${numberWord(ALERT_RETRIES)} times in about ${ALERT_RETRY_MINUTES} minutes. ` +
    'A command runs by /bin/sh for at most 10 seconds, with the alert as JSON on stdin (docs/alerts.md). The bot ' +
    'token and the mail password are prompted for, or set KASHBOX_TELEGRAM_TOKEN and KASHBOX_SMTP_PASSWORD. ' +
    'Addresses, commands and secrets are stored encrypted.',
  makesHome: true,
  examples: [
    '$ --webhook https://hooks.example.com/kashbox',
    '$ --webhook http://192.168.1.20:8123/api/webhook/till --allow-private',
    '$ --command \'notify-send "$KASHBOX_ALERT"\'',
    '$ --telegram 123456789',
    '$ --email owner@example.com --smtp smtps://alerts%40example.com@mail.example.com:465',
    '$ --telegram -1001234567890 --events money --buttons --approvers 123456789',
    '$ --telegram 123456789 --quiet-hours 23:00-07:00 --daily-summary 21:00',
  ],
  flags: FLAGS,
  async run({ cli, flags }) {
    const target = await typedTarget(flags);
    const given = { target, choices: toTargetChoices(flags), who: cli.who };
    cli.show(await addAlertTarget(await cli.core(), given), flags, addedLines);
  },
});

async function typedTarget(flags: FlagsOf<typeof FLAGS>): Promise<TypedTarget> {
  const { allowPrivate } = flags;
  if (flags.webhook !== undefined) return { kind: 'webhook', url: flags.webhook, allowPrivate };
  if (flags.command !== undefined) return { kind: 'command', command: flags.command };
  const sources = { input: process.stdin, env: process.env };
  if (flags.email !== undefined) {
    const { email: to, smtp, mailFrom: from, passwordStdin: isPiped } = flags;
    if (smtp === undefined)
      refuse('smtp is missing', 'Name the mail server: --smtp smtps://user@mail.example.com');
    const isNamed = parseMailServer(smtp, allowPrivate).user !== null;
    const password =
      isNamed || isPiped ? await loadSecret({ kind: 'password', isPiped, ...sources }) : undefined;
    return { kind: 'email', to, smtp, password, from, allowPrivate };
  }
  const token = await loadSecret({ kind: 'token', isPiped: flags.tokenStdin, ...sources });
  return { kind: 'telegram', chat: flags.telegram ?? '', token, api: flags.telegramApi, allowPrivate };
}
