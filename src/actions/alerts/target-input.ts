/**
 * Validates an alert target as typed by an operator: its address, the alerts it receives, and when. Errors
 * never repeat a possible secret.
 */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits, echoed } from '../../base/values/text.js';
import { isThisMachine } from '../../channels/sources.js';
import { CHOICES, isChosen, parseChoice, USUAL } from '../../domain/alerts/alert.js';
import type { AlertTarget } from '../../domain/alerts/alert-target.js';
import { nextTimeOfDay, parseQuietHours, parseTimeOfDay } from '../../domain/alerts/quiet-hours.js';
import { webhookFault } from '../../domain/notifications/address.js';
import type { AlertTargetTable } from '../../store/schema/index.js';
import { MAX_EMAIL, MAX_URL } from '../input/fields.js';

const MAX_COMMAND = 4_096;
const TELEGRAM_API = 'https://api.telegram.org';

export type TypedTarget =
  | { readonly kind: 'webhook'; readonly url: string; readonly allowPrivate: boolean }
  | { readonly kind: 'command'; readonly command: string }
  | {
      readonly kind: 'telegram';
      readonly chat: string;
      readonly token: string;
      /** Address of one's own Bot API server; undefined for Telegram's. */
      readonly api: string | undefined;
      readonly allowPrivate: boolean;
    }
  | TypedMail;

/** @param newSecret makes the secret that a webhook is signed with. @throws KashboxError `invalid_input` */
export function validateTarget(typed: TypedTarget, newSecret: () => string): AlertTarget {
  switch (typed.kind) {
    case 'webhook': {
      const { url, allowPrivate } = validateAddress('webhook', typed.url, typed.allowPrivate);
      return { kind: 'webhook', url: url.href, secret: newSecret(), allowPrivate };
    }
    case 'command':
      return { kind: 'command', command: validateCommand(typed.command) };
    case 'telegram': {
      const { api = TELEGRAM_API } = typed;
      const { url, allowPrivate } = validateAddress('telegram-api', api, typed.allowPrivate);
      const chat = validateChat(typed.chat);
      const token = validateToken(typed.token);
      return { kind: 'telegram', api: url.href.replace(/\/+$/, ''), token, chat, allowPrivate };
    }
    case 'email':
      return validateMail(typed);
    default:
      return typed satisfies never;
  }
}

/** Validates a web address. The operator's own machine is allowed without `--allow-private`. */
function validateAddress(field: string, text: string, isAllowed: boolean) {
  const bare = text.trim();
  const isPlain = bare.length <= MAX_URL && /^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(bare);
  if (!isPlain || !URL.canParse(bare)) {
    refuse(`${field} is not a web address`, 'Write it in full: https://hooks.example.com/…');
  }
  const url = new URL(bare);
  const allowPrivate = isAllowed || isThisMachine(url);
  const fault = webhookFault(url, allowPrivate);
  if (fault === null) return { url, allowPrivate };
  return refuse(
    `${field} ${fault}`,
    'Give a public https address. With --allow-private, private addresses and plain http are accepted.',
  );
}

function validateCommand(text: string): string {
  const command = text.trim();
  if (command === '' || command.length > MAX_COMMAND || /\p{Cc}/u.test(command)) {
    refuse(
      `command must be one line of at most ${MAX_COMMAND} characters`,
      'Put a longer command into a file, and name the file: --command /usr/local/bin/tell-me',
    );
  }
  return command;
}

function validateChat(text: string): string {
  const chat = text.trim();
  if (/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(chat)) return chat;
  return refuse(
    'telegram is not a chat',
    'Give the number of a chat such as 123456789 or -1001234567890, or the @name of a channel.',
  );
}

function validateToken(text: string): string {
  const token = text.trim();
  if (/^\d{3,20}:[\w-]{20,100}$/.test(token)) return token;
  return refuse(
    'The token is not one of a Telegram bot',
    'Copy all of it from BotFather: digits, a colon, letters. It is read from KASHBOX_TELEGRAM_TOKEN ' +
      'or stdin.',
  );
}

