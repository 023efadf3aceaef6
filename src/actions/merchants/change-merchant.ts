/** Creates a merchant with its first brand, updates a merchant, and suspends or activates it. */
import { newRowId } from '../../base/values/ids.js';
import type { MerchantTable } from '../../store/schema/index.js';
import { audit, writeAudit } from '../../store/tables/audit.js';
import { changeTestSides, listTestMerchants } from '../../store/tables/brands.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { changeMerchant, insertMerchant } from '../../store/tables/merchants.js';
import {
  auditedBrand,
  type BrandProfile,
  type BrandSecrets,
  newBrand,
  putBrand,
} from '../brands/change-brand.js';
import { settleSuspended } from '../claims/settle-suspended.js';
import type { Core } from '../core/core.js';
import { emailField, ipRangesField, nameField, phoneField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { definedColumns, diffRow, ifGiven, nameTaken, renaming } from '../input/row-change.js';
import { type MerchantView, merchantView } from './merchant-view.js';

interface CreateMerchant extends BrandProfile {
  readonly name: string;
  /** IP addresses and CIDR ranges; none means any. */
  readonly allowIps: readonly string[];
  /** Actor recorded in the audit log. */
  readonly who: string;
}

export interface CreatedMerchant extends BrandSecrets {
  readonly merchant: Pick<MerchantTable, 'id' | 'name' | 'status'>;
  readonly brand: { readonly id: string; readonly name: string };
}

/** @throws KashboxError `invalid_input`, `already_exists` (names are unique) */
export async function createMerchant(core: Core, input: CreateMerchant): Promise<CreatedMerchant> {
  const now = core.clock.now();
  const merchant: MerchantTable = {
    id: newRowId(core.random, now, 'merchant'),
    name: nameField('name', input.name),
    status: 'ACTIVE',
    mobile: phoneField('mobile', input.mobile ?? ''),
    whatsapp: phoneField('whatsapp', input.whatsapp ?? ''),
    email: emailField('email', input.email ?? ''),
    allow_ips: ipRangesField('allow-ip', input.allowIps),
    created_at: now,
  };
  const brand = newBrand(core, { merchantId: merchant.id, testOf: null }, merchant.name, input);
  const { who } = input;
  await core.store.write(async (db) => {
    if (!(await insertMerchant(db, merchant))) throw nameTaken('merchant', merchant.name);
    await putBrand(db, brand);
    const entry = { at: now, who, action: 'merchant.create', subject: merchant.id, after: merchant };
    await writeAudit(db, core.random, entry);
    const after = auditedBrand(brand.row);
    await writeAudit(db, core.random, { ...entry, action: 'brand.create', subject: brand.row.id, after });
  });
  const { id, name, status } = merchant;
  return {
    merchant: { id, name, status },
    brand: { id: brand.row.id, name: brand.row.name },
    ...brand.secrets,
  };
}

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
  return definedColumns({
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
      const change = diffRow(row, wanted);
      if (change === null) return merchantView(row);
      await changeMerchant(db, row.id, change.after);
      const { allow_ips } = change.after;
      if (allow_ips !== undefined) await changeTestSides(db, row.id, { allow_ips });
      await audit(core, db, input.who, 'merchant.update', row.id, change);
      return merchantView({ ...row, ...change.after });
    });
  return renaming('merchant', wanted.name, work);
}

const ACTIONS: Readonly<Record<MerchantTable['status'], string>> = {
  ACTIVE: 'merchant.activate',
  SUSPENDED: 'merchant.suspend',
};

/**
 * Suspends or activates a merchant; writes no audit row if the status is the same. Kept claims of an active
 * merchant are settled in any case, so an interrupted command can be run again.
 * @param input.merchant identifier or name.
 * @throws KashboxError `not_found`
 */
export async function changeMerchantStatus(
  core: Core,
  input: { readonly merchant: string; readonly status: MerchantTable['status']; readonly who: string },
): Promise<MerchantView> {
  const { status, who } = input;
  const changed = await core.store.write(async (db) => {
    const row = await requireMerchant(db, input.merchant);
    if (row.status === status) return merchantView(row);
    // Money and claims that are being stored have read the status of before.
    for (const one of [row.id, ...(await listTestMerchants(db, row.id))]) await lockMerchant(db, one);
    await changeMerchant(db, row.id, { status });
    await changeTestSides(db, row.id, { status });
    await audit(core, db, who, ACTIONS[status], row.id, {
      before: { status: row.status },
      after: { status },
    });
    return merchantView({ ...row, status });
  });
  if (status === 'ACTIVE') {
    const sides = await core.store.read((db) => listTestMerchants(db, changed.id));
    for (const merchant of [changed.id, ...sides]) await settleSuspended(core, merchant);
  }
  return changed;
}
