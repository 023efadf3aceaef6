/** Opens a further brand of a merchant, with a Brand Key and a webhook secret of its own. */
import { audit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { auditedBrand, type BrandProfile, type BrandSecrets, newBrand, putBrand } from './brand-parts.js';

export interface CreateBrand extends BrandProfile {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name: string;
  readonly who: string;
}

export interface CreatedBrand extends BrandSecrets {
  readonly brand: { readonly id: string; readonly name: string };
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` (names are unique) */
export async function createBrand(core: Core, input: CreateBrand): Promise<CreatedBrand> {
  return core.store.write(async (db) => {
    const merchant = await requireMerchant(db, input.merchant);
    const brand = newBrand(core, merchant.id, input.name, input);
    await putBrand(db, brand);
    const { row } = brand;
    await audit(core, db, input.who, 'brand.create', row.id, { after: auditedBrand(row) });
    return { brand: { id: row.id, name: row.name }, ...brand.secrets };
  });
}