export interface TypedMail {
  readonly kind: 'email';
  readonly to: string;
  /** `smtps://user@mail.example.com:465`, or `smtp://…` where encryption is begun by STARTTLS. */
  readonly smtp: string;
  /** Undefined where none was given. */
  readonly password: string | undefined;
  /** Undefined for the user name, where that is an address, else the address that is written to. */
  readonly from: string | undefined;
  readonly allowPrivate: boolean;
}

type Mail = Extract<AlertTarget, { readonly kind: 'email' }>;

/** @throws KashboxError `invalid_input` */
function validateMail(typed: TypedMail): Mail {
  const to = mailAddress('email', typed.to);
  const server = parseMailServer(typed.smtp, typed.allowPrivate);
  const { user } = server;
  const { password = null } = typed;
  if (user === null && password !== null) {
    refuse(
      'There is a password but no user name',
      'Put the user name into --smtp: smtps://user@mail.example.com',
    );
  }
  if (user !== null && (password === null || /\p{Cc}/u.test(password.trim()) || password.trim() === '')) {
    refuse(
      'The password of the mail server is missing',
      'Set KASHBOX_SMTP_PASSWORD, or use --password-stdin.',
    );
  }
  const sender = typed.from ?? (user?.includes('@') ? user : to);
  const from = mailAddress('mail-from', sender);
  return { kind: 'email', to, from, ...server, password: password === null ? null : password.trim() };
}

/** E-mail address without characters that could inject headers or commands. */
const ADDRESS = /^[^\s@<>()",:;\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",:;\\[\]\p{Cc}\p{Cf}]+$/u;

function mailAddress(field: string, text: string): string {
  const bare = text.trim();
  if (bare.length <= MAX_EMAIL && ADDRESS.test(bare)) return bare;
  return refuse(`${field} is not an e-mail address`, 'Write one address only, such as owner@example.com.');
}

const PORTS = [25, 465, 587, 2525];
const MAX_PORT = 65_535;

