/** Checks a mail address and its server, as an operator types them. Errors never repeat a possible secret. */
import { refuse } from '../../base/errors/refuse.js';
import { isThisMachine } from '../../channels/sources.js';
import type { AlertTarget } from '../../domain/alerts/alert-target.js';
import { webhookFault } from '../../domain/notifications/address.js';
import { MAX_EMAIL, MAX_URL } from '../input/fields.js';

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
export function readMail(typed: TypedMail): Mail {
  const to = mailAddress('email', typed.to);
  const server = readMailServer(typed.smtp, typed.allowPrivate);
  const { user } = server;
  const { password = null } = typed;
  if (user === null && password !== null) {
    refuse(
      'There is a password and no user name',
      'Write the user into --smtp: smtps://user@mail.example.com',
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

/** Of headers and commands nothing can be made with these. */
const ADDRESS = /^[^\s@<>()",:;\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",:;\\[\]\p{Cc}\p{Cf}]+$/u;

function mailAddress(field: string, text: string): string {
  const bare = text.trim();
  if (bare.length <= MAX_EMAIL && ADDRESS.test(bare)) return bare;
  return refuse(`${field} is no e-mail address`, 'Write one address alone, as owner@example.com.');
}

const PORTS = [25, 465, 587, 2525];
const MAX_PORT = 65_535;

/** @returns what is said of the server, and its user, without which no password is asked for. */
export function readMailServer(text: string, isAllowed: boolean) {
  const bare = text.trim();
  const [, scheme = '', authority = ''] = /^(smtps?):\/\/([^\s/?#\\]+)\/?$/i.exec(bare) ?? [];
  const isFit = authority !== '' && bare.length <= MAX_URL && URL.canParse(`https://${authority}/`);
  if (!isFit) {
    refuse(
      'smtp is no address of a mail server',
      'Write it as smtps://user@mail.example.com:465 or smtp://…:587',
    );
  }
  // As a web address, because only that shows what a host such as 127.1 is.
  const url = new URL(`https://${authority}/`);
  if (url.password !== '') {
    refuse('smtp holds a password', 'Leave it out: it is asked for, or read from KASHBOX_SMTP_PASSWORD.');
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
      'Name a public mail server. With --allow-private one of your own network is taken.',
    );
  }
  const user = url.username === '' ? null : decoded(url.username);
  if (user !== null && /\p{Cc}/u.test(user)) {
    refuse('The user name in smtp holds a line break or another control character', 'Write the bare name.');
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
    return refuse('The user name in smtp has a % that is none', 'Write %25 where a % is meant.');
  }
}
