/**
 * The accounts on which a brand is paid, remembered between requests: they change a few times a year and are
 * asked for with every payment. Never out of date: whoever asks has just read the brand's stamp in the store,
 * which is another one after every change.
 */
import type { Db } from '../store/schema.js';
import { activeAccounts } from '../store/tables/accounts.js';
import { merchantIdsOf } from './merchant-ids.js';

export interface BrandAccount {
  readonly id: string;
  readonly channel: string;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/account-details). */
  readonly details: Readonly<Record<string, string>>;
  /** By which a bank may name it in a push; read once, since every push and claim asks for them. */
  readonly merchantIds: readonly string[];
}

export interface StampedBrand {
  readonly brand_id: string;
  readonly accounts_stamp: string;
}

export interface AccountMemory {
  /** @returns the active accounts, in a steady order. @param brand as read in this request. */
  of(db: Db, brand: StampedBrand): Promise<readonly BrandAccount[]>;
}

/** Brands that are remembered; one takes about a KiB. */
const MAX_BRANDS = 1_000;

export function createAccountMemory(): AccountMemory {
  const known = new Map<string, { readonly stamp: string; readonly accounts: readonly BrandAccount[] }>();
  return {
    async of(db, { brand_id, accounts_stamp: stamp }) {
      const kept = known.get(brand_id);
      if (kept?.stamp === stamp) return kept.accounts;
      const rows = await activeAccounts.all(db, { brand: brand_id });
      const accounts = rows.map((row) => {
        const account = { ...row, details: JSON.parse(row.details) as Record<string, string> };
        return { ...account, merchantIds: merchantIdsOf(account) };
      });
      if (known.size >= MAX_BRANDS) known.clear();
      known.set(brand_id, { stamp, accounts });
      return accounts;
    },
  };
}
