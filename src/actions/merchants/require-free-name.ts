/** Whether a shop may be called so: looked up once its name is typed, not behind the last question. */
import { findBrand } from '../../store/tables/brands.js';
import { findMerchant } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { nameTaken } from '../input/row-change.js';

/** A new merchant's first brand has its name. @throws KashboxError `invalid_input`, `already_exists` */
export async function requireFreeName(core: Core, text: string): Promise<void> {
  const name = nameField('name', text);
  const [merchant, brand] = await core.store.read((db) =>
    Promise.all([findMerchant(db, name), findBrand(db, name)]),
  );
  if (merchant !== undefined) throw nameTaken('merchant', name);
  if (brand !== undefined) throw nameTaken('brand', name);
}
