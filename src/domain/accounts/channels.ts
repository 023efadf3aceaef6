/** The ways to pay and what each needs to know of itself: names, account types, what money fits them. */

/** Bank QR: what its customers claim by is their own number, and no id of the payment. */
export const QR = 'qr_interbank';

/** Channels of the API (spec 1, 4.5), in the order in which create lists them. */
export const CHANNELS = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d', QR, 'exchange_pay', 'bep20'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A transfer to a bank account, which a person confirms: on the hosted checkout only (spec 3). */
export const BANK = 'bank';
/** Every way in which money reaches a brand. */
export type PayChannel = Channel | typeof BANK;
/** In the order in which customers are shown them. */
export const PAY_CHANNELS: readonly PayChannel[] = [...CHANNELS, BANK];

/** The channels whose proofs are SMS. */
export const MFS_CHANNELS = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'] as const;
export type MfsChannel = (typeof MFS_CHANNELS)[number];

/** The channels whose proofs must be asked for outside, and whose money is USDT. */
export const PULLED_CHANNELS = ['exchange_pay', 'bep20'] as const;
export type PulledChannel = (typeof PULLED_CHANNELS)[number];

export type MfsAccountType = 'personal' | 'agent' | 'payment';

/** Account types of each wallet (spec 1 and 2.3; for mfs_d the spec leaves them open). */
export const MFS_ACCOUNT_TYPES: Readonly<Record<MfsChannel, readonly MfsAccountType[]>> = {
  mfs_a: ['personal', 'agent', 'payment'],
  mfs_b: ['personal', 'agent'],
  mfs_c: ['personal'],
  mfs_d: ['personal', 'agent', 'payment'],
};

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
 * A wallet number as it is kept and compared: 11 digits. Rocket (mfs_c) shows a 12th, a check digit that
 * no SIM has; it is left out.
 */
export function walletNumber(channel: MfsChannel, text: string): string | null {
  const plain = text.replace(/[\s-]/g, '');
  return mobileNumber(rocketNumber(channel, text) === null ? plain : plain.slice(0, 11));
}

/** @returns the 12 digits of a Rocket account, which some of its menus ask for; null for any other text. */
export function rocketNumber(channel: MfsChannel, text: string): string | null {
  const plain = text.replace(/[\s-]/g, '');
  return channel === 'mfs_c' && /^0\d{11}$/.test(plain) ? plain : null;
}
