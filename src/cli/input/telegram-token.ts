/**
 * The token of a Telegram bot, by any way but a flag: flags stand in the list of processes and in the shell's
 * history. Nothing of it is printed.
 */
import { askHidden } from './ask-hidden.js';
import { requireTerminal } from './require-terminal.js';
import { wholeOf } from './whole-input.js';

const ENVIRONMENT = 'KASHBOX_TELEGRAM_TOKEN';
const WAYS = `Set ${ENVIRONMENT}, or pipe the token in with --token-stdin.`;

export interface TokenSources {
  /** The token is to be read from `input`. */
  readonly isPiped: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws KashboxError `invalid_input` where it is nowhere and nobody can be asked. */
export async function readToken({ isPiped, input, env }: TokenSources): Promise<string> {
  if (isPiped) {
    const limit = { maxBytes: 1_024, message: 'There is more on stdin than a token', hint: WAYS };
    return (await wholeOf(input, limit)).toString('utf8');
  }
  const given = env[ENVIRONMENT] ?? '';
  if (given !== '') return given;
  requireTerminal('The token of the Telegram bot is missing', WAYS);
  return askHidden('Token of the bot, from BotFather (hidden):', {
    message: 'You left before the end; nothing was changed',
    hint: 'Start again with the token at hand.',
  });
}
