/** How a payment link looks from outside; lists of links, and one of them. */
import { formatTaka } from '../../base/values/money.js';
import { fieldsOf } from '../../domain/links/fields.js';
import { linkStateAt } from '../../domain/links/link.js';
import { type CountedLink, listedLinks } from '../../store/tables/links.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { by, type PagedInput, pagesOf } from '../input/pages.js';
import { idOfBrand, requireLink } from '../input/require-row.js';
import { viewOf } from '../input/view.js';

export type LinkView = ReturnType<typeof linkView>;

/** Given the time now in milliseconds, and what links begin with. */
export const linkView = viewOf<CountedLink, { readonly now: number; readonly base: string }>()(
  ({ same, times, time, taka }) => ({
    ...same('id', 'brand', 'title'),
    state: (row, { now }) => linkStateAt(row, Number(row.paid), now),
    /** Null where the customer chooses it, from `min` to `max`. */
    amount: (row) => (row.min_paisa === row.max_paisa ? formatTaka(row.min_paisa) : null),
    min: taka('min_paisa'),
    max: taka('max_paisa'),
    fields: (row) =>
      fieldsOf(row.fields).map(({ name, label, isRequired }) => ({ name, label, required: isRequired })),
    until: time('ends_at'),
    /** How often it can be paid; null for any number of times. */
    count: (row) => row.max_payments,
    /** How many payments it has opened, and how many of them are paid. */
    opened: (row) => Number(row.opened),
    paid: (row) => Number(row.paid),
    ...times('created_at', 'disabled_at'),
    url: (row, { base }) => `${base}/pay/${row.id}`,
  }),
);

interface ListLinks extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** https address of the daemon, with its base path. */
  readonly base: string;
}

/** Newest first, in pages. @throws KashboxError `not_found` if there is no such brand */
export function linkPages(core: Core, input: ListLinks): AsyncGenerator<LinkView[]> {
  const given = { now: core.clock.now(), base: input.base };
  const since = input.sinceMs ?? null;
  const read = (page: Page) =>
    core.store.read(async (db) =>
      listedLinks(db, { ...page, brandId: await idOfBrand(db, input.brand), since }),
    );
  return pagesOf(input, read, by('created_at'), (row) => linkView(row, given));
}

/**
 * @param typed id or address of a link.
 * @param base as `ListLinks` has it.
 * @throws KashboxError `not_found`
 */
export async function showLink(core: Core, typed: string, base: string): Promise<LinkView> {
  const row = await core.store.read((db) => requireLink(db, typed));
  return linkView(row, { now: core.clock.now(), base });
}
