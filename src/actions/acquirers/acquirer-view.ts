/** How an acquirer looks from outside, and lists of them. No hash and no secret gets into it. */
import type { AcquirerTable } from '../../store/schema/index.js';
import { listedAcquirers } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { idOfMerchant } from '../input/require-row.js';
import { viewOf } from '../input/view.js';
import { readRules } from './acquirer-rules.js';

export type AcquirerView = ReturnType<typeof acquirerView>;

export const acquirerView = viewOf<AcquirerTable & { readonly merchant: string }>()(({ same, times }) => ({
  ...same('id', 'name', 'merchant_id', 'merchant'),
  status: (row) => (row.revoked_at === null ? ('ACTIVE' as const) : ('REVOKED' as const)),
  ...same('auth', 'key_hint'),
  /** Null where nothing is signed. */
  signature: (row) => (row.auth === 'hmac' ? readRules(row.rules).signature : null),
  /** Empty means any address. */
  allow_ips: (row) => readRules(row.rules).allow_ips,
  map: (row) => readRules(row.rules).map,
  ...times('created_at'),
}));

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first, revoked ones too.
 * @throws KashboxError `not_found`
 */
export async function listAcquirers(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<AcquirerView[]> {
  return core.store.read(async (db) => {
    const rows = await listedAcquirers(db, await idOfMerchant(db, input.merchant));
    return rows.map((row) => acquirerView(row));
  });
}
