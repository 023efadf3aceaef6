/** The shop's server as it hears of payments: checks and keeps notifications for the steps. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/values/clock.js';
import { type Received, startReceiver } from '../cli/webhooks/webhook-receiver.js';
import { expect, type Say } from './steps.js';
import { duration, shortJson } from './text.js';

const WHERE = { host: '127.0.0.1', port: 0, path: '/notifications' } as const;
const HEARD_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 10;

export interface Notice {
  readonly received: Received;
  readonly body: Readonly<Record<string, unknown>>;
  /** When it came, on the clock of `performance.now()`. */
  readonly at: number;
}

export type Notices = Awaited<ReturnType<typeof openNotices>>;

/** Listens on a free port of this machine until the signal is aborted. */
export async function openNotices(clock: Clock, signal: AbortSignal) {
  /** Emits `heard` for each notification. */
  const coming = new EventEmitter<{ heard: [Notice] }>();
  const heard: Notice[] = [];
  const secrets: string[] = [];
  const receiver = await startReceiver({
    ...WHERE,
    status: 200,
    secrets: async () => secrets,
    now: clock.now,
    onReceived: (received) => {
      const body = JSON.parse(received.content) as Notice['body'];
      const notice = { received, body, at: performance.now() };
      heard.push(notice);
      coming.emit('heard', notice);
    },
  });
  signal.addEventListener('abort', () => void receiver.close(), { once: true });
  return {
    /** Address for notifications of the shop. */
    url: receiver.url,
    coming,
    /** Whoever signs with this secret is believed from now on, and nobody before. */
    trust: (secret: string) => void secrets.push(secret),
    /** Waits for the notification of a transaction. */
    of: async (transactionId: string): Promise<Notice> => {
      const began = performance.now();
      for (;;) {
        const found = heard.find(({ body }) => body.transaction_id === transactionId);
        if (found !== undefined) return found;
        const isLate = performance.now() - began > HEARD_DEADLINE_MS;
        expect(!isLate, `a notification of ${transactionId}`, `${heard.length} of others`);
        await sleep(LOOK_EVERY_MS, undefined, { signal });
      }
    },
  };
}

export function isSigned({ received }: Notice): boolean {
  return received.signature === 'valid' && received.standardSignature === 'valid';
}

/**
 * Waits for a payment's notification and holds it against what it has to say.
 * @param wanted fields of the body, `transaction_id` among them.
 * @param sent what it follows upon: "the SMS arrived", on the clock of `performance.now()`.
 */
export async function hear(
  notices: Notices,
  wanted: Readonly<Record<string, unknown>> & { readonly transaction_id: string },
  sent: { readonly at: number; readonly what: string },
  say: Say,
): Promise<void> {
  const notice = await notices.of(wanted.transaction_id);
  const { received, body, at } = notice;
  say('>', `POST ${notices.url}  ${shortJson(body)}`);
  say('<', `${received.answered}  (it came ${duration(at - sent.at)} after ${sent.what})`);
  const verdicts = `"${received.signature}" and "${received.standardSignature}"`;
  expect(isSigned(notice), 'two valid signatures', verdicts);
  const isTrue = Object.entries(wanted).every(([name, value]) => body[name] === value);
  expect(isTrue && received.times === 1, `${shortJson(wanted)} once`, shortJson(body));
  say('.', "X-Service-Signature fits the shop's secret, and so does that of Standard Webhooks");
}
