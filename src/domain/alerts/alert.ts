/** What operators are told of by themselves, in words and as data. Knows neither store nor how it is told. */

/** `device.recovered` is good news: the phone is back after `device.offline`. */
export type AlertKind = AlertNews['kind'];

/** What happened; `detail` is kept and handed on as it stands. Times are ISO 8601 in Bangladesh time. */
export type AlertNews =
  | {
      readonly kind: 'device.offline';
      readonly detail: {
        readonly last_seen_at: string;
        /** As the phone said last: percent, or null. */
        readonly battery: number | null;
        readonly charging: boolean | null;
        readonly network: string | null;
        /** SMS that lay on the phone. */
        readonly pending_sms: number | null;
      };
    }
  | {
      readonly kind: 'device.recovered';
      /** In words, such as `2 hours 5 minutes`. */
      readonly detail: { readonly offline_since: string; readonly downtime: string };
    }
  | { readonly kind: 'device.battery_low'; readonly detail: { readonly battery: number } }
  | {
      readonly kind: 'device.trouble';
      /** In the phone's own words. */
      readonly detail: { readonly trouble: string };
    }
  | {
      readonly kind: 'sms.gap';
      readonly detail: {
        readonly channel: string;
        /** The wallet's number. */
        readonly recipient: string;
        /** In taka with two decimals; always positive. */
        readonly missing: string;
        readonly direction: 'in' | 'out';
        /** The times of the two SMS between which something is missing. */
        readonly from: string;
        readonly until: string;
      };
    }
  | {
      readonly kind: 'payment.guessing';
      readonly detail: {
        readonly channel: string;
        /** The price, in taka with two decimals. */
        readonly amount: string;
        /** Ids that were claimed for it and that no money has come under. */
        readonly guesses: number;
      };
    }
  | {
      readonly kind: 'payment.disputed';
      readonly detail: {
        /** Gateway reference of the payment that was credited with it. */
        readonly payment: string;
        readonly channel: string;
        readonly reference: string;
        /** What was credited, in taka with two decimals. */
        readonly amount: string;
      };
    }
  | {
      readonly kind: 'payment.other_merchant';
      readonly detail: {
        /** Gateway reference of the payment that a person has to decide. */
        readonly payment: string;
        readonly channel: string;
        readonly reference: string;
      };
    }
  | {
      readonly kind: 'slips.full';
      readonly detail: {
        readonly brand: string;
        /** `2026-08-21`, of Bangladesh time. */
        readonly day: string;
        /** What the setting allows a day. */
        readonly mib: number;
      };
    };

/** @param device the phone's name; null where the alert is about none. @returns a sentence or two. */
export function alertText(news: AlertNews, device: string | null): string {
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

/** Whether it is trouble that lasts until it is ended, or news that is over with the telling. */
export function lasts(kind: AlertKind): boolean {
  switch (kind) {
    case 'device.offline':
    case 'device.battery_low':
    case 'device.trouble':
    case 'sms.gap':
      return true;
    case 'device.recovered':
    case 'payment.guessing':
    case 'payment.disputed':
    case 'payment.other_merchant':
    case 'slips.full':
      return false;
    default:
      return kind satisfies never;
  }
}
