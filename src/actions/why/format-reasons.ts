/**
 * Formats what speaks against money that an operator is about to approve, for `kashbox why`, for approvals
 * and for the dashboard. Does not use the store.
 */
import { dhakaText } from '../../base/values/clock.js';
import { KIND_TEXTS, REASON_TEXTS } from '../../channels/mfs/index.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import type { MoneyFacts, PaymentCase } from '../../domain/why/cause.js';

/** @param reasons JSON array as stored with an SMS. @returns the reasons for suspicion. */
export function parseReviewReasons(reasons: string): readonly string[] {
  return (JSON.parse(reasons) as readonly string[]).filter((reason) => reason !== 'checks_passed');
}

export const SMS_SUSPECT = 'The SMS is suspicious:';

/** Warning about money that only an operator has seen. */
export const NOTHING_SEEN = 'Kashbox has not seen this money: only your approval confirms it.';

/** Formats the reasons why an SMS needs manual review, as a list with one text; empty if there are none. */
export function formatReasons(doubts: readonly string[]): string[] {
  const texts = doubts.flatMap((doubt) => {
    const text = Object.entries(REASON_TEXTS).find(([name]) => name === doubt)?.[1];
    return text === undefined ? [] : [text];
  });
  if (texts.length === 0) return [];
  return [`${SMS_SUSPECT} ${texts.join(' ')} Compare it with the wallet's own app.`];
}

export const SAID_OTHERWISE = 'A later message contradicts this money: check whether it is still there.';

/** @param numbers on which the brand is paid. @returns nothing where the money came to one of them. */
export function formatNumberWarning(
  recipient: string | null,
  brand: string,
  numbers: readonly string[],
  channel: PayChannel,
): string[] {
  if (recipient === null || numbers.includes(recipient)) return [];
  const name = CHANNEL[channel].name.en;
  const own =
    numbers.length === 0 ? `has no ${name} number` : `receives ${name} payments on ${numbers.join(', ')}`;
  return [`It was received on ${recipient}, and ${brand} ${own}.`];
}

/** Formats what speaks against money, also a receiving number that is not of the payment's brand. */
export function formatWarnings(money: MoneyFacts, about: PaymentCase | undefined): string[] {
  const { channel, recipient, doubts, disputed } = money;
  const numbers = about?.accounts.filter((one) => one.channel === channel).map((one) => one.number) ?? [];
  const isKnown = channel !== null && about !== undefined;
  return [
    ...formatReasons(doubts),
    ...(disputed ? [SAID_OTHERWISE] : []),
    ...(isKnown ? formatNumberWarning(recipient, about.payment.brand, numbers, channel) : []),
  ];
}

/** The command that shows it. */
export function suggestCommands({ source, id }: Pick<MoneyFacts, 'source' | 'id'>): string[] {
  if (source === 'sms') return [`kashbox sms show ${id}`];
  return source === 'push' ? ['kashbox pushes list'] : [];
}

interface SmsMention {
  readonly channel: PayChannel | null;
  readonly kind: string;
  readonly sender: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export const isForgery = ({ kind }: Pick<SmsMention, 'kind'>) => kind === 'spoofed';

export function kindText(kind: string): string {
  return Object.entries(KIND_TEXTS).find(([name]) => name === kind)?.[1] ?? 'no money';
}

/** Describes an SMS that names an id and is not money. */
export function formatMention(reference: string, text: SmsMention): string {
  const from = text.sender === null ? '' : ` from ${text.sender}`;
  const came = `An SMS with ${reference} came at ${dhakaText(text.at).slice(0, 16)}${from}`;
  if (!isForgery(text)) return `${came}, but it was read as ${kindText(text.kind)}.`;
  const of = text.channel === null ? 'a wallet' : CHANNEL[text.channel].name.en;
  return `${came} and is a forgery: it imitates a text of ${of}. This may be fraud.`;
}
