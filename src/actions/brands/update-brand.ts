/** Changes a brand's public profile and look, its webhook address, its limits of time and its checkout. */

import { privateWebhooks } from '../../config/settings.js';
import { destinationOf } from '../../domain/notifications/fair-share.js';
import { audit } from '../../store/tables/audit.js';
import { changeBrand } from '../../store/tables/brands.js';
import { giveUpDue, redirectDue } from '../../store/tables/notifications.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { requireBrand } from '../input/require-row.js';
import { changeOf, renaming } from '../input/row-change.js';
import { checkLook, keepLogo } from './brand-look.js';
import { type BrandProfile, brandColumns } from './brand-parts.js';
import { type BrandView, brandView } from './brand-view.js';

interface UpdateBrand extends BrandProfile {
  /** Identifier or name. */
  readonly brand: string;
  readonly name?: string | undefined;
  readonly who: string;
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` */
export async function updateBrand(core: Core, input: UpdateBrand): Promise<BrandView> {
  const name = input.name === undefined ? undefined : nameField('name', input.name);
  const look = await checkLook(input);
  const work = () =>
    core.store.write(async (db) => {
      const row = await requireBrand(db, input.brand);
      const columns = brandColumns(input, row, privateWebhooks(core.settings, row.test_of !== null));
      const wanted = { ...columns, ...look.columns, ...(name === undefined ? {} : { name }) };
      const change = changeOf(row, wanted);
      if (change === null) return brandView(row, core.clock.now());
      await changeBrand(db, row.id, change.after);
      const { webhook_url: url, logo } = change.after;
      if (logo !== undefined) await keepLogo(db, row.id, logo, look.content);
      if (url === null) await giveUpDue(db, row.id, core.clock.now());
      if (typeof url === 'string') {
        await redirectDue(db, row.id, { ...destinationOf(row.id, url), now: core.clock.now() });
      }
      await audit(core, db, input.who, 'brand.update', row.id, change);
      return brandView({ ...row, ...change.after }, core.clock.now());
    });
  return renaming('brand', name, work);
}
