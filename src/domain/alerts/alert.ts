/**
 * Alert kinds as data: the details, the message text and the default selection of each. Does not know the
 * store or the delivery.
 */
import type { MfsChannel, PayChannel } from '../accounts/channels.js';
import type { SentReason } from '../refunds/choose-refund.js';
import { type StrangerScope, type StrangerUse, useFacts } from '../strangers/budget.js';

/** Details by alert kind, stored and delivered unchanged. Times are ISO 8601 in Bangladesh time. */
export interface AlertDetails {
  'device.offline': {
    readonly last_seen_at: string;
    /** Last battery level that the phone reported, in percent, or null. */
    readonly battery: number | null;
    readonly charging: boolean | null;
    readonly network: string | null;
    /** SMS that lay on the phone. */
    readonly pending_sms: number | null;
  };
  /** Good news: the phone is back after `device.offline`. In words, such as `2 hours 5 minutes`. */
  'device.recovered': { readonly offline_since: string; readonly downtime: string };
  'device.battery_low': { readonly battery: number };
  /** Problem in the phone's own words. */
  'device.problem': { readonly problem: string };
  'sms.gap': {
    readonly channel: MfsChannel;
    /** The wallet's number. */
    readonly recipient: string;
    /** Amount in taka with two decimals; always positive. */
    readonly missing: string;
    readonly direction: 'in' | 'out';
    /** The times of the two SMS between which something is missing. */
    readonly from: string;
    readonly until: string;
  };
  /** A trusted source uses a wording that none of its formats has. `texts`: how many since `since`. */
  'sms.new_words': {
    readonly source: string;
    readonly title: string;
    readonly texts: number;
    readonly since: string;
  };
  /** `guesses`: ids claimed at that price for which no money has arrived. `amount`: price in taka. */
  'security.transaction_id_guessing': {
    readonly channel: PayChannel;
    readonly amount: string;
    readonly guesses: number;
  };
  'payment.disputed': OnePayment & {
    /** Credited amount in taka with two decimals. */
    readonly amount: string;
  };
  /** Money that left a wallet and completes no refund; `refunds`: ids of those that it may be about. */
  'money.sent': {
    readonly reason: SentReason;
    readonly channel: PayChannel;
    readonly reference: string;
    /** Receiver as the text writes it. */
    readonly payee: string;
    /** Amount in taka with two decimals. */
    readonly amount: string;
    readonly refunds: readonly string[];
  };
  /** A payment ended after a part of its money had come in. `paid`: taka; `price`: taka without a fee. */
  'payment.unfinished': {
    readonly payment: string;
    readonly brand: string;
    readonly customer: string;
    readonly paid: string;
    readonly price: string;
  };
  /** Payment that needs manual review. */
  'payment.other_merchant': OnePayment;
  /**
   * A payment of `amount` is above the limits of all numbers of its wallet; it shows `number`, which has the
   * most room, `room`, both in taka. `day`: `2026-08-21`, of Bangladesh time.
   */
  'account.limit': {
    readonly brand: string;
    readonly channel: PayChannel;
    readonly type: string;
    readonly number: string;
    readonly amount: string;
    readonly room: string;
    readonly day: string;
  };
  /** `day` is such as `2026-08-21`, of Bangladesh time; `mib` what the setting allows a day. */
  'slips.full': { readonly brand: string; readonly day: string; readonly mib: number };
  /** People without a key have used up the budget of that day; `link` is null where none is concerned. */
  'strangers.limit': {
    readonly use: StrangerUse;
    readonly scope: StrangerScope;
    readonly limit: number;
    readonly brand: string;
    readonly link: string | null;
    readonly day: string;
  };
  /** `amount`: all that was paid, in taka. `customer`: the name that the shop gave. */
  'payment.completed': OnePayment & {
    readonly amount: string;
    readonly brand: string;
    readonly customer: string;
  };
  /** `reason`: why the payment needs manual review. `amount`: amount due on that channel, in taka. */
  'review.waiting': OnePayment & {
    readonly verification: string;
    readonly reason: string;
    readonly amount: string;
    readonly brand: string;
    readonly customer: string;
  };
  /** `host`: host of the shop's address, without the rest. `outcome`: outcome of the last attempt. */
  'webhook.failed': { readonly brand: string; readonly host: string; readonly outcome: string };
  /** A node or an exchange, by the beginning of its address or by its brand. */
  'node.down': { readonly source: string; readonly failing_since: string; readonly failure: string };
  'node.recovered': { readonly source: string; readonly failing_since: string };
  /** Keys that nobody has were tried from that address, more than the limit in a minute. */
  'security.key_guessing': { readonly address: string; readonly limit: number };
  'backup.failed': { readonly reason: string };
  /**
   * The certificate for a domain could not be obtained or renewed several times. `problem`: reason in one
   * sentence. `days_left`: full days until the present one expires; null without one.
   */
  'certificate.failing': {
    readonly domain: string;
    readonly problem: string;
    readonly remedy: string;
    readonly days_left: number | null;
    readonly failing_since: string;
  };
  /** Summary of the alerts that were held back during quiet hours. */
  'summary.quiet': {
    /** Number of alerts by kind. */
    readonly counts: Readonly<Partial<Record<string, number>>>;
    /** Sum of `payment.completed`, in taka. */
    readonly paid: string;
    /** Messages of the newest alerts, newest first. */
    readonly messages: readonly string[];
  };
  /** Many of a kind within some minutes, as one. */
  'summary.many': AlertDetails['summary.quiet'];
  'summary.daily': DailySummary;
}

