/** USDT by transfer on a BNB-compatible chain: its entry of `methods`, and its references. */
import { formatSteps } from '../../base/values/usdt.js';
import {
  type FoundReference,
  onlyOne,
  pastedText,
  type ReadReference,
  resolvePastedReference,
} from '../../domain/matching/reference.js';
import type { PulledModule } from '../channel.js';
import { DEFAULT_CHAIN_ID, findNetwork } from './networks.js';

export const bep20Channel: PulledModule = {
  name: 'bep20',
  readReference,
  findReference,
  approveHint: 'Write the hash of the transaction: 0x and 64 letters and digits.',
  // Blocks are made when they are made.
  earlierMs: 120_000,
  shortUnits: () => 0n,
  isPublic: true,
  scopeOf: ({ chain_id = '' }) => chain_id,
  describe([account], { usdt }) {
    if (account === undefined || usdt === undefined) return null;
    const { network, chain_id: chainId } = account.details;
    return {
      name: 'bep20',
      active_payments: { transfer: true },
      network: network ?? findNetwork(Number(chainId ?? DEFAULT_CHAIN_ID))?.name ?? '',
      currency: 'USDT',
      receiver_address: account.number,
      dollar_rate: Number(formatSteps(usdt.rate)),
      amount_usdt: Number(formatSteps(usdt.amount)),
    };
  },
};

const INVALID: ReadReference = {
  outcome: 'invalid',
  fault: 'transaction_id must be the transaction hash: 0x and then 64 characters of 0-9 and a-f',
};

/** Ignores case and surrounding text: the same hash in any spelling is one proof. */
function readReference(text: string): ReadReference {
  return resolvePastedReference(INVALID, findReference(text));
}

const HASH = /(?<![0-9a-zA-Z])0[xX][0-9a-fA-F]{64}(?![0-9a-zA-Z])/g;

/** The hash in a pasted text or an explorer's link. */
function findReference(text: string): FoundReference {
  const hashes = pastedText(text).match(HASH) ?? [];
  return onlyOne(hashes.map((hash) => hash.toLowerCase()));
}
