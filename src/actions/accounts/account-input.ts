/**
 * Checks for accounts that all channels share. Throws `invalid_input` with the flag's name. Knows no store.
 */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits } from '../../base/values/text.js';
import {
  type AccountDetails,
  DETAIL_NAMES,
  type DetailName,
  parseDetail,
} from '../../domain/accounts/account-details.js';
import type { PayChannel } from '../../domain/accounts/channels.js';

/** Account as typed by an operator. Which fields are optional depends on the channel. */
export interface TypedAccount {
  readonly channel: string;
  readonly type?: string | undefined;
  readonly number?: string | undefined;
}

/** Account in stored form. */
export interface Account {
  readonly channel: PayChannel;
  readonly type: string;
  readonly number: string;
}

export type TypedDetails = Readonly<Partial<Record<DetailName, string | undefined>>>;

/** API credentials of an exchange; they allow a program to read the account. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

export interface CheckedAccount {
  readonly account: Account;
  /**
   * @param kept stored details of the same number.
   * @returns all details to store.
   * @throws KashboxError `invalid_input` if a detail is missing.
   */
  complete(kept: AccountDetails): AccountDetails;
}

/** Flag names of the details, so that an error names the flag that was typed. */
export const DETAIL_FIELD: Readonly<Record<DetailName, string>> = {
  bank_name: 'bank-name',
  holder: 'holder',
  branch: 'branch',
  routing: 'routing',
  qr: 'qr-payload',
  network: 'network',
  chain_id: 'chain',
  token: 'token',
  driver: 'driver',
  base_url: 'exchange-url',
};

/**
 * @param maxText maximum length of a name, if it is not the usual one.
 * @returns the validated details that were given; an empty text clears a detail.
 */
export function detailFields(
  channel: PayChannel,
  allowed: readonly DetailName[],
  typed: TypedDetails,
  maxText?: number,
): AccountDetails {
  const given = DETAIL_NAMES.flatMap((name) => {
    const text = typed[name];
    if (text === undefined) return [];
    if (!allowed.includes(name)) {
      const known = allowed.map((other) => `--${DETAIL_FIELD[other]}`).join(', ');
      refuse(`${DETAIL_FIELD[name]} does not belong to an account on ${channel}`, `It may have ${known}.`);
    }
    const read = parseDetail(name, text, maxText);
    if (!read.ok) refuse(`${DETAIL_FIELD[name]} ${read.fault}`, 'Write it as it is printed, on one line.');
    return [[name, read.text] as const];
  });
  return Object.fromEntries(given);
}

/** @param hint what a number looks like there. @returns it as it was typed, in ASCII digits. */
export function numberField(typed: string | undefined, hint: string): string {
  const number = asciiDigits(typed?.trim() ?? '');
  if (number === '') refuse('number is missing', hint);
  return number;
}

/** @returns the type that was typed, or the first of the known ones where none was. */
export function typeField<Type extends string>(
  { channel, type }: TypedAccount,
  known: readonly [Type, ...Type[]],
): Type {
  if (type === undefined) return known[0];
  const found = known.find((one) => one === type);
  if (found === undefined) {
    refuse(
      `type "${type}" does not exist on ${channel}`,
      `Accounts on ${channel} are of type ${known.join(', ')}.`,
    );
  }
  return found;
}
