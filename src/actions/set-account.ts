/** Says on which wallet number or bank account a brand is paid. */
import { newRowId } from '../base/ids.js';
import { type AccountDetails, detailsText, readDetails } from '../domain/account-details.js';
import { BANK, rocketNumber } from '../domain/channels.js';
import type { AccountTable } from '../store/schema.js';
import {
  activeAccount,
  changeDetails,
  disableAccountRow,
  insertAccount,
  stampAccounts,
} from '../store/tables/accounts.js';
import { writeAudit } from '../store/tables/audit.js';
import { lockMerchant } from '../store/tables/merchants.js';
import {
  type Account,
  accountOf,
  detailFields,
  requireDetails,
  type TypedAccount,
  type TypedDetails,
} from './account-fields.js';
import type { Core } from './core.js';
import { requireBrand } from './required.js';
import { type AccountView, accountView } from './views.js';

export interface SetAccount extends TypedAccount {
  /** Identifier or name. */
  readonly brand: string;
  /** What stands beside the number; what is absent stays as it is while the number does, empty clears it. */
  readonly details?: TypedDetails | undefined;
  readonly who: string;
}

/**
 * A brand has one active account on each channel and type: another number disables the older one, the same
 * number keeps its row and takes the details that are given.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function setAccount(core: Core, input: SetAccount): Promise<AccountView> {
  const account = accountOf(input);
  const given = detailFields(account.channel, input.details ?? {});
  return core.store.write(async (db) => {
    const brand = await requireBrand(db, input.brand);
    await lockMerchant(db, brand.merchant_id);
    const now = core.clock.now();
    const old = await activeAccount(db, brand.id, account.channel, account.type);
    const isSame = old?.number === account.number;
    const wanted = {
      ...(isSame ? readDetails(old.details) : {}),
      ...shownAs(account, input.number),
      ...given,
    };
    requireDetails(account.channel, wanted);
    const details = detailsText(wanted);
    const audit = { at: now, who: input.who, action: 'account.set' };
    if (isSame) {
      if (old.details === details) return accountView({ ...old, brand: brand.name });
      await changeDetails(db, old.id, details);
      await stampAccounts(db, brand.id, newRowId(core.random, now, 'account'));
      const change = { before: { details: old.details }, after: { details } };
      await writeAudit(db, core.random, { ...audit, subject: old.id, ...change });
      return accountView({ ...old, details, brand: brand.name });
    }
    if (old !== undefined) await disableAccountRow(db, old.id, now);
    const row: AccountTable = {
      id: newRowId(core.random, now, 'account'),
      brand_id: brand.id,
      ...account,
      active: 1,
      created_at: now,
      disabled_at: null,
      details,
      secret: null,
    };
    await insertAccount(db, row);
    await stampAccounts(db, brand.id, row.id);
    await writeAudit(db, core.random, {
      ...audit,
      subject: row.id,
      before: old === undefined ? null : { id: old.id, number: old.number },
      after: { brand: brand.id, ...account, details },
    });
    return accountView({ ...row, brand: brand.name });
  });
}

/** Customers are shown all the digits that the operator wrote, also the one that is not compared. */
function shownAs({ channel }: Account, typed: string): AccountDetails {
  return channel === BANK ? {} : { shown_number: rocketNumber(channel, typed) ?? '' };
}
