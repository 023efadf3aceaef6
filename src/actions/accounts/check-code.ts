/**
 * Parses QR codes as operators give them for an account: the printed code of a merchant, and the code of the
 * owner of a wallet account. Each is refused where the other belongs. Throws `invalid_input`. Knows no store.
 */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits } from '../../base/values/text.js';
import {
  beginsAsCode,
  findPersonalAccount,
  isPersonalCode,
  type PersonalAccount,
  parsePayload,
} from '../../channels/qr-interbank/emv.js';
import { type AccountDetails, CODE_DETAILS } from '../../domain/accounts/account-details.js';
import {
  CHANNEL,
  type MfsAccountType,
  type MfsChannel,
  mobileNumber,
  QR,
  walletNumber,
} from '../../domain/accounts/channels.js';
import {
  type CheckedAccount,
  detailFields,
  type TypedAccount,
  type TypedDetails,
  typeField,
} from './account-input.js';

const OWN_APP = 'Take the picture from the app of the account that you set up.';

/** Validates a merchant's printed QR code. @throws KashboxError `invalid_input` */
export function checkCode(typed: TypedAccount, details: TypedDetails): CheckedAccount {
  const type = typeField(typed, ['qr']);
  const { qr = '' } = detailFields(QR, CODE_DETAILS, details);
  const hint = 'Pass a picture of the printed code with --qr-image, or its text with --qr-payload.';
  if (qr === '') refuse('The QR code is missing', hint);
  const read = parsePayload(qr);
  if (!read.ok) refuse(`The QR code cannot be used. ${read.faults.join('. ')}`, hint);
  const { text, name, merchantIds, personal } = read.payload;
  if (personal !== null) refusePersonal(name, personal);
  const [number = ''] = merchantIds;
  const said = typed.number?.trim();
  if (said !== undefined && !merchantIds.includes(said)) {
    refuse(`number "${said}" is not in the QR code, which names ${number}`, 'Leave --number out.');
  }
  return {
    account: { channel: QR, type, number },
    complete: () => ({ qr: text, holder: name }),
  };
}

function refusePersonal(name: string, { account }: PersonalAccount): never {
  const number = mobileNumber(account);
  const what = `This is the code of the personal account ${account} of ${name}, not of a merchant`;
  if (number === null) refuse(what, 'Get a merchant code from your bank: no bank reports money to this one.');
  refuse(
    what,
    "Its money is reported by the wallet's SMS, not by a bank: " +
      `kashbox accounts set --brand BRAND --channel WALLET --type personal --number ${number} --qr-image FILE`,
  );
}

function refuseMerchant(name: string, category: string | null): never {
  const what = category === null ? 'without a category' : `category ${category}`;
  refuse(
    `This is a merchant's code (${what}) of ${name}, not the code of a personal account`,
    "Its money is reported by a bank, not by the wallet's SMS: " +
      'kashbox accounts set --brand BRAND --channel qr_interbank --qr-image FILE',
  );
}

function refuseForType({ channel, type }: TypedWallet): never {
  refuse(
    `This is the code of a personal account, not of an account of type ${type}`,
    `Set it on the personal account: kashbox accounts set --brand BRAND --channel ${channel} --type personal ` +
      '--qr-image FILE',
  );
}

interface WalletCode {
  /** Number of the account that the code names, with a check digit if the code has it. */
  readonly number: string;
  /**
   * @returns the holder: the name in the code, unless the operator chose another.
   * @param kept stored details of the same number. @param given details that the operator gave.
   */
  named(kept: AccountDetails, given: AccountDetails): AccountDetails;
}

interface TypedWallet {
  readonly channel: MfsChannel;
  readonly type: MfsAccountType;
  readonly number?: string | undefined;
}

/**
 * @param qr not empty.
 * @returns what the owner's Bangla QR says; null for a code that customers are shown as it is.
 * @throws KashboxError `invalid_input`
 */
export function checkWalletCode(wallet: TypedWallet, qr: string): WalletCode | null {
  if (wallet.type !== 'personal') {
    if (isPersonalCode(qr)) refuseForType(wallet);
    return null;
  }
  // Codes that only the wallet's own app reads.
  if (!beginsAsCode(qr)) return null;
  const read = parsePayload(qr);
  if (!read.ok) {
    const hint = `${OWN_APP} Pass it with --qr-image, or its complete text with --qr-payload.`;
    refuse(`The QR code cannot be used. ${read.faults.join('. ')}`, hint);
  }
  const { name, category, personal } = read.payload;
  if (personal === null) refuseMerchant(name, category);
  const number = ownNumber(wallet, personal.account);
  return {
    number,
    named: (kept, given) => {
      const isOfCode = kept.holder === findPersonalAccount(kept.qr)?.name;
      const chosen = given.holder ?? (isOfCode ? '' : kept.holder) ?? '';
      return { holder: chosen === '' ? name : chosen };
    },
  };
}

function ownNumber({ channel, number: typed }: TypedWallet, account: string): string {
  const number = account.replace(/^\+?880(?=1)/, '0');
  const own = walletNumber(channel, number);
  if (own === null) {
    refuse(
      `This is the code of account ${account}, which is not a ${CHANNEL[channel].name.en} number`,
      OWN_APP,
    );
  }
  const wanted = typed === undefined ? own : walletNumber(channel, asciiDigits(typed));
  if (wanted !== null && wanted !== own) refuse(`This is the code of ${own}, not of ${wanted}`, OWN_APP);
  return number;
}
