/** The wallets that Kashbox knows, in the order in which they are listed: a row each, and nothing else. */
import { BKASH } from './bkash.js';
import { NAGAD } from './nagad.js';
import { ROCKET } from './rocket.js';
import { UPAY } from './upay.js';
import type { Wallet } from './wallet.js';

const ROWS = [BKASH, NAGAD, ROCKET, UPAY] as const;

/** The channels whose proofs are SMS. */
export type MfsChannel = (typeof ROWS)[number]['channel'];

export const WALLETS: readonly Wallet<MfsChannel>[] = ROWS;

/** @param read returns the value for one wallet. @returns the values by channel. */
export function ofEachWallet<Value>(
  read: (wallet: Wallet<MfsChannel>) => Value,
): Readonly<Record<MfsChannel, Value>> {
  return Object.fromEntries(WALLETS.map((wallet) => [wallet.channel, read(wallet)])) as Record<
    MfsChannel,
    Value
  >;
}

export const WALLET = ofEachWallet((wallet) => wallet);

/** Names, as texts of our wallets write them, of those that are only paid from. */
export const OTHER_SPELLINGS: readonly string[] = [
  'Tap',
  'tap',
  'CellFin',
  'mCash',
  'OK Wallet',
  'SureCash',
  'TeleCash',
  'iPay',
  'Pathao Pay',
  'TallyPay',
];
