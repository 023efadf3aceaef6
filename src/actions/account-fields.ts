/**
 * An account as an operator types it, checked at the door: which channels there are, what an account of each
 * must say. Each function throws a KashboxError `invalid_input` that names the field. Knows no store.
 */
import { KashboxError } from '../base/errors.js';
import {
  type AccountDetails,
  BANK_DETAILS,
  BANK_TYPE,
  bankNumber,
  DEFAULT_BANK_TYPE,
  DETAIL_NAMES,
  type DetailName,
  NEEDED_BANK_DETAILS,
  readDetail,
  WALLET_DETAILS,
} from '../domain/account-details.js';
import {
  BANK,
  isMfsChannel,
  isPayChannel,
  MFS_ACCOUNT_TYPES,
  MFS_CHANNELS,
  type MfsChannel,
  PAY_CHANNELS,
  walletNumber,
} from '../domain/channels.js';

/** As it was typed; the type of a bank account may be left out. */
export interface TypedAccount {
  readonly channel: string;
  readonly type?: string | undefined;
  readonly number: string;
}

export interface Account {
  readonly channel: MfsChannel | typeof BANK;
  readonly type: string;
  readonly number: string;
}

export type TypedDetails = Readonly<Partial<Record<DetailName, string | undefined>>>;

/** The flags by which details are given, so that a fault names what was typed. */
const DETAIL_FIELD: Readonly<Record<DetailName, string>> = {
  bank_name: 'bank-name',
  holder: 'holder',
  branch: 'branch',
  routing: 'routing',
  qr: 'qr-payload',
};

const SERVED = `This version takes payments on ${[...MFS_CHANNELS, BANK].join(', ')}.`;

function refuse(message: string, hint: string): never {
  throw new KashboxError('invalid_input', { message, hint });
}

/** @returns the account in the form in which it is kept. */
export function accountOf(typed: TypedAccount): Account {
  return typed.channel === BANK ? bankOf(typed) : walletOf(typed);
}

/** @returns the wallet in the form in which it is kept. */
export function walletOf(typed: TypedAccount): Account & { readonly channel: MfsChannel } {
  const channel = mfsChannelOf(typed.channel);
  const types = MFS_ACCOUNT_TYPES[channel];
  const type = types.find((known) => known === typed.type);
  if (type === undefined) {
    const hint = `Accounts on ${channel} are of type ${types.join(', ')}.`;
    if (typed.type === undefined) refuse('type is missing', hint);
    refuse(`type "${typed.type}" does not exist on ${channel}`, hint);
  }
  const number = walletNumber(channel, typed.number.trim());
  if (number === null) {
    refuse(
      `number "${typed.number}" is no wallet number`,
      'Write the 11 digits of the mobile number, such as 01712345678.',
    );
  }
  return { channel, type, number };
}

function mfsChannelOf(channel: string): MfsChannel {
  if (isMfsChannel(channel)) return channel;
  if (channel === BANK) {
    refuse(
      'channel bank needs more than a number',
      'Set it with `kashbox accounts set --channel bank`, which also takes bank and holder.',
    );
  }
  if (isPayChannel(channel)) refuse(`channel ${channel} is not available yet in this version`, SERVED);
  refuse(`channel "${channel}" is unknown; there are ${PAY_CHANNELS.join(', ')}`, SERVED);
}

function bankOf(typed: TypedAccount): Account {
  const type = (typed.type ?? DEFAULT_BANK_TYPE).trim();
  if (!BANK_TYPE.test(type)) {
    refuse(
      `type "${type}" is no short name`,
      'Choose 2 to 20 small letters, digits or dashes by which you tell your banks apart, such as city-bank.',
    );
  }
  const number = bankNumber(typed.number);
  if (number === null) {
    refuse(`number "${typed.number}" is no account number`, 'Write its 5 to 34 letters, digits and dashes.');
  }
  return { channel: BANK, type, number };
}

/** @returns what was given, checked; an empty text takes a detail away. */
export function detailFields(channel: Account['channel'], typed: TypedDetails): AccountDetails {
  const allowed = channel === BANK ? BANK_DETAILS : WALLET_DETAILS;
  const given = DETAIL_NAMES.flatMap((name) => {
    const text = typed[name];
    if (text === undefined) return [];
    if (!allowed.includes(name)) {
      const known = allowed.map((other) => `--${DETAIL_FIELD[other]}`).join(', ');
      refuse(`${DETAIL_FIELD[name]} does not belong to an account on ${channel}`, `It may have ${known}.`);
    }
    const read = readDetail(name, text);
    if (!read.ok)
      refuse(`${DETAIL_FIELD[name]} ${read.fault}`, 'Write it as it stands on paper, on one line.');
    return [[name, read.text] as const];
  });
  return Object.fromEntries(given);
}

/** A customer must be able to find the account in his bank's app. */
export function requireDetails(channel: Account['channel'], details: AccountDetails): void {
  if (channel !== BANK) return;
  const missing = NEEDED_BANK_DETAILS.filter((name) => (details[name] ?? '') === '');
  if (missing.length === 0) return;
  const flags = missing.map((name) => DETAIL_FIELD[name]);
  refuse(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    'A customer needs both: --bank-name "City Bank PLC" --holder "Amar Dokan".',
  );
}
