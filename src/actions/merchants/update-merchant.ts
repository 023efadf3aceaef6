/** Changes what is known of a merchant; its state has an action of its own. */
import { audit } from '../../store/tables/audit.js';
import { changeMerchant } from '../../store/tables/merchants.js';
import { changeTestSides } from '../../store/tables/test-brands.js';
import type { Core } from '../core/core.js';
import { emailField, ipRangesField, nameField, phoneField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { changeOf, given, ifGiven, renaming } from '../input/row-change.js';
import { type MerchantView, merchantView } from './merchant-view.js';

interface UpdateMerchant {
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
  return given({
    name: ifGiven(name, (text) => nameField('name', text)),
    mobile: ifGiven(mobile, (text) => phoneField('mobile', text)),
    whatsapp: ifGiven(whatsapp, (text) => phoneField('whatsapp', text)),
    email: ifGiven(email, (text) => emailField('email', text)),
    allow_ips: ifGiven(allowIps, (ranges) => ipRangesField('allow-ip', ranges)),
  });
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
      const { allow_ips } = change.after;
      if (allow_ips !== undefined) await changeTestSides(db, row.id, { allow_ips });
      await audit(core, db, input.who, 'merchant.update', row.id, change);
      return merchantView({ ...row, ...change.after });
    });
  return renaming('merchant', wanted.name, work);
}
