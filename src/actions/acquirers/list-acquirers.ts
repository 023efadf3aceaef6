/** The banks and acquirers that may tell of payments. */
import { listedAcquirers } from '../../store/tables/acquirers.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { type AcquirerView, acquirerView } from './acquirer-view.js';

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
    const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
    const rows = await listedAcquirers(db, merchant?.id ?? null);
    return rows.map(acquirerView);
  });
}
