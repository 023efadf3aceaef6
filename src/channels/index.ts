/** Every channel that this version serves. The core knows no others. */
import { CHANNELS, type Channel, type PayChannel, type PulledChannel } from '../domain/accounts/channels.js';
import { ofEachWallet } from '../domain/wallets/index.js';
import { bep20Channel } from './bep20/describe.js';
import type { ChannelModule, MethodEntry, PulledModule, QuotedAmount, ReceivingAccount } from './channel.js';
import { exchangePayChannel } from './exchange-pay/describe.js';
import { mfsChannel } from './mfs/describe.js';
import { qrInterbankChannel } from './qr-interbank/describe.js';

type Modules = {
  readonly [Name in Channel]: Name extends PulledChannel ? PulledModule : ChannelModule;
};

const MODULES: Modules = {
  ...ofEachWallet(({ channel }) => mfsChannel(channel)),
  qr_interbank: qrInterbankChannel,
  exchange_pay: exchangePayChannel,
  bep20: bep20Channel,
};

export function channelModule<Name extends Channel>(name: Name): Modules[Name] {
  return MODULES[name];
}

/**
 * @param accounts all active accounts of a brand.
 * @param quotedAmounts values of the session for channels that need more than the amount in BDT.
 * @returns `methods` of the API: the channels on which the session can be paid.
 */
export function describeMethods(
  accounts: readonly ReceivingAccount[],
  quotedAmounts: ReadonlyMap<PayChannel, QuotedAmount>,
): MethodEntry[] {
  return CHANNELS.flatMap((name) => {
    const own = accounts.filter((account) => account.channel === name);
    return own.length === 0 ? [] : (MODULES[name].describe(own, quotedAmounts.get(name) ?? {}) ?? []);
  });
}
