/** The ways to pay and what each needs to know of itself: names, account types, what money fits them. */
import { type MfsChannel, ofEachWallet, WALLET, WALLETS } from '../wallets/index.js';
import type { MfsAccountType } from '../wallets/wallet.js';

export type { MfsAccountType, MfsChannel };

/** Bank QR: what its customers claim by is their own number, and no id of the payment. */
export const QR = 'qr_interbank';

/** The channels whose proofs are SMS. */
export const MFS_CHANNELS: readonly MfsChannel[] = WALLETS.map(({ channel }) => channel);

/** Channels of the API (spec 1, 4.5), in the order in which create lists them. */
export const CHANNELS = [...MFS_CHANNELS, QR, 'exchange_pay', 'bep20'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A transfer to a bank account, which a person confirms: on the hosted checkout only (spec 3). */
export const BANK = 'bank';
/** Every way in which money reaches a brand. */
export type PayChannel = Channel | typeof BANK;
/** In the order in which customers are shown them. */
export const PAY_CHANNELS: readonly PayChannel[] = [...CHANNELS, BANK];

/** The channels whose proofs must be asked for outside, and whose money is USDT. */
export const PULLED_CHANNELS = ['exchange_pay', 'bep20'] as const;
export type PulledChannel = (typeof PULLED_CHANNELS)[number];

/** Account types of each wallet (spec 1 and 2.3). */
export const MFS_ACCOUNT_TYPES = ofEachWallet(({ accountTypes }) => accountTypes);

/** The kinds of SMS by which money reaches an account of that type (design.md section 5, "MFS matching"). */
export const KINDS_OF_TYPE: Readonly<Record<MfsAccountType, readonly string[]>> = {
  personal: ['received', 'cash_in'],
  agent: ['cash_out_received'],
  payment: ['payment_received'],
};

export function isChannel(value: unknown): value is Channel {
  return CHANNELS.some((channel) => channel === value);
}

export function isPayChannel(value: unknown): value is PayChannel {
  return value === BANK || isChannel(value);
}

export function isMfsChannel(value: unknown): value is MfsChannel {
  return MFS_CHANNELS.some((channel) => channel === value);
}

export function isMfsAccountType(value: string): value is MfsAccountType {
  return Object.hasOwn(KINDS_OF_TYPE, value);
}

export function isPulledChannel(value: unknown): value is PulledChannel {
  return PULLED_CHANNELS.some((channel) => channel === value);
}

/**
 * A Bangladeshi mobile number in its 11 digits, from any of the ways people write it: `+880 1711-000000`,
 * `8801711000000`, `01711000000`. Null if it is none.
 */
export function mobileNumber(text: string): string | null {
  const digits = text.replace(/[\s()-]/g, '').replace(/^\+?880(?=1)/, '0');
  return /^01[3-9]\d{8}$/.test(digits) ? digits : null;
}

/**
 * A wallet number as it is kept and compared: 11 digits. Some wallets show a 12th, a check digit that no SIM
 * has; it is left out.
 */
export function walletNumber(channel: MfsChannel, text: string): string | null {
  const plain = text.replace(/[\s-]/g, '');
  return mobileNumber(checkedNumber(channel, text) === null ? plain : plain.slice(0, 11));
}

/**
 * @returns the 12 digits of an account with a check digit, which some menus ask for; null for any other text,
 * and on wallets that have none.
 */
export function checkedNumber(channel: MfsChannel, text: string): string | null {
  const plain = text.replace(/[\s-]/g, '');
  return WALLET[channel].hasCheckDigit === true && /^0\d{11}$/.test(plain) ? plain : null;
}
