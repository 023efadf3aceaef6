/** An account at an exchange, as an operator types it (`exchange_pay`): user id, API and where that is. */
import { refuse } from '../../base/errors/refuse.js';
import type { ExchangeAccountType, ExchangeDriver } from '../../channels/exchange-pay/exchange.js';
import { DRIVERS } from '../../channels/exchange-pay/exchanges.js';
import { mayCall } from '../../channels/sources.js';
import { type AccountDetails, EXCHANGE_DETAILS } from '../../domain/accounts/account-details.js';
import {
  type CheckedAccount,
  type Credentials,
  detailFields,
  numberField,
  type TypedAccount,
  type TypedDetails,
  typeField,
} from './account-input.js';

const CHANNEL = 'exchange_pay';

/** @throws KashboxError `invalid_input` */
export function checkExchange(typed: TypedAccount, details: TypedDetails): CheckedAccount {
  const type = typeField<ExchangeAccountType>(typed, ['personal', 'merchant']);
  const hint = 'Use the user ID from your profile in the app of the exchange (digits only).';
  const number = numberField(typed.number, hint);
  if (!/^\d{4,20}$/.test(number)) refuse(`number "${number}" is not a user id of an exchange`, hint);
  const given = detailFields(CHANNEL, EXCHANGE_DETAILS, details);
  return {
    account: { channel: CHANNEL, type, number },
    complete: (kept) => apiDetails(type, given, kept),
  };
}

/** Defaults are the API's. The address of another API is dropped. */
function apiDetails(type: ExchangeAccountType, given: AccountDetails, kept: AccountDetails): AccountDetails {
  const usual = DRIVERS.filter((driver) => driver.type === type);
  const driver = driverField(given.driver || kept.driver || usual[0]?.id || '');
  if (type === 'personal' && driver.type === 'merchant') {
    refuse(
      `driver "${driver.id}" cannot see payments to a user id, so a personal account cannot use it`,
      `Give --type merchant, or --driver ${usual.map(({ id }) => id).join(' or ')}.`,
    );
  }
  const same = kept.driver === driver.id ? kept : {};
  const base_url =
    given.base_url === undefined
      ? (same.base_url ?? driver.baseUrl)
      : addressField(given.base_url, driver.baseUrl);
  return { driver: driver.id, base_url, ...(kept.key === undefined ? {} : { key: kept.key }) };
}

function driverField(typed: string): ExchangeDriver {
  const driver = DRIVERS.find(({ id }) => id === typed);
  if (driver !== undefined) return driver;
  return refuse(`driver "${typed}" is unknown`, `There are ${DRIVERS.map(({ id }) => id).join(' and ')}.`);
}

/** @returns origin and path without final slash. Credentials go there: suspicious addresses are refused. */
function addressField(typed: string, usual: string): string {
  if (typed === '') return usual;
  const url = URL.canParse(typed) ? new URL(typed) : null;
  const plain = url === null ? '' : `${url.origin}${url.pathname}`;
  if (url === null || url.href !== plain || !mayCall(url)) {
    refuse(
      'exchange-url is not a valid address',
      `Write it as ${usual}: https, without a name, a password or a question mark in it.`,
    );
  }
  return plain.replace(/\/+$/, '');
}

/** Errors name only the expected form, because both are secrets. @throws KashboxError `invalid_input` */
export function validateCredentials({ key, secret }: Credentials): Credentials {
  for (const [name, text] of [
    ['key', key],
    ['secret', secret],
  ] as const) {
    if (/^[!-~]{16,256}$/.test(text)) continue;
    refuse(
      `the API ${name} must be 16 to 256 letters, digits and signs without spaces`,
      'Copy all of it from the page of the exchange where you created it.',
    );
  }
  return { key, secret };
}
