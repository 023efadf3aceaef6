/**
 * The secret of an alert target, by any way but a flag: flags stand in the list of processes and in the
 * shell's history. Nothing of it is printed.
 */
import { askHidden } from './ask-hidden.js';
import { requireTerminal } from './require-terminal.js';
import { wholeOf } from './whole-input.js';

const SECRETS = {
  token: {
    noun: 'The token of the Telegram bot',
    variable: 'KASHBOX_TELEGRAM_TOKEN',
    flag: '--token-stdin',
    question: 'Token of the bot, from BotFather (hidden):',
  },
  password: {
    noun: 'The password of the mail server',
    variable: 'KASHBOX_SMTP_PASSWORD',
    flag: '--password-stdin',
    question: 'Password of the mail server (hidden):',
  },
} as const;

export interface SecretSources {
  readonly kind: keyof typeof SECRETS;
  /** It is to be read from `input`. */
  readonly isPiped: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws KashboxError `invalid_input` where it is nowhere and nobody can be asked. */
export async function readSecret({ kind, isPiped, input, env }: SecretSources): Promise<string> {
  const { noun, variable, flag, question } = SECRETS[kind];
  const ways = `Set ${variable}, or pipe the ${kind} in with ${flag}.`;
  if (isPiped) {
    const limit = { maxBytes: 1_024, message: `There is more on stdin than a ${kind}`, hint: ways };
    return (await wholeOf(input, limit)).toString('utf8');
  }
  const given = env[variable] ?? '';
  if (given !== '') return given;
  requireTerminal(`${noun} is missing`, ways);
  return askHidden(question, {
    message: 'You left before the end; nothing was changed',
    hint: `Start again with the ${kind} at hand.`,
  });
}
