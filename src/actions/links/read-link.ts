/** A payment link as its page shows it. */
import { LINK_ID } from '../../base/values/ids.js';
import { fieldsOf, type LinkField } from '../../domain/links/fields.js';
import { type LinkAmounts, type LinkState, linkStateAt } from '../../domain/links/link.js';
import type { Db } from '../../store/schema/index.js';
import { type LinkWithBrand, linkWithBrand, paidByLink } from '../../store/tables/links.js';
import { type BrandContext, contextOf } from '../brands/brand-context.js';
import type { BrandLook } from '../brands/brand-look.js';
import type { Core } from '../core/core.js';

export interface Link extends LinkAmounts {
  readonly id: string;
  /** Empty where the seller said nothing. */
  readonly title: string;
  readonly fields: readonly LinkField[];
  readonly state: LinkState;
  readonly brand: BrandContext;
  readonly look: BrandLook;
}

/** Writes nothing. @returns null where there is no such link. */
export async function readLink(core: Core, id: string): Promise<Link | null> {
  if (!LINK_ID.test(id)) return null;
  return core.store.read(async (db) => {
    const row = await linkWithBrand.first(db, { id });
    if (row === undefined) return null;
    return {
      id: row.id,
      title: row.title,
      minPaisa: row.min_paisa,
      maxPaisa: row.max_paisa,
      fields: fieldsOf(row.fields),
      state: await stateOfLink(db, row, core.clock.now()),
      brand: brandOf(row),
      look: { website: row.website, colour: row.colour, logo: row.logo },
    };
  });
}

/** How often it was paid is counted only where that matters. */
export async function stateOfLink(
  db: Db,
  link: Parameters<typeof linkStateAt>[0] & { readonly id: string },
  now: number,
): Promise<LinkState> {
  const paid = link.max_payments === null ? undefined : await paidByLink.first(db, { link: link.id });
  return linkStateAt(link, Number(paid?.count ?? 0), now);
}

function brandOf({ brand_id: id, ...row }: LinkWithBrand): BrandContext {
  return contextOf({ ...row, id });
}
