/** Wallet addresses as operators type them. Loads ethers, so it is imported only where it is needed. */
import { getAddress } from 'ethers/address';
import type { Read } from '../../base/values/read.js';
import { NETWORKS } from './networks.js';

/** Spelled with its checksum. */
export type ReadAddress = Read<{ address: string }>;

/**
 * Mixed case must be a valid checksum (EIP-55): one wrong character in an address loses the money for good.
 * All lower or upper case carries none and is given its own.
 */
export function readAddress(typed: string): ReadAddress {
  const text = typed.trim();
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    return { ok: false, fault: 'must be 0x and 40 characters of 0-9 and a-f' };
  }
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  const address = getAddress(`0x${digits.toLowerCase()}`);
  if (hasChecksum && address !== text) {
    return { ok: false, fault: 'has a wrong character: its checksum does not fit; copy it again' };
  }
  if (BigInt(address) === 0n) return { ok: false, fault: 'is the zero address, which belongs to nobody' };
  if (NETWORKS.some(({ token }) => token === address)) {
    return { ok: false, fault: 'is the contract of the token itself; give the address of your wallet' };
  }
  return { ok: true, address };
}
