/**
 * Sends one alert to one target, once: by HTTPS, a command, a Telegram bot, or e-mail. Knows no schedule and
 * no store, and puts no credentials into its results.
 */
import type { AlertPayload, AlertTarget, Delivery } from '../domain/alerts/alert-target.js';
import { telegramText, toReplyMarkup } from '../domain/alerts/telegram.js';
import type { AttemptResult } from '../domain/notifications/notification.js';
import type { Resolve } from './guard.js';
import { type CommandEnd, runCommand } from './run-command.js';
import type { NotificationSender, Post } from './send.js';
import type { MailResult } from './send-mail.js';
import { signatureHeaders } from './signature.js';

export interface DeliveryResult extends Delivery {
  /** Result in words. */
  readonly detail: string;
}

export interface AlertSender {
  /** Never rejects because of a target. @param at milliseconds since the epoch, for the signature. */
  send(target: AlertTarget, payload: AlertPayload, at: number): Promise<DeliveryResult>;
}

interface AlertSenderParts {
  readonly sender: NotificationSender;
  /** Environment variables of commands, in addition to those of the alert. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time limit of one delivery, ms; default: 5 s by HTTP, 10 s by a command, 15 s by mail. */
  readonly limitMs?: number;
  /** Resolver of the names of mail servers; default: DNS. */
  readonly resolve?: Resolve;
}

export function createAlertSender({ sender, env, limitMs, resolve }: AlertSenderParts): AlertSender {
  const deadline = limitMs === undefined ? {} : { deadlineMs: limitMs };
  const limit = limitMs === undefined ? {} : { limitMs };
  const post = async (target: Pick<Post, 'url' | 'content' | 'headers' | 'allowPrivate'>) =>
    fromAttemptResult(await sender.send({ contentType: 'application/json', ...deadline, ...target }));
  return {
    send: async (target, payload, at) => {
      switch (target.kind) {
        case 'webhook': {
          const { url, secret, allowPrivate } = target;
          const { id, content } = payload;
          const headers = signatureHeaders({ id, at, content, secrets: [secret] });
          return post({ url, content, headers, allowPrivate });
        }
        case 'telegram': {
          const { api, token, chat, allowPrivate } = target;
          const quiet = { link_preview_options: { is_disabled: true } };
          const text = telegramText(payload.message);
          const content = JSON.stringify({
            chat_id: chat,
            text,
            ...quiet,
            ...toReplyMarkup(payload.buttons),
          });
          return post({ url: `${api}/bot${token}/sendMessage`, content, headers: {}, allowPrivate });
        }
        case 'email': {
          const { sendMail } = await import('./send-mail.js');
          return fromMailResult(await sendMail(target, payload, { deadlineMs: limitMs ?? MAIL_MS, resolve }));
        }
        case 'command': {
          const call = { command: target.command, env: environment(env, payload), input: payload.content };
          return fromCommandEnd(await runCommand({ ...call, ...limit }));
        }
        default:
          return target satisfies never;
      }
    },
  };
}

function environment(env: AlertSenderParts['env'], { words }: AlertPayload) {
  const own = Object.entries(words).map(([name, text]) => [
    name === '' ? 'KASHBOX_ALERT' : `KASHBOX_ALERT_${name}`,
    text,
  ]);
  return { ...env, ...Object.fromEntries(own) };
}

/** Mail servers let strangers wait. */
const MAIL_MS = 15_000;

function fromMailResult(sent: MailResult): DeliveryResult {
  const detail = !sent.isDelivered && sent.isBlocked ? NOT_PUBLIC : sent.detail;
  return { ...NOT_BUSY, isDelivered: sent.isDelivered, detail };
}

/** An operator's own receiver may say with any 2xx that it has it; shops must say 200. */
function fromAttemptResult({ outcome, status, detail, answer, retryAfterS }: AttemptResult): DeliveryResult {
  if (status !== null && status >= 200 && status < 300 && outcome !== 'timeout') {
    return { ...NOT_BUSY, isDelivered: true, detail: `answered ${status}` };
  }
  if (outcome === 'blocked') return { ...NOT_BUSY, isDelivered: false, detail: NOT_PUBLIC };
  if (outcome !== 'refused') return { ...NOT_BUSY, isDelivered: false, detail, retryAfterS };
  const said = answer === null ? '' : `: ${answer.slice(0, MAX_SAID)}`;
  return {
    isDelivered: false,
    isBusy: status === 429,
    detail: `answered ${status ?? 'nothing'}${said}`,
    retryAfterS: retryAfterS ?? waitIn(answer),
  };
}

const NOT_BUSY = { isBusy: false, retryAfterS: null };

/** Telegram says it in its answer alone. */
function waitIn(answer: string | null): number | null {
  const seconds = /"retry_after"\s*:\s*(\d{1,6})\b/.exec(answer ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds);
}

const NOT_PUBLIC = 'the address is not a public https one; if it is yours, add it again with --allow-private';
const MAX_SAID = 200;

function fromCommandEnd(end: CommandEnd): DeliveryResult {
  return { ...NOT_BUSY, isDelivered: end.end === 'exited' && end.code === 0, detail: endText(end) };
}

function endText(end: CommandEnd): string {
  switch (end.end) {
    case 'exited':
      return `exit code ${end.code}`;
    case 'killed':
      return `ended by ${end.signal}`;
    case 'too_slow':
      return `took longer than ${end.limitMs / 1_000} s and was ended`;
    case 'not_started':
      return `could not be started: ${end.reason}`;
    default:
      return end satisfies never;
  }
}
