/**
 * One attempt to notify a shop: checked, sent and described, all within one deadline. Knows neither the
 * content nor the retry schedule.
 */
import { parseRetryAfter } from '../base/io/retry-after.js';
import { type Clock, systemClock } from '../base/values/clock.js';
import { version } from '../base/values/version.js';
import type { AttemptResult } from '../domain/notifications/notification.js';
import { exchange } from './exchange.js';
import { judge, type Resolve, resolveWithDns, resolveWithSystem } from './guard.js';
import { answerText, classifyOutcome, redirectTarget } from './outcome.js';

/** Time limit of one attempt. */
const DEADLINE_MS = 5_000;

export interface Post {
  readonly url: string;
  /** The body, the same in all attempts. */
  readonly content: string;
  readonly contentType: string;
  /** Signatures, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The setting `allowPrivateWebhooks`. */
  readonly allowPrivate: boolean;
  /** Time limit for look-up, connection, TLS, headers and body together, ms; default: 5,000. */
  readonly deadlineMs?: number;
}

export interface NotificationSender {
  /** Sends a notification. Never rejects because of an address or an endpoint. */
  send(post: Post): Promise<AttemptResult>;
}

interface SenderOptions {
  /** Called once per attempt; default: DNS, in development the system's resolver. */
  readonly resolve?: Resolve;
  readonly clock?: Clock;
}

export function createSender({ resolve, clock = systemClock }: SenderOptions = {}): NotificationSender {
  const userAgent = `Kashbox/${version()}`;
  return {
    send: async (post) => {
      const began = performance.now();
      const deadline = startDeadline(post.deadlineMs ?? DEADLINE_MS);
      try {
        const ask = resolve ?? (post.allowPrivate ? resolveWithSystem : resolveWithDns);
        const result = await attempt(post, { ask, clock, userAgent, deadline });
        return { ...result, ms: Math.round(performance.now() - began) };
      } finally {
        deadline.end();
      }
    },
  };
}

interface AttemptDeps {
  readonly ask: Resolve;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly deadline: Deadline;
}

async function attempt(
  { url, content, contentType, headers, allowPrivate }: Post,
  { ask, clock, userAgent, deadline: { signal, deadlineMs } }: AttemptDeps,
): Promise<Omit<AttemptResult, 'ms'>> {
  const judgement = await judge({ url, allowPrivate, resolve: ask, signal, deadlineMs });
  if ('refusal' in judgement) {
    return { ...judgement.refusal, status: null, answer: null, redirect: null, retryAfterS: null };
  }
  const answer = await exchange({
    ...judgement,
    headers: { ...headers, 'content-type': contentType, 'user-agent': userAgent, accept: '*/*' },
    body: Buffer.from(content),
    signal,
  });
  const { status, failure } = answer;
  return {
    ...classifyOutcome({ status, failure, isLate: signal.aborted, deadlineMs }),
    status,
    answer: answerText(answer.bytes),
    redirect: redirectTarget(answer, judgement.address),
    retryAfterS: parseRetryAfter(answer.headers['retry-after'], clock.now()),
  };
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  end(): void;
}

/** Starts the deadline. `AbortSignal.timeout` is not used: its timer does not keep the process alive. */
function startDeadline(deadlineMs: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  return { signal: controller.signal, deadlineMs, end: () => clearTimeout(timer) };
}
