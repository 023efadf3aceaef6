/**
 * The return to the shop after a hosted payment: which of the session's two addresses, with which parameters.
 * Pure; there is no other target.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { BANK, type PayChannel } from '../accounts/channels.js';
import type { SessionStatus } from './session.js';

/** `GET` appends the parameters to the address, `POST` sends them as a form. */
export const RETURN_METHODS = ['GET', 'POST'] as const;
export type ReturnMethod = (typeof RETURN_METHODS)[number];

/** What the shop is told of the payment. */
export interface ReturnFacts {
  readonly status: SessionStatus;
  /** Channel identifier, null while none is known. */
  readonly channel: PayChannel | null;
  /** The channel's reference once something is credited, else the gateway reference. */
  readonly transactionId: string;
  /**
   * What was really paid, without the fee; under review what is asked for (`reviewFacts`). 0 of what has
   * failed: some clients book it unseen.
   */
  readonly paidPaisa: Paisa;
  readonly feePaisa: Paisa;
}

export interface ReturnAddresses {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/**
 * What the shop is told while a person has to look. Nothing is credited yet, so the amount is the one that is
 * asked for, with the fee of that way to pay: a page that prints it says what the payment is about.
 * @param channel what the customer has claimed; of a hosted payment the shop gets `bank` anyway.
 */
export function reviewFacts(payment: {
  readonly flow: 'hosted' | 'headless';
  readonly channel: PayChannel | null;
  readonly transactionId: string;
  readonly amountPaisa: Paisa;
  readonly feePaisa: Paisa;
}): ReturnFacts {
  return {
    status: 'PENDING',
    channel: payment.flow === 'hosted' ? BANK : payment.channel,
    transactionId: payment.transactionId,
    paidPaisa: payment.amountPaisa,
    feePaisa: payment.feePaisa,
  };
}

/** Names and values, in the order of docs/api-hosted.md. */
export type ReturnParameters = readonly (readonly [name: string, value: string])[];

interface ReturnChoices {
  /** Under which the shop's program looks for the transaction id (domain/plugins/plugins). */
  readonly otherNames?: readonly string[];
  /** Of a test brand: the way back says so, as create, verify and notifications do. */
  readonly isTest?: boolean;
}

export function returnParameters(
  facts: ReturnFacts,
  { otherNames = [], isTest = false }: ReturnChoices = {},
): ReturnParameters {
  return [
    ['paymentMethod', facts.channel ?? ''],
    ['transactionId', facts.transactionId],
    ['paymentAmount', formatTaka(facts.paidPaisa)],
    ['paymentFee', formatTaka(facts.feePaisa)],
    ['status', facts.status.toLowerCase()],
    ...otherNames.map((name) => [name, facts.transactionId] as const),
    ...(isTest ? [['test', 'true'] as const] : []),
  ];
}

/** @returns the session's address for that status: `cancelUrl` for FAILED, `successUrl` for the others. */
export function returnAddress(addresses: ReturnAddresses, status: SessionStatus): string {
  return status === 'FAILED' ? addresses.cancelUrl : addresses.successUrl;
}

/**
 * The address without parameters of its own that have a name of ours: some readers take the first of two
 * values and some the last, and an order is paid because Kashbox says so. The rest of it stays as it is.
 */
export function withoutParameters(address: string, parameters: ReturnParameters): string {
  const [, base = address, query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  if (query === undefined) return address;
  const names = parameters.map(([name]) => name);
  const kept = query.split('&').filter((part) => !names.includes(nameIn(part)));
  return `${base}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
}

function nameIn(part: string): string {
  const name = (/^[^=]*/.exec(part)?.[0] ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(name).trim();
  } catch {
    return name;
  }
}

/** Appends the parameters, in the place of those that the address has under their names. */
export function withParameters(to: string, parameters: ReturnParameters): string {
  const address = withoutParameters(to, parameters);
  const [, base = address, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const query = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  // Only the first question mark begins the query; later ones are part of it.
  const joint = !base.includes('?') ? '?' : /^[^?]*\?$|&$/.test(base) ? '' : '&';
  return `${base}${joint}${query}${fragment}`;
}
