import { getAddress } from 'ethers/address';
import type { ParseResult } from '../../base/values/parse-result.js';
import { NETWORKS } from './networks.js';

/** Spelled with its checksum. */
type ReadAddress = ParseResult<{ address: string }>;

/**
 * Mixed case must be a valid checksum (EIP-55): one wrong character in an address loses the money for good.
 * All lower or upper case carries none and is given its own.
 */
export function parseAddress(typed: string): ReadAddress {
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

/**
 * Addresses whose private keys are public: the first ten accounts of the phrase "test … junk", which anvil
 * and Hardhat use and document. On real chains, bots empty them within seconds.
 */
const PUBLISHED: readonly string[] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
];

/** @param address spelled with its checksum. */
export function hasPublishedKey(address: string): boolean {
  return PUBLISHED.includes(address);
}
