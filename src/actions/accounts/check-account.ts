/** Parses an account of each channel. Throws `invalid_input` with the field's name. Knows no store. */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits } from '../../base/values/text.js';
import {
  type AccountDetails,
  BANK_DETAILS,
  BANK_TYPE,
  bankNumber,
  DEFAULT_BANK_TYPE,
  MAX_WALLET_HOLDER,
  NEEDED_BANK_DETAILS,
  WALLET_DETAILS,
} from '../../domain/accounts/account-details.js';
import {
  BANK,
  CHANNEL,
  checkedNumber,
  isOnChain,
  isPayChannel,
  MFS_ACCOUNT_TYPES,
  type MfsAccountType,
  type MfsChannel,
  PAY_CHANNELS,
  type PayChannel,
  walletNumber,
} from '../../domain/accounts/channels.js';
import {
  type Account,
  type CheckedAccount,
  DETAIL_FIELD,
  detailFields,
  numberField,
  type TypedAccount,
  type TypedDetails,
} from './account-input.js';

/** @throws KashboxError `invalid_input` */
export async function checkAccount(typed: TypedAccount, details: TypedDetails): Promise<CheckedAccount> {
  const channel = knownChannel(typed.channel);
  // Parsers of addresses, codes and drivers are loaded on demand, to save time and memory.
  const row = CHANNEL[channel];
  switch (row.kind) {
    case 'sms':
      return checkWallet(typed, details);
    case 'push':
      return (await import('./check-code.js')).checkCode(typed, details);
    case 'pull':
      return isOnChain(channel)
        ? (await import('./check-address.js')).checkAddress(typed, details)
        : (await import('./check-exchange.js')).checkExchange(typed, details);
    case 'manual':
      return checkBank(typed, details);
    default:
      return row satisfies never;
  }
}

async function checkWallet(typed: TypedAccount, details: TypedDetails): Promise<CheckedAccount> {
  const { channel, type } = walletType(typed);
  const given = detailFields(channel, WALLET_DETAILS, details, MAX_WALLET_HOLDER);
  const { qr = '' } = given;
  const code =
    qr === '' ? null : (await import('./check-code.js')).checkWalletCode({ ...typed, channel, type }, qr);
  const number = typed.number ?? code?.number;
  const account = validateWallet({ ...typed, number });
  // Customers are shown all the digits that the operator wrote, also the one that is not compared.
  const shown = checkedNumber(channel, asciiDigits(number ?? ''));
  const keepsShown = typed.number === undefined && shown === null;
  return {
    account,
    complete: (kept) => ({
      ...kept,
      ...(keepsShown ? {} : { shown_number: shown ?? '' }),
      ...given,
      ...code?.named(kept, given),
    }),
  };
}

/**
 * @param bytes of a PNG or JPEG file.
 * @returns the text of the QR code in the picture.
 * @throws KashboxError `invalid_input`
 */
export async function readCodePicture(bytes: Buffer): Promise<string> {
  const { decodeQrImage } = await import('../../channels/qr-interbank/image.js');
  const read = await decodeQrImage(bytes);
  if (read.ok) return read.text;
  return refuse(`qr-image: ${read.fault}`, 'Save the code as a PNG or JPEG file, straight and complete.');
}

/** @returns the wallet in the form in which it is kept. @throws KashboxError `invalid_input` */
export function validateWallet(typed: TypedAccount): Account & { readonly channel: MfsChannel } {
  const { channel, type } = walletType(typed);
  const hint = 'Use the 11 digits of the mobile number, such as 01712345678.';
  const number = walletNumber(channel, numberField(typed.number, hint));
  if (number === null) refuse(`number "${typed.number}" is not a wallet number`, hint);
  return { channel, type, number };
}

function walletType(typed: TypedAccount): { readonly channel: MfsChannel; readonly type: MfsAccountType } {
  const channel = mfsChannelOf(typed.channel);
  const types = MFS_ACCOUNT_TYPES[channel];
  // The wallets' own word for an account that takes payments.
  const named = typed.type === 'merchant' ? 'payment' : typed.type;
  const type = types.find((known) => known === named);
  if (type === undefined) {
    const hint = `Accounts on ${channel} are of type ${types.join(', ')}.`;
    if (typed.type === undefined) refuse('type is missing', hint);
    refuse(`type "${typed.type}" does not exist on ${channel}`, hint);
  }
  return { channel, type };
}

const CHANNEL_NAMES = PAY_CHANNELS.map((name) => `${CHANNEL[name].name.en} is ${name}`).join(', ');

function knownChannel(channel: string): PayChannel {
  if (isPayChannel(channel)) return channel;
  refuse(`channel "${channel}" is unknown`, `Write the name after "is": ${CHANNEL_NAMES}.`);
}

function mfsChannelOf(channel: string): MfsChannel {
  const row = CHANNEL[knownChannel(channel)];
  if (row.kind === 'sms') return row.channel;
  refuse(
    `channel ${channel} needs more than a number`,
    `Set it with \`kashbox accounts set --channel ${channel}\`; its help says what else it takes.`,
  );
}

function checkBank(typed: TypedAccount, details: TypedDetails): CheckedAccount {
  const account = bankOf(typed);
  const given = detailFields(BANK, BANK_DETAILS, details);
  return { account, complete: (kept) => bankDetails({ ...kept, ...given }) };
}

function bankOf(typed: TypedAccount): Account {
  const type = (typed.type ?? DEFAULT_BANK_TYPE).trim();
  if (!BANK_TYPE.test(type)) {
    refuse(
      `type "${type}" is not a short name`,
      'Choose 2 to 20 lower-case letters, digits or dashes that identify the bank, such as city-bank.',
    );
  }
  const hint = 'Use 5 to 34 letters, digits and dashes.';
  const number = bankNumber(numberField(typed.number, hint));
  if (number === null) refuse(`number "${typed.number}" is not an account number`, hint);
  return { channel: BANK, type, number };
}

/** A customer must be able to find the account in their bank's app. */
function bankDetails(details: AccountDetails): AccountDetails {
  const missing = NEEDED_BANK_DETAILS.filter((name) => (details[name] ?? '') === '');
  if (missing.length === 0) return details;
  const flags = missing.map((name) => DETAIL_FIELD[name]);
  return refuse(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    'A customer needs both: --bank-name "City Bank PLC" --holder "Amar Dokan".',
  );
}
