/**
 * Is what an exchange shows a payment in USDT to this account, settled and of its time? Pure. Whether the
 * amount pays the session is decided in domain/matching/matching-usdt.
 */
import { parseUsdt } from '../../base/values/usdt.js';
import { creditedName, parseShopNumber } from '../../domain/matching/reference.js';
import { type Lookup, refused, unavailable } from '../channel.js';
import type { ExchangePayment } from './exchange.js';

/** Maximum lead of a payment over its session: customers open the app first, then press "pay". */
export const EARLIER_MS = 5 * 60_000;
/** Maximum lead of the exchange's clock over ours before its times are rejected. */
const AHEAD_MS = 10 * 60_000;
interface AssessContext {
  /** Id as the customer typed it. */
  readonly id: string;
  /** Opening of the session, milliseconds since the epoch. */
  readonly notBefore: number;
  /** The account's user id at the exchange. */
  readonly receiver: string;
  /** Scope of the exchange's ids. */
  readonly scope: string;
  readonly now: number;
}

/** @param payments what the exchange shows; any of it may be of other people. */
export function assess(payments: readonly ExchangePayment[], asked: AssessContext): Lookup {
  const id = creditedName('exchange_pay', asked.id);
  const named = payments.filter((one) => idsOf(one).includes(id));
  const [first] = named;
  if (first === undefined) return ofNone(payments, asked);
  const payment = preferred(first, named, id);
  const ids = idsOf(payment);
  // A refund has an id of its own and the order id of what it takes back.
  const related = payments.filter((one) => idsOf(one).some((id) => ids.includes(id)));
  return related.some((one) => one.kind === 'refund') ? refused('not_incoming') : assessOne(payment, asked);
}

/** Returns `unavailable` if the exchange lists a payment without ids: it may be the one in question. */
function ofNone(payments: readonly ExchangePayment[], { notBefore }: AssessContext): Lookup {
  const isHidden = payments.some((one) => {
    if (one.state === 'undated') return one.aliases.length === 0;
    return one.state === 'nameless' && !isTooEarly(one, notBefore);
  });
  return isHidden ? unavailable('the exchange shows a payment without its ids') : { outcome: 'not_found' };
}

function idsOf({ reference, aliases }: ExchangePayment): readonly string[] {
  return [reference, ...aliases.map((alias) => parseShopNumber(alias)?.number ?? alias)];
}

/** Prefers a payment with this id of its own to those of an order; of an order's parts, the earliest. */
function preferred(first: ExchangePayment, named: readonly ExchangePayment[], id: string): ExchangePayment {
  const exact = named.find((one) => one.reference === id);
  return exact ?? named.reduce((earliest, one) => (one.at < earliest.at ? one : earliest), first);
}

function assessOne(payment: ExchangePayment, { notBefore, receiver, scope, now }: AssessContext): Lookup {
  if (payment.kind !== 'payment' || payment.amount.startsWith('-')) return refused('not_incoming');
  // A row that does not tell its receiver yet may be asked for again; nothing is decided by it.
  if (payment.recipientId === null) return { outcome: 'not_found' };
  if (payment.recipientId !== receiver) return refused('recipient');
  if (payment.currency !== 'USDT') return refused('currency');
  const units = parseUsdt(payment.amount);
  if (units === null) return unavailable('the exchange tells an amount that cannot be read');
  if (units === 0n) return refused('not_incoming');
  if (payment.at > now + AHEAD_MS) return unavailable('the exchange tells a time that is yet to come');
  const seen = {
    reference: payment.reference,
    scope,
    aliases: payment.aliases,
    kind: 'order',
    amounts: [units],
    recipient: receiver,
    payer: payment.payer,
    at: payment.at,
    evidence: JSON.stringify(payment.evidence),
  };
  switch (payment.state) {
    case 'unpaid':
      return { outcome: 'not_found' };
    case 'failed':
      return refused('failed');
    case 'refunded':
      return refused('not_incoming');
    case 'pending':
      if (isTooEarly(payment, notBefore)) return refused('time');
      return { outcome: 'not_final', payment: seen, detail: 'the exchange has not settled it', block: null };
    case 'settled':
      return isTooEarly(payment, notBefore) ? refused('time') : { outcome: 'found', payment: seen };
    case 'nameless':
    case 'undated':
      return unavailable('the exchange tells no time that can be read');
    default:
      return payment.state satisfies never;
  }
}

function isTooEarly(payment: ExchangePayment, notBefore: number): boolean {
  return payment.at < notBefore - EARLIER_MS;
}
