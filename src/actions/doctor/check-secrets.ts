/** Whether what was sealed can be opened: without the right key file no notification can be signed. */

import { isKashboxError } from '../../base/errors/errors.js';
import { say, type Text } from '../../base/values/say.js';
import { listedBrands } from '../../store/tables/brands.js';
import { validSecrets } from '../brands/webhook-secrets.js';
import type { Core } from '../core/core.js';
import { type Finding, fail } from './check.js';

/** Brands that are named; of more the reader has understood. */
const MAX_NAMED = 5;

/** @returns nothing where all is well: most installations never see a line of it. */
export async function checkSecrets(core: Core): Promise<Finding[]> {
  const now = core.clock.now();
  const brands = await core.store.read((db) => listedBrands(db, null));
  const shut = brands.filter((brand) => {
    try {
      validSecrets(core, { ...brand, brand_id: brand.id }, now);
      return false;
    } catch (error) {
      if (isKashboxError(error)) return true;
      throw error;
    }
  });
  if (shut.length === 0) return [];
  const named = shut.slice(0, MAX_NAMED).map(({ name }) => name);
  const more: Text = shut.length > MAX_NAMED ? say` and ${shut.length - MAX_NAMED} more` : '';
  return [
    fail(
      'webhook secrets',
      say`the key file does not open those of ${named.join(', ')}${more}, so their shops are not notified`,
      say`Put the secret.key of this store back, from a backup; else give each a new secret: kashbox webhooks rotate.`,
    ),
  ];
}
