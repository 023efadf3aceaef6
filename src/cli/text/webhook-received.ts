/** Notifications that came to the local receiver, told to a person and to programs. Knows no network. */

import { visible } from '../../base/values/cells.js';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import type { Verdict } from '../webhooks/webhook-check.js';
import { isWrong, type Received } from '../webhooks/webhook-receiver.js';
import { sheet } from './table.js';

/** What came, for pipes. */
export function receivedJson(received: Received) {
  const { at, id, times, path, contentType, content, signature, standardSignature, answered } = received;
  return {
    at: dhakaIso(at),
    id,
    times,
    path,
    content_type: contentType,
    content,
    signature,
    standard_signature: standardSignature,
    answered,
  };
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  valid: 'valid',
  unchecked: 'not checked, for want of a secret',
  no_header: 'MISSING',
  malformed: 'NOT WHOLE',
  too_old: 'right, but TOO OLD',
  in_the_future: 'right, but FROM THE FUTURE: a clock is wrong',
  wrong: 'WRONG: another secret, or a changed body',
};

export function receivedLines(received: Received): string[] {
  const { signature, standardSignature, times } = received;
  const fields = fieldsOf(received);
  const event = fields?.find(([name]) => name === 'event')?.[1] ?? 'something else';
  const again = times === 1 ? '' : `, for the ${ordinal(times)} time: the shop must not count it again`;
  const verdict =
    signature === standardSignature
      ? VERDICT_WORDS[signature]
      : `${VERDICT_WORDS[signature]}; of Standard Webhooks: ${VERDICT_WORDS[standardSignature]}`;
  return [
    visible(`${dhakaText(received.at)}  ${event}${again}`),
    ...sheet([
      ['  webhook-id', received.id ?? 'none'],
      ['  signature', verdict],
      ['  answered', String(received.answered)],
      ...(fields ?? [['body', received.content] as const]).map(
        ([name, value]) => [`  ${visible(name)}`, value] as const,
      ),
    ]),
    '',
  ];
}

function ordinal(count: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  const teens = count % 100 > 10 && count % 100 < 14;
  return `${count}${(teens ? undefined : ends[count % 10]) ?? 'th'}`;
}

/** The fields of a JSON object or a form, in their order; null for any other body. */
function fieldsOf({ contentType, content }: Received): [string, string][] | null {
  if (contentType.includes('form')) return [...new URLSearchParams(content)];
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return null;
  }
}

export interface Tally {
  readonly received: number;
  /** Of them those whose `webhook-id` had come before. */
  readonly repeats: number;
  /** Of them those whose signature was checked and is not valid. */
  readonly wrong: number;
  /** Requests that were no notification. */
  readonly refused: number;
}

export const NOTHING: Tally = { received: 0, repeats: 0, wrong: 0, refused: 0 };

export function counted(tally: Tally, received: Received): Tally {
  return {
    ...tally,
    received: tally.received + 1,
    repeats: tally.repeats + (received.times > 1 ? 1 : 0),
    wrong: tally.wrong + (isWrong(received) ? 1 : 0),
  };
}

export function tallyText({ received, repeats, wrong, refused }: Tally): string {
  const parts = [
    `${received} received`,
    ...(repeats === 0 ? [] : [`${repeats} of them again`]),
    ...(wrong === 0 ? [] : [`${wrong} with a wrong signature`]),
    ...(refused === 0
      ? []
      : [refused === 1 ? '1 other request refused' : `${refused} other requests refused`]),
  ];
  return `${parts.join(', ')}.`;
}
