/**
 * Payment channels, one row each. The domain, the core and the pages check a row's properties, not the
 * channel's name. Code specific to a channel is in src/channels; for wallets see src/domain/wallets.
 */
import type { Format } from '../wallets/format.js';
import { type MfsChannel, ofEachWallet, WALLET, WALLETS } from '../wallets/index.js';
import type { LocalizedName, MfsAccountType, Wallet } from '../wallets/wallet.js';

export type { MfsAccountType, MfsChannel };

interface Facts {
  readonly name: LocalizedName;
  /** One or two letters on its card. */
  readonly mark: string;
  /** A payment has several ids, and an id several spellings: each of them is spent with it, in capitals. */
  readonly hasManyIds?: true;
  /** Details determine what is due (such as a QR code's merchant): quoted payments keep old ones. */
  readonly isBinding?: true;
  /** Payments can only be looked up with credentials, which are stored encrypted. */
  readonly isSealed?: true;
}

/** Money that an SMS on the merchant's phone reports. */
export interface SmsChannel extends Facts {
  readonly kind: 'sms';
  readonly channel: MfsChannel;
  readonly wallet: Wallet<MfsChannel>;
  /** Identifier by which a customer names a payment, here and in the other kinds of channel. */
  readonly given: 'id';
  /** Example of the right shape that belongs to no payment; a hash is shortened. */
  readonly example: string;
}

/** Money that a bank reports. */
interface PushChannel extends Facts {
  readonly kind: 'push';
  readonly channel: typeof QR;
  /** The payer's own. */
  readonly given: 'number';
  readonly example: string;
}

/** Channel for USDT. Payments are queried: from nodes of a blockchain, or the API of an exchange. */
interface PullChannel<Name extends string> extends Facts {
  readonly kind: 'pull';
  readonly channel: Name;
  readonly source: 'chain' | 'exchange';
  readonly given: 'order' | 'hash';
  readonly example: string;
  /** Only account type that customers can pay to manually; absent if they can pay to any type. */
  readonly paidTo?: 'personal';
}

/** Channel without a machine-readable source: only a person can confirm a payment. */
interface ManualChannel extends Facts {
  readonly kind: 'manual';
  readonly channel: typeof BANK;
  /** The bank's own word. */
  readonly given: 'reference';
}

/** The bank QR code of a payment. */
export const QR = 'qr_interbank';
/** A transfer to a bank account: on the hosted checkout only. */
export const BANK = 'bank';

const SMS: readonly SmsChannel[] = WALLETS.map((wallet) => ({
  kind: 'sms',
  channel: wallet.channel,
  wallet,
  name: wallet.name,
  mark: wallet.checkout.mark,
  given: 'id',
  example: wallet.ids.example,
}));

const PUSHED: PushChannel = {
  kind: 'push',
  channel: QR,
  name: { en: 'Bangla QR', bn: 'বাংলা কিউআর' },
  mark: 'QR',
  given: 'number',
  example: '01712345678',
  isBinding: true,
};

const pulled = <Name extends string>(...rows: readonly PullChannel<Name>[]) => rows;
const PULLED = pulled(
  {
    kind: 'pull',
    channel: 'exchange_pay',
    source: 'exchange',
    // The shop itself creates orders for a merchant account at the exchange.
    paidTo: 'personal',
    name: { en: 'Binance Pay', bn: 'বাইন্যান্স পে' },
    mark: 'B',
    given: 'order',
    example: '312345678901234567',
    hasManyIds: true,
    isSealed: true,
  },
  {
    kind: 'pull',
    channel: 'bep20',
    source: 'chain',
    name: { en: 'USDT (BEP20)', bn: 'USDT (BEP20)' },
    mark: 'T',
    given: 'hash',
    example: '0x9c2f…41e7',
    isBinding: true,
  },
);

const MANUAL: ManualChannel = {
  kind: 'manual',
  channel: BANK,
  name: { en: 'Bank transfer', bn: 'ব্যাংক ট্রান্সফার' },
  mark: '৳',
  given: 'reference',
};

/** Channels whose payments must be queried from an external source. */
export type PulledChannel = (typeof PULLED)[number]['channel'];
/** Channels of the API. */
export type Channel = MfsChannel | typeof QR | PulledChannel;
/** Every way in which money reaches a brand. */
export type PayChannel = Channel | typeof BANK;
/** Channels whose money an SMS can report: of a wallet, or of another sender that the operator named. */
export type SourceChannel = MfsChannel | typeof QR | typeof BANK;

export type PullRow = PullChannel<PulledChannel>;
/** One that a customer pays on by its own steps. */
export type PaidChannel = SmsChannel | PushChannel | PullRow;
type Row = PaidChannel | ManualChannel;

