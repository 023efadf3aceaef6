/** Checks alert targets. Errors never repeat a possible secret. */
import { refuse } from '../../base/errors/refuse.js';
import { isThisMachine } from '../../channels/sources.js';
import type { AlertTarget } from '../../domain/alerts/alert-target.js';
import { webhookFault } from '../../domain/notifications/address.js';
import { MAX_URL } from '../input/fields.js';
import { readMail, type TypedMail } from './mail-target-input.js';

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
export function readTarget(typed: TypedTarget, newSecret: () => string): AlertTarget {
  switch (typed.kind) {
    case 'webhook': {
      const { url, allowPrivate } = readAddress('webhook', typed.url, typed.allowPrivate);
      return { kind: 'webhook', url: url.href, secret: newSecret(), allowPrivate };
    }
    case 'command':
      return { kind: 'command', command: readCommand(typed.command) };
    case 'telegram': {
      const { api = TELEGRAM_API } = typed;
      const { url, allowPrivate } = readAddress('telegram-api', api, typed.allowPrivate);
      const chat = readChat(typed.chat);
      const token = readToken(typed.token);
      return { kind: 'telegram', api: url.href.replace(/\/+$/, ''), token, chat, allowPrivate };
    }
    case 'email':
      return readMail(typed);
    default:
      return typed satisfies never;
  }
}

/** An operator's own machine may be called without being asked for leave. */
function readAddress(field: string, text: string, isAllowed: boolean) {
  const bare = text.trim();
  const isPlain = bare.length <= MAX_URL && /^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(bare);
  if (!isPlain || !URL.canParse(bare)) {
    refuse(`${field} is no web address`, 'Write it in full: https://hooks.example.com/…');
  }
  const url = new URL(bare);
  const allowPrivate = isAllowed || isThisMachine(url);
  const fault = webhookFault(url, allowPrivate);
  if (fault === null) return { url, allowPrivate };
  return refuse(
    `${field} ${fault}`,
    'Give a public https address. With --allow-private one of your own network is taken, and plain http.',
  );
}

function readCommand(text: string): string {
  const command = text.trim();
  if (command === '' || command.length > MAX_COMMAND || /\p{Cc}/u.test(command)) {
    refuse(
      `command must be one line of at most ${MAX_COMMAND} characters`,
      'Put what is longer into a file, and name that: --command /usr/local/bin/tell-me',
    );
  }
  return command;
}

function readChat(text: string): string {
  const chat = text.trim();
  if (/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(chat)) return chat;
  return refuse(
    'telegram is no chat',
    'Give the number of a chat such as 123456789 or -1001234567890, or the @name of a channel.',
  );
}

function readToken(text: string): string {
  const token = text.trim();
  if (/^\d{3,20}:[\w-]{20,100}$/.test(token)) return token;
  return refuse(
    'The token is none of a Telegram bot',
    'Copy it whole from BotFather: digits, a colon, letters. It is read from KASHBOX_TELEGRAM_TOKEN or stdin.',
  );
}
