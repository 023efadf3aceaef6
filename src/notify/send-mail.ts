/**
 * Sends one alert as an e-mail, once: to addresses that were judged, within one deadline, and never without
 * encryption beyond this machine. No result repeats the password.
 */
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describeNetFailure, errorCode } from '../base/io/net-failure.js';
import { CONNECT_MS } from '../base/io/read-answer.js';
import { dhakaText } from '../base/values/clock.js';
import type { AlertPayload, AlertTarget } from '../domain/alerts/alert-target.js';
import { fixedAddresses } from './exchange.js';
import { judge, type Resolve, resolveWithDns, resolveWithSystem } from './guard.js';
import { answerText, inSeconds } from './outcome.js';

export type MailTarget = Extract<AlertTarget, { readonly kind: 'email' }>;

export type MailResult =
  | { readonly isDelivered: true; readonly detail: string }
  /** `isBlocked`: the address is not one that may be called. */
  | { readonly isDelivered: false; readonly detail: string; readonly isBlocked: boolean };

const TLS = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;

interface MailOptions {
  /** Time limit for everything from the look-up of the name to the last reply of the server, ms. */
  readonly deadlineMs: number;
  /** Default: DNS; the system's resolver for targets with `allowPrivate`. */
  readonly resolve?: Resolve | undefined;
}

const failed = (detail: string, isBlocked = false): MailResult => ({ isDelivered: false, detail, isBlocked });

/** Sends a mail. Never rejects because of a server. */
export async function sendMail(
  target: MailTarget,
  payload: AlertPayload,
  { deadlineMs, resolve = target.allowPrivate ? resolveWithSystem : resolveWithDns }: MailOptions,
): Promise<MailResult> {
  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => ending.abort(), deadlineMs);
  const { host, allowPrivate } = target;
  const named = host.includes(':') ? `[${host}]` : host;
  const question = { url: `https://${named}/`, allowPrivate, resolve, signal, deadlineMs };
  let socket: Socket | undefined;
  try {
    const judgement = await judge(question);
    if ('refusal' in judgement) {
      const { outcome, detail } = judgement.refusal;
      return failed(detail, outcome === 'blocked');
    }
    socket = dial(target, judgement.ips);
    await once(socket, 'connect', { signal });
    const connection = target.isSecure ? await secured(target, socket, signal) : socket;
    return { isDelivered: true, detail: await talk(target, payload, connection, signal) };
  } catch (error) {
    if (signal.aborted) return failed(`the mail server took longer than ${inSeconds(deadlineMs)}`);
    return failed(faultText(error, target));
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

/** Opens a connection to the addresses that were checked, not to those of a second look-up. */
function dial({ host, port }: MailTarget, ips: readonly string[]): Socket {
  const lookup = fixedAddresses(ips);
  const socket = connect({ host, port, lookup, autoSelectFamilyAttemptTimeout: CONNECT_MS });
  // Later errors are ignored, but must not end the process.
  socket.on('error', () => {});
  return socket;
}

/** Starts TLS. Done here and not by the library, which loses the reason why a certificate is invalid. */
async function secured({ host }: MailTarget, socket: Socket, signal: AbortSignal): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  const encrypted = connectTls({ socket, ...name, ...TLS }).on('error', () => {});
  await once(encrypted, 'secureConnect', { signal });
  return encrypted;
}

async function talk(
  target: MailTarget,
  payload: AlertPayload,
  connection: Socket,
  signal: AbortSignal,
): Promise<string> {
  const { host, port, isSecure, isLocal, user, password, from, to } = target;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...{ host, port, connection, secure: isSecure, secured: isSecure },
    // On this machine nobody listens on the way, and its certificate is seldom one that holds.
    ...{ requireTLS: !isSecure && !isLocal, ignoreTLS: !isSecure && isLocal },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    tls: TLS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sent = await transport.sendMail({
    signal,
    envelope: { from, to: [to] },
    from: { name: 'Kashbox', address: from },
    to: { name: '', address: to },
    subject: subjectOf(payload),
    text: `${payload.message}\n\n${dhakaText(Date.parse(payload.words.AT ?? ''))} in Bangladesh, ${payload.id}\n`,
    // The same in all tries, by which mail programs know a repeat.
    messageId: `<${payload.id}@${host}>`,
    headers: { 'auto-submitted': 'auto-generated' },
  });
  return `taken: ${answerText(Buffer.from(sent.response)) ?? ''}`.slice(0, MAX_SAID);
}

const MAX_SUBJECT = 120;
const MAX_SAID = 200;

/** One line, whatever a merchant is called. */
function subjectOf({ words }: AlertPayload): string {
  const merchant = words.MERCHANT ?? '';
  const subject = `Kashbox: ${words.EVENT ?? ''}${merchant === '' ? '' : `, ${merchant}`}`;
  return (answerText(Buffer.from(subject)) ?? '').slice(0, MAX_SUBJECT);
}

/** Fields that nodemailer adds to its errors. */
interface MailError extends Error {
  readonly responseCode?: number;
  /** Last reply of the server. */
  readonly response?: string;
}

function faultText(error: unknown, { password }: MailTarget): string {
  const { responseCode, response = '', message } = error as MailError;
  const code = errorCode(error);
  // After STARTTLS the library overwrites the code, and keeps the words.
  const [, why] = /^(?:Error initiating TLS - )?(.*\b(?:certificate|altnames|SSL)\b.*)$/s.exec(message) ?? [];
  if (why !== undefined && (code === 'ETLS' || code === 'ESOCKET')) {
    return `TLS failed: ${bareText(why, password)}`;
  }
  if (code === 'ETLS') return NO_TLS;
  if (responseCode !== undefined) {
    const refused = code === 'EAUTH' ? 'user name or password refused: ' : 'answered ';
    return refused + bareText(response, password);
  }
  if (code === 'EAUTH') return 'the server takes no user name and password';
  if (code === 'EPROTOCOL') return 'answered with something that is not SMTP';
  if (code === 'ECONNECTION') return 'the server closed the connection before it took the mail';
  return describeNetFailure(error).detail;
}

const NO_TLS = 'the server offers no encryption (STARTTLS); use smtps:// if it does by another port';

/** Formats a server's reply as one line, without the password in case it repeats that. */
function bareText(said: string, password: string | null): string {
  const bare = password === null ? said : said.replaceAll(password, '…');
  return (answerText(Buffer.from(bare)) ?? '').slice(0, MAX_SAID);
}