export interface DailySummary {
  /** `2026-08-21`, of Bangladesh time. */
  readonly date: string;
  /** True if the day was complete; false for a summary of the day so far. */
  readonly whole: boolean;
  readonly completed: number;
  /** Amount in taka, as in the fields below. */
  readonly paid: string;
  readonly channels: readonly {
    readonly channel: string;
    readonly completed: number;
    readonly paid: string;
  }[];
  /** Number at the time of the summary, as in the fields below. */
  readonly reviews_waiting: number;
  /** Number of notifications that were abandoned on that day. */
  readonly webhooks_dead: number;
  readonly phones_offline: readonly string[];
  /** Money of that day that completes no payment. */
  readonly unclaimed: number;
  readonly unclaimed_amount: string;
  /** Refunds of payments that were completed on that day, and the number of those still to be sent. */
  readonly refunded: string;
  readonly refunds_pending: number;
}

interface OnePayment {
  /** Gateway reference of the payment. */
  readonly payment: string;
  readonly channel: PayChannel;
  readonly reference: string;
}

export type AlertKind = keyof AlertDetails;

export type AlertEvent = {
  [Kind in AlertKind]: { readonly kind: Kind; readonly detail: AlertDetails[Kind] };
}[AlertKind];

/** Groups of alert kinds that an operator can select by one word. */
const ALERT_GROUPS = ['money', 'devices', 'system'] as const;

/** Properties of a kind. To add one: its details above, its row below, a row in docs/alerts.md. */
interface KindRow<Kind extends AlertKind> {
  /** Null: made for one target alone, and chosen by nobody. */
  readonly group: (typeof ALERT_GROUPS)[number] | null;
  /** Label for a dashboard. */
  readonly word: string;
  readonly good: boolean;
  /** True if the incident stays open until it is resolved; false for a single event. */
  readonly lasts: boolean;
  /** True if it is also sent during quiet hours. */
  readonly urgent: boolean;
  /** True if it is sent by default. Completed payments are not: a busy shop would get too many. */
  readonly usual: boolean;
  /** A sentence or two from the facts; `phone` is such as `The phone "counter-1"`. */
  text(detail: AlertDetails[Kind], phone: string): string;
}

const event = { good: false, lasts: false, urgent: false, usual: true };

