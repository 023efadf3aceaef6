/** Opens a merchant together with its first brand of the same name; once that has accounts it can be paid. */
import { newRowId } from '../../base/values/ids.js';
import type { MerchantTable } from '../../store/schema/index.js';
import { writeAudit } from '../../store/tables/audit.js';
import { insertMerchant } from '../../store/tables/merchants.js';
import {
  auditedBrand,
  type BrandProfile,
  type BrandSecrets,
  newBrand,
  putBrand,
} from '../brands/brand-parts.js';
import type { Core } from '../core/core.js';
import { emailField, ipRangesField, nameField, phoneField } from '../input/fields.js';
import { nameTaken } from '../input/row-change.js';

interface CreateMerchant extends BrandProfile {
  readonly name: string;
  /** IP addresses and CIDR ranges; none means any. */
  readonly allowIps: readonly string[];
  /** Who does it, for the audit. */
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
