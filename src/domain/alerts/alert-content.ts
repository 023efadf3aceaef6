/** The payload of an alert: JSON with a sentence for people. Pure. */
import type { AlertEvent } from './alert.js';
import { alertText } from './alert-text.js';
import type { Button } from './telegram.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface AlertFacts {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null for a test, which reports nothing. */
  readonly news: AlertEvent | null;
  readonly device: Named | null;
  readonly merchant: Named | null;
  /** What is known besides when it leaves, below the sentence. */
  readonly lines?: readonly string[];
  /** For chats that show them; absent where there are none. */
  readonly buttons?: readonly Button[];
}

/** What a delivery needs of an alert. */
export interface AlertPayload {
  readonly id: string;
  /** The body, the same in all tries. */
  readonly content: string;
  readonly message: string;
  /** For the environment of a command, names without their prefix. */
  readonly words: Readonly<Record<string, string>>;
  readonly buttons: readonly Button[];
}

export function alertPayload(facts: AlertFacts): AlertPayload {
  const { id, at, news, device, merchant, lines = [], buttons = [] } = facts;
  const event = news?.kind ?? 'test';
  const says =
    news === null ? 'This is a test: alerts of Kashbox arrive here.' : alertText(news, device?.name ?? null);
  const message = [says, ...lines].join('\n');
  const created_at = new Date(at).toISOString();
  // `text` is where chat servers look for what to show.
  const about = { device, merchant, detail: news?.detail ?? {} };
  const body = { event, id, created_at, ...about, message, text: message };
  return {
    id,
    content: JSON.stringify(body),
    message,
    buttons,
    words: {
      '': message,
      EVENT: event,
      ID: id,
      AT: created_at,
      DEVICE: device?.name ?? '',
      DEVICE_ID: device?.id ?? '',
      MERCHANT: merchant?.name ?? '',
    },
  };
}
