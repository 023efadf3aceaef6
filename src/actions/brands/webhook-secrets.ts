/** Opens the secrets that sign a brand's notifications. They never leave this process. */
import type { BrandTable } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/seal-purposes.js';
import { requireBrand } from '../input/require-row.js';

/** What stands of it in the store, sealed. */
export type SealedSecrets = Pick<
  BrandTable,
  'webhook_secret' | 'old_webhook_secret' | 'old_webhook_secret_dies_at'
> & { readonly brand_id: string };

/** @param at milliseconds since the epoch. @returns the brand's secret, and the old one while it is valid. */
export function validSecrets(core: Core, brand: SealedSecrets, at: number): string[] {
  const { webhook_secret: present, old_webhook_secret: old, old_webhook_secret_dies_at: diesAt } = brand;
  const sealed = old !== null && diesAt !== null && at < diesAt ? [present, old] : [present];
  return sealed.map((text) => core.secrets.open(text, sealPurpose('webhook', brand.brand_id)));
}

/**
 * @param named identifier or name of a brand.
 * @param at when it signed, milliseconds since the epoch.
 * @throws KashboxError `not_found`, `secret_unreadable`
 */
export async function secretsOfBrand(core: Core, named: string, at: number): Promise<string[]> {
  const brand = await core.store.read((db) => requireBrand(db, named));
  return validSecrets(core, { ...brand, brand_id: brand.id }, at);
}
