/** Keys of brands and phones: finds the owner by the key's hash, one indexed look-up per request. */
import { prepared } from '../compiled-query.js';
import { changer, inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { phones } from './devices.js';

/** The brand of a living Brand Key, with what a request needs to know of it and its merchant. */
export const brandByKey = prepared<{ hash: string; now: number }>()((db, value) =>
  db.query
    .selectFrom('brand_keys as k')
    .innerJoin('brands as b', 'b.id', 'k.brand_id')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .where('k.hash', '=', value('hash'))
    .where((either) =>
      either.or([either('k.expires_at', 'is', null), either('k.expires_at', '>', value('now'))]),
    )
    .select(['b.id', 'b.merchant_id', 'b.name', 'b.mobile', 'b.whatsapp', 'b.email', 'b.session_minutes'])
    .select(['b.proof_window_hours', 'b.dialect', 'b.metadata_as', 'b.status_as', 'b.return_type', 'b.fees'])
    .select(['b.takes_parts', 'b.refund_day_limit_paisa'])
    .select([
      'b.accounts_stamp',
      'b.plugin',
      'b.called_by',
      'b.test_of',
      'm.status as merchant_status',
      'm.allow_ips',
    ]),
);

/** The phone of a device key that is not revoked. */
export const deviceByKey = prepared<{ hash: string }>()((db, value) =>
  phones(db)
    .where('d.key_hash', '=', value('hash'))
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.merchant_id', 'd.name', 'd.agent', 'd.resend_since', 'm.status as merchant_status'])
    .select(['d.clock_offset_ms', 'd.clock_since', 'd.refused_at'])
    .select(({ or, exists, selectFrom }) => {
      // Each by itself, so that the index of those in that state serves.
      const has = (state: 'QUEUED' | 'LEASED') =>
        exists(
          selectFrom('dispatches as x')
            .whereRef('x.device_id', '=', 'd.id')
            .where('x.state', '=', state)
            .select('x.id'),
        );
      return or([has('QUEUED'), has('LEASED')]).as('has_dispatches');
    }),
);

/** The phone of a Gateway Key that is not revoked, with what a request needs to know of its merchant. */
export const deviceByGatewayKey = prepared<{ hash: string }>()((db, value) =>
  phones(db)
    .where('d.gateway_key_hash', '=', value('hash'))
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.merchant_id', 'd.name', 'd.last_seen_at'])
    .select(['m.status as merchant_status', 'm.allow_ips']),
);

export const simsOfDevice = prepared<{ device: string }>()((db, value) =>
  db.query
    .selectFrom('device_sims')
    .where('device_id', '=', value('device'))
    .select(['slot', 'number', 'since'])
    .orderBy('slot'),
);

// Brand Keys as rows: hashes and hints, never a key.

export const insertKey = inserter('brand_keys');

function keysWithBrand(db: Db) {
  return db.query
    .selectFrom('brand_keys as k')
    .innerJoin('brands as b', 'b.id', 'k.brand_id')
    .select(['k.id', 'k.brand_id', 'b.name as brand', 'k.hint', 'k.created_at', 'k.expires_at']);
}

export function findKey(db: Db, id: string) {
  return keysWithBrand(db).where('k.id', '=', id).executeTakeFirst();
}

/** Lists the keys of one brand or of all, including expired ones, oldest first. */
export function listedKeys(db: Db, brandId: string | null) {
  let query = keysWithBrand(db);
  if (brandId !== null) query = query.where('k.brand_id', '=', brandId);
  return query.orderBy('k.created_at').orderBy('k.id').execute();
}

/** Ends the keys of a brand at `diesAt`, unless they end earlier. @returns the identifiers of those keys. */
export async function endKeys(db: Db, brandId: string, diesAt: number): Promise<string[]> {
  const ended = await db.query
    .updateTable('brand_keys')
    .set({ expires_at: diesAt })
    .where('brand_id', '=', brandId)
    .where((either) => either.or([either('expires_at', 'is', null), either('expires_at', '>', diesAt)]))
    .returning('id')
    .execute();
  return ended.map((row) => row.id);
}

export function endKey(db: Db, id: string, diesAt: number): Promise<void> {
  return changeKey(db, id, { expires_at: diesAt });
}

const changeKey = changer('brand_keys');
