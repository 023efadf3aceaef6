/**
 * Loads secrets, such as the API key and secret of an exchange, from stdin, environment or a prompt, never
 * from a flag: flags are visible in the process list and in the shell history. Prints no secret.
 */
import type { Credentials } from '../../actions/accounts/account-input.js';
import { refuse } from '../../base/errors/refuse.js';
import { promptSecret, requireTerminal } from './ask.js';
import { readWithLimit } from './whole-input.js';

const ENVIRONMENT = { key: 'KASHBOX_EXCHANGE_KEY', secret: 'KASHBOX_EXCHANGE_SECRET' } as const;
const TWO_LINES = 'Pipe in two lines: the key, then the secret.';
const LIMIT = {
  // Two lines of the longest that are taken, with room.
  maxBytes: 4_096,
  message: 'stdin contains more than a key and a secret',
  hint: TWO_LINES,
};

interface CredentialSources {
  /** Two lines are to be read from `input`. */
  readonly isPiped: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if the terminal can show a prompt. */
  readonly isTerminal: boolean;
}

/**
 * @returns undefined where none are given, which keeps those that are there.
 * @throws KashboxError `invalid_input` where only one of the two is given.
 */
export async function loadCredentials(sources: CredentialSources): Promise<Credentials | undefined> {
  if (sources.isPiped) return fromLines((await readWithLimit(sources.input, LIMIT)).toString('utf8'));
  const given = fromEnvironment(sources.env);
  if (given !== undefined || !sources.isTerminal) return given;
  return askCredentials();
}

function fromEnvironment(env: CredentialSources['env']): Credentials | undefined {
  const key = env[ENVIRONMENT.key] ?? '';
  const secret = env[ENVIRONMENT.secret] ?? '';
  if (key === '' && secret === '') return undefined;
  return both(key, secret, `Set both ${ENVIRONMENT.key} and ${ENVIRONMENT.secret}, or neither.`);
}

function fromLines(text: string): Credentials {
  const [key = '', secret = '', ...rest] = text.replace(/\n$/, '').split('\n');
  if (rest.length > 0) refuse('There are more than two lines on stdin', TWO_LINES);
  return both(key.trim(), secret.trim(), TWO_LINES);
}

function both(key: string, secret: string, hint: string): Credentials {
  if (key === '') refuse('The API key is missing', hint);
  if (secret === '') refuse('The API secret is missing', hint);
  return { key, secret };
}

const AGAIN = 'Start again with key and secret at hand.';

async function askCredentials(): Promise<Credentials | undefined> {
  const left = { message: 'Cancelled; nothing was changed', hint: AGAIN };
  const keeps = 'API key of the exchange (hidden; Enter keeps the one that is set):';
  const key = (await promptSecret(keeps, left)).trim();
  if (key === '') return undefined;
  return both(key, (await promptSecret('Its secret (hidden):', left)).trim(), AGAIN);
}

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
  key: {
    noun: 'The Brand Key',
    variable: 'KASHBOX_BRAND_KEY',
    flag: '--key-stdin',
    question: 'Brand Key (hidden):',
  },
} as const;

interface SecretSources {
  readonly kind: keyof typeof SECRETS;
  /** True if the secret is read from `input`. */
  readonly isPiped: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws KashboxError `invalid_input` if the secret is not given and no terminal is available. */
export async function loadSecret({ kind, isPiped, input, env }: SecretSources): Promise<string> {
  const { noun, variable, flag, question } = SECRETS[kind];
  const ways = `Set ${variable}, or pipe the ${kind} in with ${flag}.`;
  if (isPiped) {
    const limit = { maxBytes: 1_024, message: `stdin contains more than a ${kind}`, hint: ways };
    return (await readWithLimit(input, limit)).toString('utf8');
  }
  const given = env[variable] ?? '';
  if (given !== '') return given;
  requireTerminal(`${noun} is missing`, ways);
  return promptSecret(question, {
    message: 'Cancelled; nothing was changed',
    hint: `Get the ${kind}, then run the command again.`,
  });
}

const WAYS = 'Name a file that holds it with --passphrase-file, or set KASHBOX_BACKUP_PASSPHRASE.';
const LEFT = { message: 'Cancelled; nothing was changed', hint: WAYS };

/** @throws KashboxError `invalid_input` if no terminal is available. */
export async function promptPassphrase(): Promise<string> {
  requireTerminal('The backup is encrypted, and its passphrase is missing', WAYS);
  return promptSecret('Passphrase of the backup (hidden):', LEFT);
}

/** Prompts twice: a typing error would make the backup unusable. @throws KashboxError `invalid_input` */
export async function promptNewPassphrase(): Promise<string> {
  requireTerminal('The passphrase is missing', WAYS);
  const passphrase = await promptSecret('Passphrase for the backup (hidden):', LEFT);
  if ((await promptSecret('Once more (hidden):', LEFT)) === passphrase) return passphrase;
  return refuse('The two are not the same', 'Start again.');
}
