/** Views of merchants: the list, and one merchant with its brands and devices. */
import { minute } from '../../base/values/clock.js';
import type { NamedRef } from '../../base/values/ids.js';
import type { MerchantTable } from '../../store/schema/index.js';
import { listedBrands } from '../../store/tables/brands.js';
import { listedDevices } from '../../store/tables/devices.js';
import { allMerchants } from '../../store/tables/merchants.js';
import { CONTACT_LINES } from '../brands/brand-view.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { defineView } from '../input/view.js';

export type MerchantView = ReturnType<typeof merchantView>;

export const merchantView = defineView<MerchantTable>()(({ same, times }) => ({
  ...same('id', 'name', 'status', 'mobile', 'whatsapp', 'email'),
  /** Empty means any address. */
  allow_ips: (row) => JSON.parse(row.allow_ips) as readonly string[],
  ...times('created_at'),
}));

export const merchantSheet = merchantView.sheet({
  name: 'Merchant',
  id: 'Id',
  status: 'Status',
  ...CONTACT_LINES,
  allow_ips: ['Allowed IPs', ({ allow_ips }) => allow_ips.join(' ') || 'any'],
  created_at: ['Since', ({ created_at }) => minute(created_at)],
});

/** @returns the oldest first. */
export async function listMerchants(core: Core): Promise<MerchantView[]> {
  const rows = await core.store.read(allMerchants);
  return rows.map((row) => merchantView(row));
}

interface MerchantInFull extends MerchantView {
  readonly brands: readonly NamedRef[];
  readonly devices: readonly NamedRef[];
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function findMerchantInFull(core: Core, named: string): Promise<MerchantInFull> {
  return core.store.read(async (db) => {
    const row = await requireMerchant(db, named);
    const brands = await listedBrands(db, row.id);
    const devices = await listedDevices(db, row.id);
    const short = ({ id, name }: NamedRef) => ({ id, name });
    return { ...merchantView(row), brands: brands.map(short), devices: devices.map(short) };
  });
}
