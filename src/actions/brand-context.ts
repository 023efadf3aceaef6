/** The brand for which something is done: found by its key in the daemon, by its name on the command line. */
import { KashboxError } from '../base/errors.js';
import type { Core } from './core.js';

export interface BrandContext {
  readonly brandId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly mobile: string;
  readonly whatsapp: string;
  readonly email: string;
  readonly sessionMinutes: number;
  readonly proofWindowHours: number;
}

/**
 * @param brand identifier or name.
 * @throws KashboxError `not_found`, or `merchant_suspended`: what the API refuses, the operator's own hand
 * does not slip into.
 */
export async function brandContext(core: Core, brand: string): Promise<BrandContext> {
  const row = await core.store.read((db) =>
    db.query
      .selectFrom('brands as b')
      .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
      .where((either) => either.or([either('b.id', '=', brand), either('b.name', '=', brand)]))
      .selectAll('b')
      .select('m.status as merchant_status')
      .executeTakeFirst(),
  );
  if (row === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no brand "${brand}"`,
      hint: 'See them all with `kashbox brands list`.',
    });
  }
  if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
  return {
    brandId: row.id,
    merchantId: row.merchant_id,
    name: row.name,
    mobile: row.mobile,
    whatsapp: row.whatsapp,
    email: row.email,
    sessionMinutes: row.session_minutes,
    proofWindowHours: row.proof_window_hours,
  };
}