const KINDS: { readonly [Kind in AlertKind]: KindRow<Kind> } = {
  'device.offline': {
    ...{ ...event, word: 'offline', group: 'devices', lasts: true, urgent: true },
    text: ({ last_seen_at, battery, charging }, phone) => {
      const level = battery === null ? '' : ` Its battery was at ${battery}%${charging ? ', charging' : ''}.`;
      return `${phone} is offline: it was last seen at ${minuteOf(last_seen_at)}.${level}`;
    },
  },
  'device.recovered': {
    ...{ ...event, word: 'back', good: true, group: 'devices' },
    text: ({ downtime }, phone) => `${phone} is back after ${downtime}.`,
  },
  'device.battery_low': {
    ...{ ...event, word: 'battery', group: 'devices', lasts: true },
    text: ({ battery }, phone) => `${phone} has ${battery}% of its battery left and is not charging.`,
  },
  'device.problem': {
    ...{ ...event, word: 'problem', group: 'devices', lasts: true },
    text: ({ problem }, phone) => `${phone} reports a problem: ${problem}`,
  },
  'sms.gap': {
    ...{ ...event, word: 'sms gap', group: 'devices', lasts: true },
    text: ({ channel, recipient, missing, direction, from, until }) => {
      const moved = direction === 'in' ? 'came into' : 'left';
      return (
        `There is no SMS about ${missing} BDT that ${moved} ${recipient} (${channel}) between ` +
        `${minuteOf(from)} and ${minuteOf(until)}.`
      );
    },
  },
  'sms.new_words': {
    ...{ ...event, word: 'new wording', group: 'money' },
    text: ({ source, title, texts, since }) =>
      `${title} writes in new words: ${texts} ${texts === 1 ? 'text' : 'texts'} since ${minuteOf(since)}. ` +
      `Describe them: "kashbox sms learn ${source}".`,
  },
  'payment.completed': {
    ...{ ...event, word: 'paid', good: true, group: 'money', usual: false },
    text: ({ payment, channel, amount, brand, customer }) =>
      `${amount} BDT from ${customer} for ${brand} (${channel}). Payment ${payment} is completed.`,
  },
  'review.waiting': {
    ...{ ...event, word: 'review waiting', group: 'money' },
    text: ({ payment, channel, reference, verification, reason, amount, brand, customer }) =>
      `Payment ${payment} needs manual review: ${customer} owes ${brand} ${amount} BDT and claims ` +
      `${reference} (${channel}). Reason: ${reason}. See "kashbox verifications show ${verification}".`,
  },
  'payment.disputed': {
    ...{ ...event, word: 'money went back?', group: 'money', urgent: true },
    text: ({ payment, channel, reference, amount }) =>
      `A later message says that ${amount} BDT under ${reference} (${channel}) was returned or was ` +
      `another sum, but payment ${payment} was completed with it. See "kashbox verifications list".`,
  },
  'money.sent': {
    ...{ ...event, word: 'money sent', group: 'money' },
    text: ({ payee, amount, channel, ...rest }) =>
      `${amount} BDT was sent to ${payee} (${channel}, ${rest.reference}). ${sentText(rest)}`,
  },
  'payment.unfinished': {
    ...{ ...event, word: 'paid in part', group: 'money' },
    text: ({ payment, brand, customer, paid, price }) =>
      `Payment ${payment} for ${brand} ended with ${paid} of ${price} BDT from ${customer}. The money ` +
      `belongs to the customer. Send it back: "kashbox refunds create ${payment} --note WHY".`,
  },
  'payment.other_merchant': {
    ...{ ...event, word: 'two merchants', group: 'money', urgent: true },
    text: ({ payment, channel, reference }) =>
      `Another merchant was credited with ${reference} (${channel}), which payment ${payment} also ` +
      'claims. Find out whose account received it: "kashbox doctor", then "kashbox verifications list".',
  },
  'security.transaction_id_guessing': {
    ...{ ...event, word: 'IDs guessed', group: 'money', urgent: true },
    text: ({ channel, amount, guesses }) =>
      `Someone may be guessing transaction ids on ${channel}: ${guesses} ids were claimed for payments ` +
      `of ${amount} BDT, but no such money has arrived. Payments that need review: "kashbox ` +
      'verifications list".',
  },
  'account.limit': {
    ...{ ...event, word: 'numbers full', group: 'money', urgent: true },
    text: ({ brand, channel, type, number, amount, room }) =>
      `No ${type} number of "${brand}" on ${channel} stays within its limits with a payment of ${amount} ` +
      `BDT. It shows ${number}, which has room for ${room} BDT. Add a number: "kashbox accounts set --add".`,
  },
  'slips.full': {
    ...{ ...event, word: 'slips', group: 'system' },
    text: ({ brand, day, mib }) =>
      `Slips of "${brand}" have reached the limit of ${mib} MiB per day on ${day}. Bank transfers are ` +
      'still accepted, but slips beyond it are not stored.',
  },
  'strangers.limit': {
    ...{ ...event, word: 'limit reached', group: 'system' },
    text: ({ use, scope, limit, brand, link, day }) => {
      const by = {
        address: 'one address',
        link: `the payment link ${link ?? ''}`,
        brand: 'all customers together',
      };
      return (
        `Customers have reached a limit of "${brand}" on ${day}: ${limit} ${useFacts(use).what}, by ` +
        `${by[scope]}. More are refused until midnight; payments are still credited.` +
        (link === null ? '' : ` To end it: "kashbox links disable ${link}".`)
      );
    },
  },
  'webhook.failed': {
    ...{ ...event, word: 'shop not notified', group: 'system' },
    text: ({ brand, host, outcome }) =>
      `The shop "${brand}" at ${host} could not be notified of a payment, and no more attempts are made ` +
      `(${outcome}). When it works again: "kashbox webhooks replay --failed".`,
  },
  'node.down': {
    ...{ ...event, word: 'node down', group: 'system', lasts: true },
    text: ({ source, failing_since, failure }) =>
      `${source} has not answered since ${minuteOf(failing_since)} (${failure}). USDT payments may be ` +
      'delayed. See "kashbox doctor".',
  },
  'node.recovered': {
    ...{ ...event, word: 'node back', good: true, group: 'system' },
    text: ({ source, failing_since }) =>
      `${source} answers again. It had failed since ${minuteOf(failing_since)}.`,
  },
  'security.key_guessing': {
    ...{ ...event, word: 'keys guessed', group: 'system', urgent: true },
    text: ({ address, limit }) =>
      `Someone at ${address} tries keys that do not exist, more than ${limit} per minute. Such requests ` +
      'are refused. If this is one of your shops, its key is wrong: "kashbox keys list".',
  },
  'backup.failed': {
    ...{ ...event, word: 'no backup', group: 'system' },
    text: ({ reason }) => `The nightly backup was not created: ${reason}. See "kashbox doctor".`,
  },
  'certificate.failing': {
    ...{ ...event, word: 'certificate', group: 'system', lasts: true, urgent: true },
    text: ({ domain, problem, remedy, days_left }) => {
      const what =
        days_left === null
          ? `The daemon cannot obtain a certificate for ${domain}`
          : `The certificate for ${domain} is not renewed and expires in ${days_left} days`;
      return `${what}: ${problem}. ${remedy} See "kashbox doctor".`;
    },
  },
  'summary.quiet': {
    ...{ ...event, word: 'summary', good: true, group: null, urgent: true, usual: false },
    text: (summary) => summaryText('Held back in your quiet hours', summary),
  },
  'summary.many': {
    ...{ ...event, word: 'summary', group: null, urgent: true, usual: false },
    text: (summary) => {
      const waiting = summary.counts['review.waiting'] ?? 0;
      const text = summaryText('Many alerts in a few minutes, sent as one', summary);
      return waiting === 0 ? text : `${payments(waiting)} to review: "kashbox verifications list".\n${text}`;
    },
  },
  'summary.daily': {
    ...{ ...event, word: 'summary', good: true, group: null, urgent: true, usual: false },
    text: dailyText,
  },
};

