/** Opens a further brand of a merchant, with a Brand Key and a webhook secret of its own. */
import { newRowId } from '../../base/values/ids.js';
import { TEST_ACCOUNTS } from '../../domain/accounts/test-accounts.js';
import type { Db, MerchantTable } from '../../store/schema/index.js';
import { insertAccount, renewAccountsVersion } from '../../store/tables/accounts.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { insertMerchant } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { checkLook } from './brand-look.js';
import { auditedBrand, type BrandProfile, type BrandSecrets, newBrand, putBrand } from './brand-parts.js';

interface CreateBrand extends BrandProfile {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name: string;
  /** A brand for tests: its payments are played, and count as no money. Never changed afterwards. */
  readonly test?: boolean;
  readonly who: string;
}

export interface CreatedBrand extends BrandSecrets {
  readonly brand: { readonly id: string; readonly name: string; readonly kind: 'live' | 'test' };
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` (names are unique) */
export async function createBrand(core: Core, input: CreateBrand): Promise<CreatedBrand> {
  const look = await checkLook(input);
  const isTest = input.test === true;
  return core.store.write(async (db) => {
    const merchant = await requireMerchant(db, input.merchant);
    // A brand for tests begins with the state of its merchant, which must not change meanwhile.
    if (isTest) await lockMerchant(db, merchant.id);
    const owner = isTest
      ? { merchantId: newRowId(core.random, core.clock.now(), 'merchant'), testOf: merchant.id }
      : { merchantId: merchant.id, testOf: null };
    const brand = newBrand(core, owner, input.name, input, look);
    const { row } = brand;
    if (isTest) await insertTestSide(core, db, await requireMerchant(db, merchant.id), row);
    await putBrand(db, brand);
    if (isTest) await insertTestAccounts(core, db, row.id);
    await audit(core, db, input.who, 'brand.create', row.id, { after: auditedBrand(row) });
    return { brand: { id: row.id, name: row.name, kind: isTest ? 'test' : 'live' }, ...brand.secrets };
  });
}

/**
 * SMS, proofs and claims are looked up by merchant. So a brand for tests has a merchant that is made for it
 * alone, and nothing of it can meet anything that is real.
 */
async function insertTestSide(
  core: Core,
  db: Db,
  { status, allow_ips }: MerchantTable,
  brand: { readonly id: string; readonly merchant_id: string },
): Promise<void> {
  await insertMerchant(db, {
    ...{ id: brand.merchant_id, status, allow_ips, created_at: core.clock.now() },
    // A name that nobody else has, and nobody sees.
    name: brand.id,
    ...{ mobile: '', whatsapp: '', email: '' },
  });
}

async function insertTestAccounts(core: Core, db: Db, brand: string): Promise<void> {
  const now = core.clock.now();
  for (const account of TEST_ACCOUNTS) {
    const id = newRowId(core.random, now, 'account');
    const made = { id, brand_id: brand, ...account, active: 1, created_at: now, disabled_at: null };
    await insertAccount(db, { ...made, details: '{}', secret: null });
  }
  await renewAccountsVersion(db, brand, newRowId(core.random, now, 'account'));
}
