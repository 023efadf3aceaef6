/** Every channel that this version serves. The core knows no others. */
import { CHANNELS, MFS_CHANNELS } from '../domain/channels.js';
import type { ChannelModule, MethodEntry, ReceivingAccount } from './channel.js';
import { mfsChannel } from './mfs/describe.js';

const MODULES: readonly ChannelModule[] = MFS_CHANNELS.map(mfsChannel);

/** @returns the module of a channel, or undefined if this version does not serve it. */
export function channelModule(name: string): ChannelModule | undefined {
  return MODULES.find((module) => module.name === name);
}

/**
 * @param accounts all active accounts of a brand.
 * @returns `methods` of spec 2.3: the channels on which the brand can be paid now.
 */
export function describeMethods(accounts: readonly ReceivingAccount[]): MethodEntry[] {
  return CHANNELS.flatMap((name) => {
    const own = accounts.filter((account) => account.channel === name);
    const module = channelModule(name);
    return own.length === 0 || module === undefined ? [] : [module.describe(own)];
  });
}
