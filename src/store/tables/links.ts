/** Payment links, and the payments that each has opened. */
import { prepared } from '../compiled-query.js';
import { changer, locker, newInserter, upserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { newestFirst, type Page } from './list-position.js';

/** @returns false, and nothing is written, where the id is taken. */
export const insertLink = newInserter('payment_links', 'id');
export const changeLink = changer('payment_links');
/** Openings of one link come one after the other, so that the second sees the first. */
export const lockLink = locker('payment_links');

/** Puts a link's picture in the place of the one before. */
export const putLinkImage = upserter('link_images', {
  key: ['link_id'],
  news: ['file', 'content'],
  returning: 'link_id',
});

export async function deleteLinkImage(db: Db, link: string): Promise<void> {
  await db.query.deleteFrom('link_images').where('link_id', '=', link).execute();
}

/** Two links may have the same. */
export const linkImageByFile = prepared<{ file: string }>()((db, value) =>
  db.query.selectFrom('link_images').where('file', '=', value('file')).limit(1).select('content'),
);

const LINK_COLUMNS = [
  ...(['l.id', 'l.brand_id', 'l.title', 'l.min_paisa', 'l.max_paisa', 'l.fields', 'l.ends_at'] as const),
  ...(['l.max_payments', 'l.created_at', 'l.disabled_at', 'l.description', 'l.max_quantity'] as const),
  ...(['l.suggested', 'l.image', 'l.display_hash', 'l.display_session'] as const),
  ...(['l.takes_parts as link_takes_parts', 'l.delivery_paisa'] as const),
] as const;

/** Links `l` with brands `b` and merchants `m`. */
function links(db: Db) {
  return db.query
    .selectFrom('payment_links as l')
    .innerJoin('brands as b', 'b.id', 'l.brand_id')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .select([...LINK_COLUMNS, 'm.status as merchant_status']);
}

function linksWithBrands(db: Db) {
  return links(db)
    .select(['b.merchant_id', 'b.name', 'b.mobile', 'b.whatsapp', 'b.email', 'b.session_minutes'])
    .select(['b.proof_window_hours', 'b.dialect', 'b.metadata_as', 'b.status_as', 'b.return_type', 'b.fees'])
    .select(['b.takes_parts', 'b.refund_day_limit_paisa'])
    .select(['b.accounts_stamp', 'b.plugin', 'b.called_by', 'b.test_of'])
    .select(['b.website', 'b.colour', 'b.logo', 'b.marks']);
}

/** A link with what its page and a new payment need to know of its brand. */
export const linkWithBrand = prepared<{ id: string }>()((db, value) =>
  linksWithBrands(db).where('l.id', '=', value('id')),
);

/** Likewise, by the hash of the key of its display. */
export const displayWithBrand = prepared<{ hash: string }>()((db, value) =>
  linksWithBrands(db).where('l.display_hash', '=', value('hash')),
);

/** Session on the display of a link. */
export const displayedSession = prepared<{ link: string }>()((db, value) =>
  db.query
    .selectFrom('payment_links as l')
    .innerJoin('sessions as s', 's.id', 'l.display_session')
    .where('l.id', '=', value('link'))
    .select(['s.id', 's.status', 's.reason', 's.expires_at', 's.gateway_reference']),
);

/** @returns what the displays of some links show. @param ids at least one. */
export function shownOnDisplays(db: Db, ids: readonly string[]) {
  return db.query
    .selectFrom('payment_links')
    .where('id', 'in', ids)
    .select(['id', 'display_session'])
    .execute();
}

export type LinkWithBrand = NonNullable<Awaited<ReturnType<typeof linkWithBrand.first>>>;

/** Columns that decide if a link takes payments, read again when a payment is opened. */
export const linkFacts = prepared<{ id: string }>()((db, value) =>
  db.query
    .selectFrom('payment_links as l')
    .innerJoin('brands as b', 'b.id', 'l.brand_id')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .where('l.id', '=', value('id'))
    .select(['l.ends_at', 'l.disabled_at', 'l.max_payments', 'm.status as merchant_status']),
);

/** Number of completed payments of a link. */
export const paidByLink = prepared<{ link: string }>()((db, value) =>
  db.query
    .selectFrom('link_payments as p')
    .innerJoin('sessions as s', 's.id', 'p.session_id')
    .where('p.link_id', '=', value('link'))
    .where('s.status', '=', 'COMPLETED')
    .select(({ fn }) => fn.countAll<number | string>().as('count')),
);

export const insertLinkPayment = newInserter('link_payments', 'session_id');

/** The payment that this opener has open and untouched, if there is one. */
export const findOpenLinkPayment = prepared<{ link: string; opener: string; now: number }>()((db, value) =>
  db.query
    .selectFrom('link_payments as p')
    .innerJoin('sessions as s', 's.id', 'p.session_id')
    .where('p.link_id', '=', value('link'))
    .where('p.opener', '=', value('opener'))
    .where('s.status', '=', 'PENDING')
    .where('s.reason', '=', 'initiated')
    .where('s.expires_at', '>', value('now'))
    .orderBy('s.created_at', 'desc')
    .limit(1)
    .select('s.id'),
);

/** Link that opened a payment, with the values entered there. */
export const linkOfSession = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('link_payments as p')
    .innerJoin('payment_links as l', 'l.id', 'p.link_id')
    .innerJoin('sessions as s', 's.id', 'p.session_id')
    .where('p.session_id', '=', value('session'))
    .select(['l.id', 'l.title', 'l.fields', 's.meta_data']),
);

/** Links as operators see them, with how often each was opened and paid. */
function countedLinks(db: Db) {
  return links(db).select(({ fn, selectFrom }) => {
    const payments = selectFrom('link_payments as p')
      .innerJoin('sessions as s', 's.id', 'p.session_id')
      .whereRef('p.link_id', '=', 'l.id')
      .select(fn.countAll<number | string>().as('count'));
    return [
      'b.name as brand',
      payments.as('opened'),
      payments.where('s.status', '=', 'COMPLETED').as('paid'),
    ];
  });
}

export type CountedLink = NonNullable<Awaited<ReturnType<typeof findLink>>>;

export function findLink(db: Db, id: string) {
  return countedLinks(db).where('l.id', '=', id).executeTakeFirst();
}

/** Lists links, newest first. @param since milliseconds since the epoch, or null. */
export function listedLinks(
  db: Db,
  { brandId, since, ...page }: Page & { readonly brandId: string | null; readonly since: number | null },
) {
  let query = countedLinks(db).$call(newestFirst('l.created_at', 'l.id', page));
  if (brandId !== null) query = query.where('l.brand_id', '=', brandId);
  if (since !== null) query = query.where('l.created_at', '>=', since);
  return query.execute();
}
