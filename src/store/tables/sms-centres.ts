/** Over which routes (SMS centre, and type of sender) the SMS of a wallet have come to a SIM before. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { hot } from '../compiled-query.js';
import { runWith } from '../compiled-rows.js';
import type { Db, SmsCentreTable } from '../schema/index.js';

export const knownRoutes = hot<{ merchant: string; sim: string; channel: MfsChannel }>()((db, value) =>
  db.query
    .selectFrom('sms_centres')
    .where('merchant_id', '=', value('merchant'))
    .where('sim', '=', value('sim'))
    .where('channel', '=', value('channel'))
    .select(['route', 'seen']),
);

/** Counts one SMS more of a route, which is known from then on. */
export async function countRoute(db: Db, row: Omit<SmsCentreTable, 'seen'>): Promise<void> {
  await runWith(
    db,
    (bind) => `INSERT INTO sms_centres (${Object.keys(row)}, seen) VALUES (${Object.values(row).map(bind)}, 1)
      ON CONFLICT (merchant_id, sim, channel, route) DO UPDATE SET seen = sms_centres.seen + 1`,
  );
}

/** The SMS behind a proof, as far as its route goes. */
export const smsOfProof = hot<{ proof: string }>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .where('p.id', '=', value('proof'))
    .select([
      's.merchant_id',
      's.device_id',
      's.sim_slot',
      's.recipient',
      's.channel',
      's.smsc',
      's.sender_type',
    ]),
);
