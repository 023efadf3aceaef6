/** Phones on which somebody else's app speaks for us: what such calls need of the store. */
import { hot } from '../compiled-query.js';
import type { DeviceTable } from '../schema/index.js';
import { phones } from './devices.js';
import { dispatchesOf } from './dispatches.js';

/** What was wrong with the one that spoke before is not known to be wrong with this one. */
export const markAgent = hot<{ id: string; agent: DeviceTable['agent'] }>()((db, value) =>
  db.query
    .updateTable('devices')
    .set({ agent: value('agent'), trouble: null })
    .where('id', '=', value('id')),
);

/** A phone that is not revoked, by its identifier: for calls that are signed and carry no key. */
export const activeDevice = hot<{ id: string }>()((db, value) =>
  phones(db)
    .where('d.id', '=', value('id'))
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.merchant_id', 'd.name', 'd.key_hash', 'd.agent', 'd.resend_since'])
    .select(['d.clock_offset_ms', 'd.clock_since'])
    .select(['m.status as merchant_status']),
);

/** Open leases of a registration, in the order of sending. */
export const leasedDispatches = hot<{ device: string; journal: string; now: number }>()((db, value) =>
  dispatchesOf(db, value('device'), 'LEASED')
    .where('leased_to', '=', value('journal'))
    .where('expires_at', '>', value('now'))
    .where('lease_ends_at', '>', value('now'))
    .orderBy('leased_at')
    .orderBy('priority', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .select(['id', 'number', 'message', 'sim_slot', 'priority', 'expires_at']),
);

/** How many parts a dispatch of this phone has, and which receipts of delivery were counted. */
export const receiptsOf = hot<{ id: string; device: string }>()((db, value) =>
  db.query
    .selectFrom('dispatches')
    .where('id', '=', value('id'))
    .where('device_id', '=', value('device'))
    .select(['parts', 'receipts']),
);

export const countReceipts = hot<{ id: string; device: string; receipts: string }>()((db, value) =>
  db.query
    .updateTable('dispatches')
    .set({ receipts: value('receipts') })
    .where('id', '=', value('id'))
    .where('device_id', '=', value('device')),
);

/** The phone was asked to send its SMS again, from that time on. */
export const endAsking = hot<{ id: string; since: number }>()((db, value) =>
  db.query
    .updateTable('devices')
    .set({ resend_since: null })
    .where('id', '=', value('id'))
    .where('resend_since', '=', value('since')),
);
