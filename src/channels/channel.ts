/**
 * What a channel is to the rest of Kashbox (design.md section 2): it describes the accounts of a brand as
 * an entry of create's `methods`, and knows how its references are written. Its proofs lie in the store
 * before anybody asks; a channel that must be asked will add how to look outside. A new channel is a folder
 * here and a row in `index.ts`.
 */
import type { Channel } from '../domain/channels.js';
import type { FoundReference, ReadReference } from '../domain/reference.js';

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
  /** @param accounts the brand's active accounts on this channel, at least one. */
  describe(accounts: readonly ReceivingAccount[]): MethodEntry;
  /** @param text a customer's word for what was paid, as it was typed (spec 4.5, `transaction_id`). */
  readReference(text: string): ReadReference;
  /** @param text what a customer pasted on the checkout page, perhaps a whole SMS. */
  findReference(text: string): FoundReference;
}
