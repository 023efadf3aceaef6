/** One merchant with what belongs to it. */
import { listedBrands } from '../../store/tables/brands.js';
import { listedDevices } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { type MerchantView, merchantView } from './merchant-view.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface MerchantInFull extends MerchantView {
  readonly brands: readonly Named[];
  readonly devices: readonly Named[];
}

/**
 * @param named identifier or name.
 * @throws KashboxError `not_found`
 */
export async function findMerchantInFull(core: Core, named: string): Promise<MerchantInFull> {
  return core.store.read(async (db) => {
    const row = await requireMerchant(db, named);
    const brands = await listedBrands(db, row.id);
    const devices = await listedDevices(db, row.id);
    const short = ({ id, name }: Named) => ({ id, name });
    return { ...merchantView(row), brands: brands.map(short), devices: devices.map(short) };
  });
}
