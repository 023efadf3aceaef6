/**
 * What must hold of money, whatever happens. Compares what everybody outside has seen with what stands on the
 * disk once all is calm again. Knows nothing of how Kashbox works.
 */
import { approval, type Money, type Observed, type Order } from '../world/observed.js';
import type { Ledger } from './ledger.js';
import { refundFaults } from './refunds.js';

/** @returns what is wrong, one line each; nothing where all holds. */
export function check(observed: Observed, ledger: Ledger): string[] {
  return [
    ...creditsWithoutReason(observed, ledger),
    ...creditedTwice(ledger),
    ...paidByReversed(observed, ledger),
    ...lost(observed, ledger),
    ...toldWrongly(observed, ledger),
    ...sentTwice(observed),
    ...refundFaults(observed, ledger),
    ...unsettled(observed, ledger),
  ];
}

const moneyKey = (channel: string, reference: string) => `${channel} ${reference}`;

/** Nothing is credited without money that came to this shop, enough of it, or without a person. */
function creditsWithoutReason(
  { money, orders, approved }: Observed,
  { credits, sessions }: Ledger,
): string[] {
  const real = new Map(money.map((one) => [moneyKey(one.channel, one.reference), one]));
  const order = new Map(orders.map((one) => [one.session, one]));
  return credits.flatMap((credit) => {
    const { session, channel, reference, by, units, rest } = credit;
    const name = `session ${session}, ${channel} ${reference}`;
    const isApproved = approved.has(approval(session, reference));
    if (by !== 'rule') return isApproved ? [] : [`credited by "${by}", who approved nothing: ${name}`];
    const found = real.get(moneyKey(channel, reference));
    if (found === undefined) return [`credited without money: ${name}`];
    const amount = units === null ? BigInt(credit.paisa) : BigInt(units);
    if (amount !== found.amount) return [`credited ${amount}, and ${found.amount} came: ${name}`];
    const opened = order.get(session);
    if (opened === undefined) return [];
    // What is paid in parts is compared as a sum.
    const before = credits.filter((one) => one.session === session && one.rest > rest);
    const paid = before.reduce((sum, one) => sum + one.paisa, 0);
    const due = rest > 0 ? 0 : (sessions.get(session)?.paisa ?? 0) - paid;
    return wrongFor(opened, found, due).map((what) => `${what}: ${name}`);
  });
}

function wrongFor(order: Order, money: Money, paisa: number): string[] {
  const due = money.channel === 'bep20' ? order.units : BigInt(paisa);
  return [
    ...(money.shop === order.shop ? [] : ['credited with money of another shop']),
    ...(money.session === null || money.session === order.session ? [] : ['credited to another payment']),
    ...(money.isReal ? [] : ['credited with money that was undone']),
    ...(due !== null && money.amount >= due ? [] : ['credited with less than is due']),
  ];
}

/** Money pays once, and a payment is completed once. */
function creditedTwice({ credits, sessions }: Ledger): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { session, channel, reference, proof, rest } of credits) {
    const completed = `session ${session}${rest === 0 ? '' : `, rest ${rest}`}`;
    for (const key of [completed, moneyKey(channel, reference), `proof ${proof}`]) {
      if (seen.has(key)) faults.push(`credited twice: ${key}`);
      seen.add(key);
    }
    const status = sessions.get(session)?.status;
    if (rest === 0 && status !== 'COMPLETED') faults.push(`credited, and ${status}: session ${session}`);
  }
  for (const [id, { status }] of sessions) {
    if (status === 'COMPLETED' && !seen.has(`session ${id}`))
      faults.push(`completed without a credit: session ${id}`);
  }
  return faults;
}

/** Money that was taken back pays nobody: what it had paid is disputed, and its shop is told. */
function paidByReversed({ reversals, stored }: Observed, { credits, notifications }: Ledger): string[] {
  const disputed = new Set(
    notifications.flatMap(({ session, event }) => (event === 'payment.disputed' ? [session] : [])),
  );
  const reversed = new Set(
    reversals.flatMap(({ money, text }) =>
      stored.has(text) ? [moneyKey(money.channel, money.reference)] : [],
    ),
  );
  return credits.flatMap(({ session, channel, reference, by }) =>
    by === 'rule' && reversed.has(moneyKey(channel, reference)) && !disputed.has(session)
      ? [`paid by money that was taken back, and not disputed: session ${session}, ${channel} ${reference}`]
      : [],
  );
}

