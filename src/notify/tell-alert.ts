/**
 * Tells one target of one alert, once: an HTTPS request, a command, a message of a Telegram bot. It knows no
 * schedule and no store, and puts no credentials into what it says.
 */
import type { AlertLetter } from '../domain/alerts/alert-content.js';
import type { AlertTarget } from '../domain/alerts/alert-target.js';
import type { AttemptResult } from '../domain/notifications/notification.js';
import { type CommandEnd, runCommand } from './run-command.js';
import type { Post, Sender } from './send.js';
import { signatureHeaders } from './signature.js';

export interface Told {
  readonly isDelivered: boolean;
  /** In words. */
  readonly detail: string;
  /** Seconds that the other side asked to be left alone, or null. */
  readonly retryAfterS: number | null;
}

export interface AlertTeller {
  /** Never rejects for what a target does. @param at milliseconds since the epoch, for the signature. */
  tell(target: AlertTarget, letter: AlertLetter, at: number): Promise<Told>;
}

export interface TellerParts {
  readonly sender: Sender;
  /** What commands find in their environment beside the alert. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long one delivery may take; 5 s over the network and 10 s for a command unless told otherwise. */
  readonly limitMs?: number;
}

export function createAlertTeller({ sender, env, limitMs }: TellerParts): AlertTeller {
  const deadline = limitMs === undefined ? {} : { deadlineMs: limitMs };
  const limit = limitMs === undefined ? {} : { limitMs };
  const post = async (target: Pick<Post, 'url' | 'content' | 'headers' | 'allowPrivate'>) =>
    readAnswer(await sender.send({ contentType: 'application/json', ...deadline, ...target }));
  return {
    tell: async (target, letter, at) => {
      switch (target.kind) {
        case 'webhook': {
          const { url, secret, allowPrivate } = target;
          const { id, content } = letter;
          const headers = signatureHeaders({ id, at, content, secrets: [secret] });
          return post({ url, content, headers, allowPrivate });
        }
        case 'telegram': {
          const { api, token, chat, allowPrivate } = target;
          const content = JSON.stringify({
            chat_id: chat,
            text: letter.message,
            link_preview_options: { is_disabled: true },
          });
          return post({ url: `${api}/bot${token}/sendMessage`, content, headers: {}, allowPrivate });
        }
        case 'command': {
          const call = { command: target.command, env: environment(env, letter), input: letter.content };
          return readEnd(await runCommand({ ...call, ...limit }));
        }
        default:
          return target satisfies never;
      }
    },
  };
}

function environment(env: TellerParts['env'], { words }: AlertLetter) {
  const own = Object.entries(words).map(([name, text]) => [
    name === '' ? 'KASHBOX_ALERT' : `KASHBOX_ALERT_${name}`,
    text,
  ]);
  return { ...env, ...Object.fromEntries(own) };
}

/** An operator's own receiver may say with any 2xx that it has it; shops must say 200 (spec 6). */
function readAnswer({ outcome, status, detail, answer, retryAfterS }: AttemptResult): Told {
  if (status !== null && status >= 200 && status < 300 && outcome !== 'timeout') {
    return { isDelivered: true, detail: `answered ${status}`, retryAfterS: null };
  }
  switch (outcome) {
    case 'blocked':
      return {
        isDelivered: false,
        detail: 'the address is not a public https one; if it is yours, add it again with --allow-private',
        retryAfterS: null,
      };
    case 'refused': {
      const said = answer === null ? '' : `: ${answer.slice(0, MAX_SAID)}`;
      return { isDelivered: false, detail: `answered ${status ?? 'nothing'}${said}`, retryAfterS };
    }
    case 'delivered':
    case 'timeout':
    case 'unreachable':
    case 'tls':
    case 'unsigned':
      return { isDelivered: false, detail, retryAfterS };
    default:
      return outcome satisfies never;
  }
}

const MAX_SAID = 200;

function readEnd(end: CommandEnd): Told {
  const told = (detail: string): Told => ({ isDelivered: false, detail, retryAfterS: null });
  switch (end.end) {
    case 'exited':
      if (end.code === 0) return { isDelivered: true, detail: 'exit code 0', retryAfterS: null };
      return told(`exit code ${end.code}`);
    case 'killed':
      return told(`ended by ${end.signal}`);
    case 'too_slow':
      return told(`took longer than ${end.limitMs / 1_000} s and was ended`);
    case 'not_started':
      return told(`could not be started: ${end.reason}`);
    default:
      return end satisfies never;
  }
}