/** What a transfer that completes no refund may be, and the next command. */
function sentText({
  reason,
  reference,
  refunds: [refund = 'REFUND', ...others],
}: Pick<AlertDetails['money.sent'], 'reason' | 'reference' | 'refunds'>): string {
  const close = `"kashbox refunds close ${refund} --reference ${reference} --note WHY"`;
  const elsewise = `If it is no refund: "kashbox sms close ${reference} --as other --note WHY".`;
  switch (reason) {
    case 'no_refund':
      return `No refund of that sum was pending. ${elsewise}`;
    case 'several_refunds':
      return `It fits ${others.length + 1} pending refunds. Choose one: ${close}.`;
    case 'other_number':
      return `Refund ${refund} has that sum, but another number. See "kashbox refunds show ${refund}".`;
    case 'number_missing':
      return (
        `Refund ${refund} has that sum, but no number yet. If it is this one: "kashbox refunds update ` +
        `${refund} --number NUMBER", then ${close}.`
      );
    case 'sent_again':
      return `Refund ${refund} of that sum was completed before: it may have been sent twice. ${elsewise}`;
    case 'refund_cancelled':
      return `Refund ${refund} of that sum was cancelled. See "kashbox refunds show ${refund}".`;
    case 'balance_gap':
      return `Its balance does not follow from the SMS before it. If refund ${refund} was sent: ${close}.`;
    case 'text_doubtful':
      return `The SMS may be forged, so it completes no refund. See "kashbox why ${reference}".`;
    case 'taken_back':
      // A customer who has got the refund may have forged that message.
      return (
        'A later message says that it was reversed, returned or has failed. ' +
        (refund === 'REFUND'
          ? elsewise
          : `Refund ${refund} was completed with it: send the money again only if the app shows it as returned.`)
      );
    default:
      return reason satisfies never;
  }
}

