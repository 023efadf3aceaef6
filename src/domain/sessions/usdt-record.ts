/** What a transaction record reports a transfer in USDT; nothing for any other payment. */
import { JsonText } from '../../base/values/json-text.js';
import { formatUsdt } from '../../base/values/usdt.js';
import { isOnChain, type PayChannel } from '../accounts/channels.js';

export interface CreditedUsdt {
  /** Channel identifier, or null. */
  readonly channel: PayChannel | null;
  /** Base units as digits, or null where taka were paid or nothing is credited. */
  readonly units: string | null;
  /** The wallet that received it. */
  readonly receiver: string | null;
}

/** @returns `amount_usdt` as an exact JSON number, and `receiver`, for a transfer on the chain. */
export function usdtFields({ channel, units, receiver }: CreditedUsdt) {
  if (channel === null || !isOnChain(channel) || units === null) return {};
  return {
    amount_usdt: new JsonText(formatUsdt(BigInt(units))),
    ...(receiver === null ? {} : { receiver }),
  };
}
