/** The sentences by which people are told of alerts. Knows neither store nor delivery. */
import { useFacts } from '../strangers/budget.js';
import type { AlertDetails, AlertEvent, AlertKind, DailySummary } from './alert.js';

/** A sentence or two from the facts; `phone` is such as `The phone "counter-1"`. */
type Texts = { readonly [Kind in AlertKind]: (detail: AlertDetails[Kind], phone: string) => string };

const TEXTS: Texts = {
  'device.offline': ({ last_seen_at, battery, charging }, phone) => {
    const level = battery === null ? '' : ` Its battery was at ${battery}%${charging ? ', charging' : ''}.`;
    return `${phone} is offline: it was last heard of at ${minuteOf(last_seen_at)}.${level}`;
  },
  'device.recovered': ({ downtime }, phone) => `${phone} is back after ${downtime}.`,
  'device.battery_low': ({ battery }, phone) =>
    `${phone} has ${battery}% of its battery left and is not charging.`,
  'device.trouble': ({ trouble }, phone) => `${phone} is in trouble: ${trouble}`,
  'sms.gap': ({ channel, recipient, missing, direction, from, until }) => {
    const moved = direction === 'in' ? 'came into' : 'left';
    return (
      `No SMS tells of ${missing} BDT that ${moved} ${recipient} (${channel}) between ${minuteOf(from)} ` +
      `and ${minuteOf(until)}.`
    );
  },
  'payment.guessing': ({ channel, amount, guesses }) =>
    `Somebody may be guessing transaction ids on ${channel}: ${guesses} ids were claimed for payments of ` +
    `${amount} BDT, and no such money has come. Payments in doubt wait in "kashbox verifications list".`,
  'payment.disputed': ({ payment, channel, reference, amount }) =>
    `A later message says that ${amount} BDT under ${reference} (${channel}) went back or was another sum, ` +
    `but payment ${payment} was completed with it. See "kashbox verifications list".`,
  'payment.other_merchant': ({ payment, channel, reference }) =>
    `Another merchant was credited with ${reference} (${channel}), which payment ${payment} claims too. ` +
    'Find out whose account received it: "kashbox doctor", then "kashbox verifications list".',
  'payment.completed': ({ payment, channel, amount, brand, customer }) =>
    `${amount} BDT from ${customer} for ${brand} (${channel}). Payment ${payment} is completed.`,
  'review.waiting': ({ payment, channel, reference, verification, reason, amount, brand, customer }) =>
    `Payment ${payment} waits for you: ${customer} owes ${brand} ${amount} BDT and names ${reference} ` +
    `(${channel}). Reason: ${reason}. See "kashbox verifications show ${verification}".`,
  'slips.full': ({ brand, day, mib }) =>
    `The ${mib} MiB a day for slips of "${brand}" are used up on ${day}. Bank transfers are still taken, ` +
    'but slips that do not fit any more are not kept.',
  'strangers.limit': ({ use, scope, limit, brand, link, day }) => {
    const by = { address: 'one address', link: `the payment link ${link ?? ''}`, brand: 'all together' };
    return (
      `Strangers have reached a limit of "${brand}" on ${day}: ${limit} ${useFacts(use).what}, by ${by[scope]}. ` +
      'More are refused until midnight; whatever has been paid is credited as always.' +
      (link === null ? '' : ` To end it: "kashbox links disable ${link}".`)
    );
  },
  'webhook.dead': ({ brand, host, outcome }) =>
    `The shop "${brand}" at ${host} could not be notified of a payment, and no more attempts are made ` +
    `(${outcome}). When it works again: "kashbox webhooks replay --failed".`,
  'node.down': ({ source, failing_since, failure }) =>
    `${source} has not answered since ${minuteOf(failing_since)} (${failure}). USDT payments may wait. ` +
    'See "kashbox doctor".',
  'node.recovered': ({ source, failing_since }) =>
    `${source} answers again. It had failed since ${minuteOf(failing_since)}.`,
  'credentials.guessing': ({ address, limit }) =>
    `Somebody at ${address} tries keys that do not exist, more than ${limit} in a minute. Such requests are ` +
    'refused. If this is a shop of yours, its key is wrong: "kashbox keys list".',
  'backup.failed': ({ reason }) => `The nightly backup was not made: ${reason}. See "kashbox doctor".`,
  'summary.quiet': (summary) => summaryText('Held back in your quiet hours', summary),
  'summary.many': (summary) => {
    const waiting = summary.counts['review.waiting'] ?? 0;
    const text = summaryText('Many in a few minutes, told as one', summary);
    return waiting === 0 ? text : `${payments(waiting)} wait for you: "kashbox verifications list".\n${text}`;
  },
  'summary.daily': dailyText,
};

function summaryText(why: string, { counts, paid, messages }: AlertDetails['summary.quiet']): string {
  const kinds = Object.entries(counts).map(([kind, count]) =>
    kind === 'payment.completed' ? `- ${kind}: ${count}, ${paid} BDT` : `- ${kind}: ${count}`,
  );
  const total = Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const listed = messages.map((message) => `- ${message}`);
  const title = messages.length < total ? `The newest ${messages.length}:` : 'In full:';
  return [`${why}: ${alerts(total)}.`, ...kinds, title, ...listed].join('\n');
}

function dailyText(day: DailySummary): string {
  const span = day.whole ? day.date : `${day.date} so far`;
  const sums = day.channels.map(({ channel, completed, paid }) => `- ${channel}: ${completed}, ${paid} BDT`);
  const offline = day.phones_offline.length === 0 ? 'none' : day.phones_offline.join(', ');
  return [
    `${span}: ${payments(day.completed)} completed, ${day.paid} BDT.`,
    ...sums,
    `Verifications waiting: ${day.reviews_waiting}`,
    `Money that nobody claimed: ${day.unclaimed}, ${day.unclaimed_amount} BDT`,
    `Notifications given up: ${day.webhooks_dead}`,
    `Phones offline: ${offline}`,
  ].join('\n');
}

const payments = (count: number) => (count === 1 ? '1 payment' : `${count} payments`);
const alerts = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`);

/** @param device the phone's name; null where the alert is about none. @returns a sentence or two. */
export function alertText({ kind, detail }: AlertEvent, device: string | null): string {
  const text = TEXTS[kind] as (detail: AlertEvent['detail'], phone: string) => string;
  return text(detail, device === null ? 'A phone' : `The phone "${device}"`);
}

/** `2026-08-21 12:35` */
function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