const ROWS: readonly Row[] = [...SMS, PUSHED, ...PULLED, MANUAL];

export const CHANNEL = Object.fromEntries(ROWS.map((row) => [row.channel, row])) as {
  readonly [Name in PayChannel]: Name extends MfsChannel
    ? SmsChannel
    : Name extends PulledChannel
      ? PullRow
      : Extract<Row, { channel: Name }>;
};

/** A channel as people read it: "bKash (mfs_a)". */
export function channelText(channel: PayChannel): string {
  const { kind, name } = CHANNEL[channel];
  if (kind === 'manual') return channel;
  return name.en.toLowerCase().includes(channel) ? name.en : `${name.en} (${channel})`;
}

/** The channels whose proofs are SMS. */
export const MFS_CHANNELS: readonly MfsChannel[] = SMS.map(({ channel }) => channel);
export const SOURCE_CHANNELS: readonly SourceChannel[] = [...MFS_CHANNELS, QR, BANK];
export const PULLED_CHANNELS: readonly PulledChannel[] = PULLED.map(({ channel }) => channel);
/** Channels in the order in which the create endpoint returns them. */
export const CHANNELS: readonly Channel[] = [...MFS_CHANNELS, QR, ...PULLED_CHANNELS];
/** Channels in the order in which customers see them. */
export const PAY_CHANNELS: readonly PayChannel[] = [...CHANNELS, BANK];

/** Account types of each wallet. */
export const MFS_ACCOUNT_TYPES = ofEachWallet(({ accountTypes }) => accountTypes);

/** Kinds of SMS that report money received by an account of each type. */
export const KINDS_OF_TYPE: Readonly<Record<MfsAccountType, readonly string[]>> = {
  personal: ['received', 'cash_in'],
  agent: ['cash_out_received'],
  payment: ['payment_received'],
};

/** Aliases of channels. */
const OTHER_NAMES: Readonly<Record<string, PayChannel>> = {
  usdt: 'bep20',
  binance: 'exchange_pay',
  qr: QR,
};

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
const BY_NAME: ReadonlyMap<string, PayChannel> = new Map([
  ...ROWS.flatMap(({ channel, name }) =>
    [channel, name.en, name.bn].map((one): [string, PayChannel] => [bare(one), channel]),
  ),
  ...Object.entries(OTHER_NAMES),
]);

/** @param typed a channel's name in whatever spelling: `bkash`, `bKash`, `bangla-qr`, `mfs_a`. */
export function channelNamed(typed: string): PayChannel | null {
  return BY_NAME.get(bare(typed)) ?? null;
}

export function isChannel(value: unknown): value is Channel {
  return CHANNELS.some((channel) => channel === value);
}

/** True if payments of the channel are transfers on a blockchain, which is public. */
export function isOnChain(channel: PayChannel): boolean {
  const row = CHANNEL[channel];
  return row.kind === 'pull' && row.source === 'chain';
}

export function isPayChannel(value: unknown): value is PayChannel {
  return PAY_CHANNELS.some((channel) => channel === value);
}

export function isMfsAccountType(value: string): value is MfsAccountType {
  return Object.hasOwn(KINDS_OF_TYPE, value);
}

/**
 * Converts a Bangladeshi mobile number to its 11 digits. Accepts the usual spellings: `+880 1711-000000`,
 * `8801711000000`, `01711000000`. Returns null if it is not a valid number.
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
 * @returns the 12 digits of an account number with a check digit, which some menus require; null for any
 * other text, and for wallets without check digits.
 */
export function checkedNumber(channel: MfsChannel, text: string): string | null {
  const plain = text.replace(/[\s-]/g, '');
  return WALLET[channel].hasCheckDigit === true && /^0\d{11}$/.test(plain) ? plain : null;
}

interface PayerFields {
  /** True if the payer can enter a reference, by which the money can be matched to its payment. */
  readonly reference: boolean;
  /** True if the app also prompts for the counter number of the shop. */
  readonly counter: boolean;
}

/** @returns what a payer to an account of that type can write, by the formats of the wallet's SMS. */
export function payerFields(channel: MfsChannel, type: MfsAccountType): PayerFields {
  const kinds = KINDS_OF_TYPE[type];
  const formats = WALLET[channel].texts.formats.filter(
    ({ kind, settle }) => settle === 'auto' && kinds.includes(kind),
  );
  const repeats = (slot: string) => formats.some((format) => hasSlot(format, slot));
  return { reference: repeats('{ref}'), counter: repeats('{counter}') };
}

const hasSlot = ({ texts }: Format, slot: string) => texts.some((text) => text.includes(slot));
