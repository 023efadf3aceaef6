/** Kinds of alerts, as text and data. Knows neither store nor delivery. */
import type { MfsChannel, PayChannel } from '../accounts/channels.js';

/** By kind what is kept and handed on as it stands. Times are ISO 8601 in Bangladesh time. */
interface AlertDetails {
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

/** @param device the phone's name; null where the alert is about none. @returns a sentence or two. */
export function alertText(news: AlertEvent, device: string | null): string {
  const phone = device === null ? 'A phone' : `The phone "${device}"`;
  switch (news.kind) {
    case 'device.offline': {
      const { last_seen_at, battery, charging } = news.detail;
      const level = battery === null ? '' : ` Its battery was at ${battery}%${charging ? ', charging' : ''}.`;
      return `${phone} is offline: it was last heard of at ${minuteOf(last_seen_at)}.${level}`;
    }
    case 'device.recovered':
      return `${phone} is back after ${news.detail.downtime}.`;
    case 'device.battery_low':
      return `${phone} has ${news.detail.battery}% of its battery left and is not charging.`;
    case 'device.trouble':
      return `${phone} is in trouble: ${news.detail.trouble}`;
    case 'sms.gap': {
      const { channel, recipient, missing, direction, from, until } = news.detail;
      const moved = direction === 'in' ? 'came into' : 'left';
      return (
        `No SMS tells of ${missing} BDT that ${moved} ${recipient} (${channel}) between ${minuteOf(from)} ` +
        `and ${minuteOf(until)}.`
      );
    }
    case 'payment.guessing': {
      const { channel, amount, guesses } = news.detail;
      return (
        `Somebody may be guessing transaction ids on ${channel}: ${guesses} ids were claimed for payments of ` +
        `${amount} BDT, and no such money has come. Payments in doubt wait in "kashbox verifications list".`
      );
    }
    case 'payment.disputed': {
      const { payment, channel, reference, amount } = news.detail;
      return (
        `A later message says that ${amount} BDT under ${reference} (${channel}) went back or was another sum, ` +
        `but payment ${payment} was completed with it. See "kashbox verifications list".`
      );
    }
    case 'payment.other_merchant': {
      const { payment, channel, reference } = news.detail;
      return (
        `Another merchant was credited with ${reference} (${channel}), which payment ${payment} claims too. ` +
        'Find out whose account received it: "kashbox doctor", then "kashbox verifications list".'
      );
    }
    case 'slips.full': {
      const { brand, day, mib } = news.detail;
      return (
        `The ${mib} MiB a day for slips of "${brand}" are used up on ${day}. Bank transfers are still taken, ` +
        'but slips that do not fit any more are not kept.'
      );
    }
    default:
      return news satisfies never;
  }
}

/** `2026-08-21 12:35` */
function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

const LASTS: Readonly<Record<AlertKind, boolean>> = {
  'device.offline': true,
  'device.battery_low': true,
  'device.trouble': true,
  'sms.gap': true,
  'device.recovered': false,
  'payment.guessing': false,
  'payment.disputed': false,
  'payment.other_merchant': false,
  'slips.full': false,
};

/** Whether the incident stays open until it is ended, or is a single event. */
export function lasts(kind: AlertKind): boolean {
  return LASTS[kind];
}
