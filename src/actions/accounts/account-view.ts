/** Public representation of an account, and lists of accounts. Never contains a credential. */

import { minute } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { findPersonalAccount } from '../../channels/qr-interbank/emv.js';
import { type AccountDetails, parseAccountDetails } from '../../domain/accounts/account-details.js';
import { CHANNEL, channelText } from '../../domain/accounts/channels.js';
import type { Income } from '../../domain/accounts/choose-account.js';
import type { AccountTable } from '../../store/schema/index.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import type { Core } from '../core/core.js';
import { idOfBrand } from '../input/require-row.js';
import { defineView, type Makers, type SheetEntry } from '../input/view.js';
import { incomeOf } from './number-use.js';

export type AccountView = ReturnType<typeof accountView>;

type AccountOfBrand = AccountTable & { readonly brand: string };

const fields = ({ same, times, taka }: Makers<AccountOfBrand>) => ({
  ...same('id', 'brand_id', 'brand', 'channel', 'type', 'number'),
  /** Details shown to customers in addition to the number: bank name and holder, text of a QR code. */
  details: (row: AccountOfBrand) => parseAccountDetails(row.details),
  /** Payee of the owner's Bangla QR of a wallet account; null without one. */
  personal_qr: (row: AccountOfBrand) => personalQr(row),
  active: (row: AccountOfBrand) => row.active === 1,
  ...times('created_at', 'disabled_at'),
  /** Limits of a wallet number in taka, in days and months of Bangladesh; null for no limit. */
  day_limit: taka('day_limit_paisa'),
  month_limit: taka('month_limit_paisa'),
});

export const accountView = defineView<AccountOfBrand>()(fields);

export type ListedAccountView = ReturnType<typeof listedAccountView>;

export const listedAccountView = defineView<AccountOfBrand, Income | null>()((make) => ({
  ...fields(make),
  /** What has come in on a wallet number by its SMS, in taka; null if it is not a wallet. */
  in_today: (_, income) => (income === null ? null : formatTaka(income.todayPaisa)),
  in_month: (_, income) => (income === null ? null : formatTaka(income.monthPaisa)),
}));

function personalQr({ channel, details }: AccountTable) {
  if (CHANNEL[channel].kind !== 'sms') return null;
  const code = findPersonalAccount(parseAccountDetails(details).qr);
  if (code === null) return null;
  const { name, institutionType, institution, isSigned } = code;
  return { name, institution_type: institutionType, institution, signed: isSigned };
}

const DETAIL_WORDS: readonly (readonly [keyof AccountDetails, string])[] = [
  ['bank_name', 'Bank'],
  ['holder', 'Holder'],
  ['branch', 'Branch'],
  ['routing', 'Routing'],
  ['qr', 'QR'],
  ['network', 'Network'],
  ['chain_id', 'Chain'],
  ['token', 'Token'],
  ['driver', 'Queried by'],
  ['base_url', 'At'],
  ['key', 'API key'],
];

export const accountSheet = accountView.sheet({
  channel: ['Account', ({ channel, type }) => `${channelText(channel)} ${type}`],
  type: null,
  number: 'Number',
  details: ({ details }) => DETAIL_WORDS.map(([name, word]): SheetEntry => [word, details[name] ?? null]),
  personal_qr: ['Bangla QR', ({ personal_qr: code }) => code && `personal, of ${code.name}`],
  id: 'Id',
  brand: 'Brand',
  brand_id: null,
  active: ['State', ({ active, disabled_at: at }) => (active ? 'active' : `disabled ${minute(at)}`)],
  created_at: null,
  disabled_at: null,
  day_limit: ['Day limit', ({ day_limit }) => limitText(day_limit)],
  month_limit: ['Month limit', ({ month_limit }) => limitText(month_limit)],
});

const limitText = (limit: string | null) => (limit === null ? null : `${limit} BDT`);

/**
 * @param input.brand identifier or name; absent for all.
 * @param input.disabledToo also those that are out of use.
 * @throws KashboxError `not_found`
 */
export async function listAccounts(
  core: Core,
  input: { readonly brand?: string | undefined; readonly disabledToo: boolean },
): Promise<ListedAccountView[]> {
  return core.store.read(async (db) => {
    const rows = await listedAccounts(db, await idOfBrand(db, input.brand), input.disabledToo);
    const views: ListedAccountView[] = [];
    for (const row of rows) {
      const { merchant_id: merchant, channel, number } = row;
      const isWallet = CHANNEL[channel].kind === 'sms';
      const income = isWallet ? await incomeOf(db, { merchant, channel, number }, core.clock.now()) : null;
      views.push(listedAccountView(row, income));
    }
    return views;
  });
}