export const kindFacts = (kind: AlertKind): Omit<KindRow<AlertKind>, 'text'> => KINDS[kind];

/** Alert kinds that can be selected. */
export const ALERT_KINDS = (Object.keys(KINDS) as readonly AlertKind[]).filter(
  (kind) => KINDS[kind].group !== null,
);

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
    `Unclaimed money: ${day.unclaimed}, ${day.unclaimed_amount} BDT`,
    ...(day.refunded === '0.00' ? [] : [`Refunded: ${day.refunded} BDT`]),
    ...(day.refunds_pending === 0
      ? []
      : [`Refunds to send: ${day.refunds_pending}, see "kashbox refunds list --pending"`]),
    `Notifications failed permanently: ${day.webhooks_dead}`,
    `Phones offline: ${offline}`,
  ].join('\n');
}

const payments = (count: number) => (count === 1 ? '1 payment' : `${count} payments`);
const alerts = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`);

/** @param device the phone's name; null where the alert is about none. @returns a sentence or two. */
export function alertText({ kind, detail }: AlertEvent, device: string | null): string {
  const { text } = KINDS[kind] as { text(detail: AlertEvent['detail'], phone: string): string };
  return text(detail, device === null ? 'A phone' : `The phone "${device}"`);
}

/** `2026-08-21 12:35` */
function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** Words that select all alert kinds, and the default ones. */
const ALL = 'all';
export const USUAL = 'default';

/** Words that may be chosen. */
export const CHOICES: readonly string[] = [USUAL, ALL, ...ALERT_GROUPS, ...ALERT_KINDS];

/** @param chosen words with spaces between, as they are kept. */
export function isChosen(chosen: string, kind: AlertKind): boolean {
  const { group, usual } = kindFacts(kind);
  const words = chosen.split(' ');
  const named = words.includes(kind) || (group !== null && (words.includes(group) || words.includes(ALL)));
  return named || (usual && words.includes(USUAL));
}

/** @returns the words without duplicates; or the first one not in `CHOICES`, empty if there are none. */
export function parseChoice(typed: string): { readonly chosen: string } | { readonly unknown: string } {
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const unknown = words.length === 0 ? '' : words.find((word) => !CHOICES.includes(word));
  return unknown === undefined ? { chosen: [...new Set(words)].join(' ') } : { unknown };
}
