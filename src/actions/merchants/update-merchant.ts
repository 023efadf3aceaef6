/** Changes what is known of a merchant; its state has an action of its own. */
import { audit } from '../../store/tables/audit.js';
import { changeMerchant } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { emailField, ipRangesField, nameField, phoneField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { changeOf, renaming } from '../input/row-change.js';
import { type MerchantView, merchantView } from './merchant-view.js';

export interface UpdateMerchant {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name?: string | undefined;
  readonly mobile?: string | undefined;
  readonly whatsapp?: string | undefined;
  readonly email?: string | undefined;
  /** The new list in full; an empty one lets any address in. */
  readonly allowIps?: readonly string[] | undefined;
  readonly who: string;
}

function columns(input: UpdateMerchant) {
  const { name, mobile, whatsapp, email, allowIps } = input;
  return {
    ...(name === undefined ? {} : { name: nameField('name', name) }),
    ...(mobile === undefined ? {} : { mobile: phoneField('mobile', mobile) }),
    ...(whatsapp === undefined ? {} : { whatsapp: phoneField('whatsapp', whatsapp) }),
    ...(email === undefined ? {} : { email: emailField('email', email) }),
    ...(allowIps === undefined ? {} : { allow_ips: ipRangesField('allow-ip', allowIps) }),
  };
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` */
export async function updateMerchant(core: Core, input: UpdateMerchant): Promise<MerchantView> {
  const wanted = columns(input);
  const work = () =>
    core.store.write(async (db) => {
      const row = await requireMerchant(db, input.merchant);
      const change = changeOf(row, wanted);
      if (change === null) return merchantView(row);
      await changeMerchant(db, row.id, change.after);
      await audit(core, db, input.who, 'merchant.update', row.id, change);
      return merchantView({ ...row, ...change.after });
    });
  return renaming('merchant', wanted.name, work);
}