/** What was acknowledged is there: payments, texts, completions, SMS to be sent, notifications. */
function lost(observed: Observed, { sessions, texts, dispatches, notifications }: Ledger): string[] {
  const messages = new Set(dispatches.map(({ message }) => message));
  const contents = new Map(notifications.map(({ id, content }) => [id, content]));
  return [
    ...observed.orders.flatMap(({ session, paisa }) =>
      sessions.get(session)?.paisa === paisa ? [] : [`lost: session ${session} of ${paisa}`],
    ),
    ...[...observed.stored].flatMap((body) => (texts.has(body) ? [] : [`lost: the SMS "${body}"`])),
    ...[...observed.kept].flatMap((body) =>
      texts.has(body) ? [] : [`lost: the SMS "${body}", which its phone may have forgotten`],
    ),
    ...observed.completed.flatMap(({ session }) =>
      sessions.get(session)?.status === 'COMPLETED' ? [] : [`lost: the completion of session ${session}`],
    ),
    ...observed.dispatched.flatMap((text) =>
      messages.has(text) ? [] : [`lost: the SMS to be sent "${text}"`],
    ),
    ...observed.told.flatMap(({ id, content }) =>
      contents.get(id) === content ? [] : [`lost: notification ${id}, which a shop has heard`],
    ),
  ];
}

/** Events that do not say how a payment stands. */
const NEWS = new Set(['payment.disputed', 'payment.partial', 'payment.refunded']);

/** Every move is told, in an order without gaps, each under one id; the last one is what is so. */
function toldWrongly({ told }: Observed, { notifications, sessions }: Ledger): string[] {
  const heard = new Set(told.map(({ id }) => id));
  const ids = new Map<string, string>();
  const faults: string[] = [];
  for (const { session, sequence, id } of told) {
    const place = `session ${session}, sequence ${sequence}`;
    if ((ids.get(place) ?? id) !== id) faults.push(`told under two ids: ${place}`);
    ids.set(place, id);
  }
  const last = new Map<string, { sequence: number; event: string }>();
  for (const { session, sequence, event, id, state } of notifications) {
    const before = last.get(session)?.sequence ?? 0;
    if (sequence !== before + 1) faults.push(`sequence ${sequence} behind ${before}: session ${session}`);
    if (state === 'DELIVERED' && !heard.has(id)) faults.push(`called delivered, and not heard: ${id}`);
    if (!heard.has(id)) faults.push(`never told (${state}): ${event} of session ${session}`);
    if (!NEWS.has(event)) last.set(session, { sequence, event });
    else last.set(session, { sequence, event: last.get(session)?.event ?? event });
  }
  for (const [session, { status }] of sessions) {
    const wanted = { COMPLETED: 'payment.completed', FAILED: 'payment.failed' }[status];
    if (wanted !== undefined && last.get(session)?.event !== wanted) {
      faults.push(`${status}, and told ${last.get(session)?.event ?? 'nothing'}: session ${session}`);
    }
  }
  return faults;
}

function sentTwice({ sent }: Observed): string[] {
  return [...sent].flatMap(([text, times]) => (times > 1 ? [`sent ${times} times: the SMS "${text}"`] : []));
}

/** @returns what can settle and has not: a payment is completed with its money, or a person was asked. */
export function unsettled({ orders, returned }: Observed, ledger: Ledger): string[] {
  const { sessions, reviewed, dispatches, notifications } = ledger;
  const waiting = orders.filter(
    ({ must }) => must?.isReal === true && !must.isReversed && !returned.has(must.reference),
  );
  return [
    ...waiting.flatMap(({ session, must }) =>
      sessions.get(session)?.status === 'COMPLETED' || reviewed.has(session)
        ? []
        : [`not settled: session ${session} with ${must?.channel} ${must?.reference}`],
    ),
    ...[...sessions].flatMap(([id, { status, reason }]) =>
      status === 'PENDING' && reason !== 'review' ? [`still open: session ${id}`] : [],
    ),
    ...notifications.flatMap(({ id, state }) => (state === 'PENDING' ? [`still to be told: ${id}`] : [])),
    ...dispatches.flatMap(({ message, state }) =>
      state === 'QUEUED' || state === 'LEASED' ? [`still ${state}: the SMS to be sent "${message}"`] : [],
    ),
  ];
}
