/**
 * Return to the shop after a hosted payment: selects one of the session's two addresses, and the parameters.
 * Pure; there is no other target.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { BANK, type PayChannel } from '../accounts/channels.js';
import type { SessionStatus } from './session.js';

/** `GET` appends the parameters to the address, `POST` sends them as a form. */
export const RETURN_METHODS = ['GET', 'POST'] as const;
export type ReturnMethod = (typeof RETURN_METHODS)[number];

export interface ReturnFacts {
  readonly status: SessionStatus;
  /** Channel identifier, null while none is known. */
  readonly channel: PayChannel | null;
  /** The channel's reference once something is credited, else the gateway reference. */
  readonly transactionId: string;
  /**
   * Amount that was actually paid, without the fee; under review, the requested amount (`reviewFacts`). A
   * failed payment shows 0, also one that was paid in part: some clients book the amount without checking the
   * status.
   */
  readonly paidPaisa: Paisa;
  readonly feePaisa: Paisa;
}

export interface ReturnAddresses {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/**
 * Payment data for the shop during manual review. Nothing is credited yet, so it contains the requested
 * amount and the fee of that payment method; a page that prints it shows the amount of the order.
 * @param channel channel that the customer claimed; for a hosted payment the shop always gets `bank`.
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
  /** Additional names of the transaction id that the shop's program reads (domain/plugins/plugins). */
  readonly otherNames?: readonly string[];
  /** True for a test brand: the redirect is marked as a test, as are create, verify and notifications. */
  readonly isTest?: boolean;
}

export function returnParameters(
  facts: ReturnFacts,
  { otherNames = [], isTest = false }: ReturnChoices = {},
): ReturnParameters {
  return [
    ['paymentMethod', facts.channel ?? ''],
    ['transactionId', facts.transactionId],
    ['paymentAmount', formatTaka(facts.status === 'FAILED' ? 0 : facts.paidPaisa)],
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
