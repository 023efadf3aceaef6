/** Every channel that this version serves. The core knows no others. */
import { CHANNELS, MFS_CHANNELS, type PulledChannel } from '../domain/accounts/channels.js';
import { bep20Channel } from './bep20/describe.js';
import type { ChannelModule, MethodEntry, Offer, ReceivingAccount } from './channel.js';
import { SCOPE as EXCHANGE_SCOPE } from './exchange-pay/assess.js';
import { exchangePayChannel } from './exchange-pay/describe.js';
import { mfsChannel } from './mfs/describe.js';
import { qrInterbankChannel } from './qr-interbank/describe.js';

const MODULES: readonly ChannelModule[] = [
  ...MFS_CHANNELS.map(mfsChannel),
  qrInterbankChannel,
  exchangePayChannel,
  bep20Channel,
];

/** @returns the module of a channel, or undefined if this version does not serve it. */
export function channelModule(name: string): ChannelModule | undefined {
  return MODULES.find((module) => module.name === name);
}

/**
 * @param accounts all active accounts of a brand.
 * @param offers what the session asks for, where a channel needs to know more than the amount in BDT.
 * @returns `methods` of spec 2.3: the channels on which the session can be paid.
 */
export function describeMethods(
  accounts: readonly ReceivingAccount[],
  offers: ReadonlyMap<string, Offer>,
): MethodEntry[] {
  return CHANNELS.flatMap((name) => {
    const own = accounts.filter((account) => account.channel === name);
    if (own.length === 0) return [];
    return channelModule(name)?.describe(own, offers.get(name) ?? {}) ?? [];
  });
}

/** @param details JSON text of the account's. @returns within what a reference of that channel is unique. */
export function scopeOn(channel: PulledChannel, details: string): string {
  if (channel === 'exchange_pay') return EXCHANGE_SCOPE;
  const { chain_id = '' } = JSON.parse(details) as { readonly chain_id?: string };
  return chain_id;
}
