/** Loads the body and the secret of a captured notification. The secret never comes from a flag. */
import { refuse } from '../../base/errors/refuse.js';
import { promptSecret } from './ask.js';
import { readWithLimit, wholeFile } from './whole-input.js';

/** Far more than a notification ever has. */
const LIMIT = {
  maxBytes: 1_048_576,
  message: 'The body is longer than 1 MiB',
  hint: 'Give the body of one notification alone.',
};

/** Environment variable with the webhook secret of a brand, for users without access to the store. */
const SECRET_VARIABLE = 'KASHBOX_WEBHOOK_SECRET';

/** @param file absent reads `input`. @returns the bytes as they are. @throws KashboxError `invalid_input` */
export async function loadBody(file: string | undefined, input: NodeJS.ReadStream): Promise<Buffer> {
  if (file === undefined && input.isTTY) noBody('There is no body to check');
  const body = await (file === undefined ? readWithLimit(input, LIMIT) : wholeFile('body-file', file, LIMIT));
  if (body.length === 0) noBody('The body is empty');
  return body;
}

function noBody(message: string): never {
  refuse(message, 'Pipe it in exactly as it came (… < body.json), or name its file with --body-file.');
}

/** @returns the secret from the environment, or null if it is not set. */
export function environmentSecret(env: Readonly<Record<string, string | undefined>>): string | null {
  const secret = env[SECRET_VARIABLE]?.trim() ?? '';
  return secret === '' ? null : secret;
}

/**
 * Loads the secret from the environment, or prompts for it.
 * @throws KashboxError `invalid_input` if neither is possible, or if the user presses Ctrl-C
 */
export async function givenSecret(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const secret = environmentSecret(env);
  if (secret !== null) return secret;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    refuse(
      'There is no secret to check with',
      `Name the brand with --brand, or put its secret into the variable ${SECRET_VARIABLE}.`,
    );
  }
  const left = {
    message: 'Cancelled; nothing was checked',
    hint: 'Run it again: kashbox webhooks verify',
  };
  return (await promptSecret('Webhook secret (whsec_…):', left, '*')).trim();
}
