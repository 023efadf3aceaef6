/** Logos of brands, one each, by their addresses. What they may be the domain knows. */
import { hot } from '../compiled-query.js';
import { upserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

/** Puts a brand's logo in the place of the one before. */
export const putLogo = upserter('logos', {
  key: ['brand_id'],
  news: ['file', 'content'],
  returning: 'brand_id',
});

export async function deleteLogo(db: Db, brand: string): Promise<void> {
  await db.query.deleteFrom('logos').where('brand_id', '=', brand).execute();
}

/** Two brands may have the same. */
export const logoByFile = hot<{ file: string }>()((db, value) =>
  db.query.selectFrom('logos').where('file', '=', value('file')).limit(1).select('content'),
);