/** @returns the server settings and user name; a password is needed only with a user name. */
export function parseMailServer(text: string, isAllowed: boolean) {
  const bare = text.trim();
  const [, scheme = '', authority = ''] = /^(smtps?):\/\/([^\s/?#\\]+)\/?$/i.exec(bare) ?? [];
  const isFit = authority !== '' && bare.length <= MAX_URL && URL.canParse(`https://${authority}/`);
  if (!isFit) {
    refuse(
      'smtp is not the address of a mail server',
      'Write it as smtps://user@mail.example.com:465 or smtp://…:587',
    );
  }
  // As a web address, because only that shows what a host such as 127.1 is.
  const url = new URL(`https://${authority}/`);
  if (url.password !== '') {
    refuse(
      'smtp contains a password',
      'Leave it out: the command prompts for it, or reads KASHBOX_SMTP_PASSWORD.',
    );
  }
  const isSecure = scheme.toLowerCase() === 'smtps';
  const isLocal = isThisMachine(url);
  const allowPrivate = isAllowed || isLocal;
  const port = portOf(authority) ?? (isSecure ? 465 : 587);
  if (port < 1 || port > MAX_PORT || (!allowPrivate && !PORTS.includes(port))) {
    refuse(`smtp must not use port ${port}`, `Mail servers listen on ${PORTS.join(', ')}.`);
  }
  const fault = webhookFault(new URL(`https://${url.hostname}/`), allowPrivate);
  if (fault !== null) {
    refuse(
      `smtp ${fault}`,
      'Name a public mail server. With --allow-private, private addresses are accepted.',
    );
  }
  const user = url.username === '' ? null : decoded(url.username);
  if (user !== null && /\p{Cc}/u.test(user)) {
    refuse(
      'The user name in smtp contains a line break or another control character',
      'Write only the name.',
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port, isSecure, isLocal, user, allowPrivate };
}

/** The parser leaves out 443, which it takes for the usual one. */
function portOf(authority: string): number | null {
  const [, digits] = /:(\d{1,5})$/.exec(authority) ?? [];
  return digits === undefined ? null : Number(digits);
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return refuse('The user name in smtp contains an invalid %', 'Write %25 where a % is meant.');
  }
}

/** Settings of a target. Undefined leaves a setting unchanged; null clears it. */
export interface TargetChoices {
  /** Names of kinds and groups. */
  readonly events?: string | undefined;
  /** `23:00-07:00` in Bangladesh. */
  readonly quiet?: string | null | undefined;
  /** True if quiet hours also delay urgent alerts. */
  readonly quietAll?: boolean | undefined;
  /** `21:00` in Bangladesh. */
  readonly daily?: string | null | undefined;
  readonly buttons?: boolean | undefined;
  /** Ids of Telegram users; null for every member of the chat. */
  readonly approvers?: string | null | undefined;
}

type ChoiceColumns = Omit<
  AlertTargetTable,
  'id' | 'kind' | 'secret' | 'hint' | 'fingerprint' | 'created_at' | 'removed_at' | 'paused_until'
>;

export const USUAL_CHOICES: ChoiceColumns = {
  events: USUAL,
  tells_payments: 0,
  quiet_from: null,
  quiet_until: null,
  quiet_all: 0,
  daily_at: null,
  daily_due: null,
  buttons: 0,
  approvers: '',
};

/** @returns the columns that were given, all others undefined. @throws KashboxError `invalid_input` */
export function choiceColumns(
  choices: TargetChoices,
  now: number,
): { [K in keyof ChoiceColumns]?: ChoiceColumns[K] | undefined } {
  const { events, quiet, quietAll, daily, buttons, approvers } = choices;
  const chosen = events === undefined ? undefined : validateEvents(events);
  const hours = quiet == null ? quiet : validateQuietHours(quiet);
  const minute = daily == null ? daily : validateDailyTime(daily);
  const flag = (is: boolean | undefined) => (is === undefined ? undefined : Number(is));
  return {
    events: chosen,
    tells_payments: chosen === undefined ? undefined : Number(isChosen(chosen, 'payment.completed')),
    quiet_from: hours === null ? null : hours?.from,
    quiet_until: hours === null ? null : hours?.until,
    // Without quiet hours it means nothing.
    quiet_all: quiet === undefined ? flag(quietAll) : Number(quiet !== null && quietAll === true),
    daily_at: minute,
    daily_due: minute == null ? minute : nextTimeOfDay(minute, now),
    buttons: flag(buttons),
    approvers: approvers == null ? (approvers === null ? '' : undefined) : validateApprovers(approvers),
  };
}

function validateEvents(typed: string): string {
  const read = parseChoice(typed);
  if ('chosen' in read) return read.chosen;
  const said = read.unknown === '' ? 'events is empty' : `There is no event "${echoed(read.unknown)}"`;
  return refuse(said, `Choose some of these, with commas between: ${CHOICES.join(', ')}`);
}

function validateQuietHours(typed: string) {
  const hint = 'Use start and end in Bangladesh time: --quiet-hours 23:00-07:00';
  return parseQuietHours(typed) ?? refuse(`quiet "${echoed(typed)}" is not a time range`, hint);
}

function validateDailyTime(typed: string): number {
  const hint = 'Use a Bangladesh time: --daily-summary 21:00';
  return parseTimeOfDay(typed) ?? refuse(`daily "${echoed(typed)}" is not a time of day`, hint);
}

const MAX_APPROVERS = 50;

function validateApprovers(typed: string): string {
  const ids = asciiDigits(typed)
    .split(/[\s,]+/)
    .filter((id) => id !== '');
  const isFit =
    ids.length > 0 && ids.length <= MAX_APPROVERS && ids.every((id) => /^[1-9]\d{0,19}$/.test(id));
  if (isFit) return [...new Set(ids)].join(' ');
  return refuse(
    `approvers must be 1 to ${MAX_APPROVERS} ids of Telegram users`,
    'Give the numbers, not the names, with commas between: --approvers 123456789,987654321',
  );
}
