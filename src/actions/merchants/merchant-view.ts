/** How a merchant looks from outside: what the command line prints as JSON. Scripts rely on these names. */
import { dhakaIso } from '../../base/values/clock.js';
import type { MerchantTable } from '../../store/schema/index.js';

export interface MerchantView {
  readonly id: string;
  readonly name: string;
  readonly status: MerchantTable['status'];
  readonly mobile: string;
  readonly whatsapp: string;
  readonly email: string;
  /** Empty means any address. */
  readonly allow_ips: readonly string[];
  readonly created_at: string;
}

export function merchantView(row: MerchantTable): MerchantView {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    mobile: row.mobile,
    whatsapp: row.whatsapp,
    email: row.email,
    allow_ips: JSON.parse(row.allow_ips) as string[],
    created_at: dhakaIso(row.created_at),
  };
}
