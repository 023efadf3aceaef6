/** Kinds of alerts as data, and what holds of each kind. Knows neither sentences, nor store, nor delivery. */
import type { MfsChannel, PayChannel } from '../accounts/channels.js';
import type { StrangerScope, StrangerUse } from '../strangers/budget.js';

/** By kind what is kept and handed on as it stands. Times are ISO 8601 in Bangladesh time. */
export interface AlertDetails {
  'device.offline': {
    readonly last_seen_at: string;
    /** As the phone said last: percent, or null. */
    readonly battery: number | null;
    readonly charging: boolean | null;
    readonly network: string | null;
    /** SMS that lay on the phone. */
    readonly pending_sms: number | null;
  };
  /** Good news: the phone is back after `device.offline`. In words, such as `2 hours 5 minutes`. */
  'device.recovered': { readonly offline_since: string; readonly downtime: string };
  'device.battery_low': { readonly battery: number };
  /** In the phone's own words. */
  'device.trouble': { readonly trouble: string };
  'sms.gap': {
    readonly channel: MfsChannel;
    /** The wallet's number. */
    readonly recipient: string;
    /** In taka with two decimals; always positive. */
    readonly missing: string;
    readonly direction: 'in' | 'out';
    /** The times of the two SMS between which something is missing. */
    readonly from: string;
    readonly until: string;
  };
  /** `guesses`: ids that were claimed for that price, in taka, and that no money has come under. */
  'payment.guessing': { readonly channel: PayChannel; readonly amount: string; readonly guesses: number };
  'payment.disputed': OnePayment & {
    /** What was credited, in taka with two decimals. */
    readonly amount: string;
  };
  /** A person has to decide that payment. */
  'payment.other_merchant': OnePayment;
  /** `day` is such as `2026-08-21`, of Bangladesh time; `mib` what the setting allows a day. */
  'slips.full': { readonly brand: string; readonly day: string; readonly mib: number };
  /** `amount`: all that was paid, in taka. `customer`: the name that the shop gave. */
  /** People without a key have used up the budget of that day; `link` is null where none is concerned. */
  'strangers.limit': {
    readonly use: StrangerUse;
    readonly scope: StrangerScope;
    readonly limit: number;
    readonly brand: string;
    readonly link: string | null;
    readonly day: string;
  };
  'payment.completed': OnePayment & {
    readonly amount: string;
    readonly brand: string;
    readonly customer: string;
  };
  /** `reason`: why a person is asked. `amount`: what is due there, in taka. */
  'review.waiting': OnePayment & {
    readonly verification: string;
    readonly reason: string;
    readonly amount: string;
    readonly brand: string;
    readonly customer: string;
  };
  /** `host`: of the shop's address, of which nothing else is told. `outcome`: of the last attempt. */
  'webhook.dead': { readonly brand: string; readonly host: string; readonly outcome: string };
  /** A node or an exchange, by the beginning of its address or by its brand. */
  'node.down': { readonly source: string; readonly failing_since: string; readonly failure: string };
  'node.recovered': { readonly source: string; readonly failing_since: string };
  /** Keys that nobody has were tried from that address, more than the limit in a minute. */
  'credentials.guessing': { readonly address: string; readonly limit: number };
  'backup.failed': { readonly reason: string };
  /** What quiet hours held back, as one. */
  'summary.quiet': {
    /** How many alerts of each kind. */
    readonly counts: Readonly<Partial<Record<string, number>>>;
    /** Sum of `payment.completed`, in taka. */
    readonly paid: string;
    /** Sentences of the newest, the newest first. */
    readonly messages: readonly string[];
  };
  /** Many of a kind within some minutes, as one. */
  'summary.many': AlertDetails['summary.quiet'];
  'summary.daily': DailySummary;
}

export interface DailySummary {
  /** `2026-08-21`, of Bangladesh time. */
  readonly date: string;
  /** Whether the day was over. */
  readonly whole: boolean;
  readonly completed: number;
  /** In taka, as below. */
  readonly paid: string;
  readonly channels: readonly {
    readonly channel: string;
    readonly completed: number;
    readonly paid: string;
  }[];
  /** As it was when the summary was made, like all below. */
  readonly reviews_waiting: number;
  /** Notifications that were given up that day. */
  readonly webhooks_dead: number;
  readonly phones_offline: readonly string[];
  /** Money of that day that completes no payment. */
  readonly unclaimed: number;
  readonly unclaimed_amount: string;
}

interface OnePayment {
  /** Its gateway reference. */
  readonly payment: string;
  readonly channel: PayChannel;
  /** That of the money. */
  readonly reference: string;
}

export type AlertKind = keyof AlertDetails;

/** What happened. */
export type AlertEvent = {
  [Kind in AlertKind]: { readonly kind: Kind; readonly detail: AlertDetails[Kind] };
}[AlertKind];

/** What an operator may choose by one word. */
export const ALERT_GROUPS = ['money', 'devices', 'system'] as const;

interface KindFacts {
  /** Null: made for one target alone, and chosen by nobody. */
  readonly group: (typeof ALERT_GROUPS)[number] | null;
  /** Whether the incident stays open until it is ended, or is a single event. */
  readonly lasts: boolean;
  /** Told in quiet hours, too. */
  readonly urgent: boolean;
  /** Told where nothing was chosen. A busy shop would drown in payments. */
  readonly usual: boolean;
}

const event = { lasts: false, urgent: false, usual: true };

const KINDS: Readonly<Record<AlertKind, KindFacts>> = {
  'device.offline': { ...event, group: 'devices', lasts: true, urgent: true },
  'device.recovered': { ...event, group: 'devices' },
  'device.battery_low': { ...event, group: 'devices', lasts: true },
  'device.trouble': { ...event, group: 'devices', lasts: true },
  'sms.gap': { ...event, group: 'devices', lasts: true },
  'payment.completed': { ...event, group: 'money', usual: false },
  'review.waiting': { ...event, group: 'money' },
  'payment.disputed': { ...event, group: 'money', urgent: true },
  'payment.other_merchant': { ...event, group: 'money', urgent: true },
  'payment.guessing': { ...event, group: 'money', urgent: true },
  'slips.full': { ...event, group: 'system' },
  'strangers.limit': { ...event, group: 'system' },
  'webhook.dead': { ...event, group: 'system' },
  'node.down': { ...event, group: 'system', lasts: true },
  'node.recovered': { ...event, group: 'system' },
  'credentials.guessing': { ...event, group: 'system', urgent: true },
  'backup.failed': { ...event, group: 'system' },
  'summary.quiet': { ...event, group: null, urgent: true, usual: false },
  'summary.many': { ...event, group: null, urgent: true, usual: false },
  'summary.daily': { ...event, group: null, urgent: true, usual: false },
};

export const kindFacts = (kind: AlertKind): KindFacts => KINDS[kind];

/** Those that can be chosen. */
export const ALERT_KINDS = (Object.keys(KINDS) as readonly AlertKind[]).filter(
  (kind) => KINDS[kind].group !== null,
);
