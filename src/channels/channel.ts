/**
 * What a channel is to the rest of Kashbox (design.md section 2): it describes the accounts of a brand as
 * an entry of create's `methods`. A pushed channel's proofs lie in the store before anybody asks; a pulled
 * one will add how to look outside. A new channel is a folder here and a row in `index.ts`.
 */
import type { Channel } from '../domain/channels.js';

export interface ReceivingAccount {
  readonly channel: string;
  readonly type: string;
  readonly number: string;
}

/** Element of `methods` (spec 2.3). */
export interface MethodEntry {
  readonly name: Channel;
  readonly active_payments: Readonly<Record<string, boolean>>;
  readonly [field: string]: unknown;
}

export interface ChannelModule {
  readonly name: Channel;
  /** `pushed`: proofs arrive by themselves and a claim finds them in the store. */
  readonly proofs: 'pushed' | 'pulled';
  /** @param accounts the brand's active accounts on this channel, at least one. */
  describe(accounts: readonly ReceivingAccount[]): MethodEntry;
}
