/** Outbound SMS as rows: queued, leased, reported on, ended. Knows no rule of the business. */
import type { Selectable } from 'kysely';
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { prepared, preparedIn } from '../compiled-query.js';
import { changer, inserter, locker } from '../compiled-rows.js';
import type { Db, DeviceTable, DispatchTable } from '../schema/index.js';
import { phones } from './devices.js';
import { newestFirst, type Page } from './list-position.js';

/** Serializes database transactions on a phone's queue: each counts what others queued or leased. */
export const lockDevice = locker('devices');

export const insertDispatch = inserter('dispatches');

/** Dispatches of a phone that are queued or leased. */
function dispatchesOf(db: Db, device: string, state: 'QUEUED' | 'LEASED') {
  return db.query.selectFrom('dispatches').where('device_id', '=', device).where('state', '=', state);
}

/** Number of queued dispatches that may still be sent. */
export const countWaiting = prepared<{ device: string; now: number }>()((db, value) =>
  dispatchesOf(db, value('device'), 'QUEUED')
    .where('expires_at', '>', value('now'))
    .select((select) => select.fn.countAll<number>().as('waiting')),
);

/** Queued dispatches of a phone, in the order in which they are leased. */
export const queuedDispatches = prepared<{ device: string; now: number; limit: number }>()((db, value) =>
  dispatchesOf(db, value('device'), 'QUEUED')
    .where('expires_at', '>', value('now'))
    .orderBy('priority', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(value('limit'))
    .select(['id', 'number', 'message', 'sim_slot', 'parts', 'priority', 'expires_at']),
);

/** Dispatches leased to a phone between two times, oldest first. */
export const recentLeases = prepared<{ device: string; since: number; until: number }>()((db, value) =>
  db.query
    .selectFrom('dispatches')
    .where('device_id', '=', value('device'))
    .where('leased_at', '>', value('since'))
    .where('leased_at', '<=', value('until'))
    .orderBy('leased_at')
    .select(['leased_at', 'parts'])
    .$narrowType<{ leased_at: number }>(),
);

/** Open leases of a phone: dispatches without a final report. */
export const openLeases = prepared<{ device: string }>()((db, value) =>
  dispatchesOf(db, value('device'), 'LEASED').select(['id', 'leased_to', 'lease_ends_at', 'expires_at']),
);

/** Leases those that are still queued. @returns the ids of those. */
export const leaseDispatches = preparedIn<{ now: number; until: number; journal: string | null }>()(
  (db, value, ids) =>
    db.query
      .updateTable('dispatches')
      .set({
        state: 'LEASED',
        leased_at: value('now'),
        leased_to: value('journal'),
        lease_ends_at: value('until'),
      })
      .where('id', 'in', [...ids])
      .where('state', '=', 'QUEUED')
      .returning('id'),
);

/** Requeues leases that never reached the phone's journal. */
export const requeueDispatches = preparedIn<{ journal: string }>()((db, value, ids) =>
  db.query
    .updateTable('dispatches')
    .set({ state: 'QUEUED', leased_at: null, leased_to: null, lease_ends_at: null })
    .where('id', 'in', [...ids])
    .where('state', '=', 'LEASED')
    .where('leased_to', '=', value('journal')),
);

export const renewLeases = preparedIn<{ until: number }>()((db, value, ids) =>
  db.query
    .updateTable('dispatches')
    .set({ lease_ends_at: value('until') })
    .where('id', 'in', [...ids])
    .where('state', '=', 'LEASED'),
);

/** Dispatches of a phone by id, with the columns that reports may change. */
export const reportedDispatches = preparedIn<{ device: string }>()((db, value, ids) =>
  db.query
    .selectFrom('dispatches')
    .where('id', 'in', [...ids])
    .where('device_id', '=', value('device'))
    .select(['id', 'state', 'part_states', 'error', 'sent_at', 'delivered_at', 'ended_at']),
);

export const changeDispatch = changer('dispatches');

/** @returns its row, if it still waited; nothing is changed otherwise. */
export function cancelQueued(db: Db, id: string, now: number) {
  return db.query
    .updateTable('dispatches')
    .set({ state: 'CANCELLED', ended_at: now })
    .where('id', '=', id)
    .where('state', '=', 'QUEUED')
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
}

/** Ends some of those whose time in a state is over. */
const endOverdue = (state: DispatchState, end: DispatchState, time: 'expires_at' | 'lease_ends_at') =>
  prepared<{ now: number; limit: number }>()((db, value) =>
    db.query
      .updateTable('dispatches')
      .set({ state: end, ended_at: value('now') })
      .where('state', '=', state)
      .where('id', 'in', (select) =>
        select
          .selectFrom('dispatches')
          .where('state', '=', state)
          .where(time, '<=', value('now'))
          .limit(value('limit'))
          .select('id'),
      )
      .returning('id'),
  );

/** Ends some of those that were not leased in time. @returns their ids. */
export const expireQueued = endOverdue('QUEUED', 'EXPIRED', 'expires_at');

/** Ends some of those whose phone never said what came of them. @returns their ids. */
export const endSilent = endOverdue('LEASED', 'UNKNOWN', 'lease_ends_at');

/** A row with the name of its phone. */
export type DispatchRow = Selectable<DispatchTable> & { readonly device: string };

function dispatchesWithDevice(db: Db) {
  return db.query
    .selectFrom('dispatches as d')
    .innerJoin('devices as p', 'p.id', 'd.device_id')
    .selectAll('d')
    .select('p.name as device');
}

export function findDispatchRow(db: Db, id: string) {
  return dispatchesWithDevice(db).where('d.id', '=', id).executeTakeFirst();
}

/** Finds the dispatch of a phone by its idempotency key. */
export function dispatchOfKey(db: Db, device: string, key: string) {
  return dispatchesWithDevice(db)
    .where('d.device_id', '=', device)
    .where('d.idempotency_key', '=', key)
    .executeTakeFirst();
}

interface DispatchFilter extends Page {
  readonly deviceId: string | null;
  readonly state: DispatchState | null;
  /** Both in milliseconds since the epoch. */
  readonly now: number;
  readonly since: number;
}

/** Newest first. What waits in vain counts as expired, whether or not that was noted. */
export function listedDispatches(db: Db, { deviceId, state, now, since, ...page }: DispatchFilter) {
  let query = dispatchesWithDevice(db).where('d.created_at', '>=', since);
  if (deviceId !== null) query = query.where('d.device_id', '=', deviceId);
  if (state === 'QUEUED') query = query.where('d.state', '=', state).where('d.expires_at', '>', now);
  else if (state === 'EXPIRED') {
    query = query.where(({ or, and, eb }) =>
      or([eb('d.state', '=', state), and([eb('d.state', '=', 'QUEUED'), eb('d.expires_at', '<=', now)])]),
    );
  } else if (state !== null) query = query.where('d.state', '=', state);
  return query.$call(newestFirst('d.created_at', 'd.id', page)).execute();
}

// Phones on which somebody else's app speaks for us: what such calls need of the store.

/** Records a phone's client and clears the previous client's problem, which may not apply to this one. */
export const markAgent = prepared<{ id: string; agent: DeviceTable['agent'] }>()((db, value) =>
  db.query
    .updateTable('devices')
    .set({ agent: value('agent'), problem: null })
    .where('id', '=', value('id')),
);

/** A phone that is not revoked, by its identifier: for calls that are signed and carry no key. */
export const activeDevice = prepared<{ id: string }>()((db, value) =>
  phones(db)
    .where('d.id', '=', value('id'))
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.merchant_id', 'd.name', 'd.key_hash', 'd.agent', 'd.resend_since'])
    .select(['d.clock_offset_ms', 'd.clock_since'])
    .select(['m.status as merchant_status']),
);

/** Open leases of a registration, in the order of sending. */
export const leasedDispatches = prepared<{ device: string; journal: string; now: number }>()((db, value) =>
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

/** Number of parts of a dispatch of this phone, and the delivery receipts counted so far. */
export const findReceipts = prepared<{ id: string; device: string }>()((db, value) =>
  db.query
    .selectFrom('dispatches')
    .where('id', '=', value('id'))
    .where('device_id', '=', value('device'))
    .select(['parts', 'receipts']),
);

export const countReceipts = prepared<{ id: string; device: string; receipts: string }>()((db, value) =>
  db.query
    .updateTable('dispatches')
    .set({ receipts: value('receipts') })
    .where('id', '=', value('id'))
    .where('device_id', '=', value('device')),
);

/** Clears the resend request with that start time, after the phone has received it. */
export const endAsking = prepared<{ id: string; since: number }>()((db, value) =>
  db.query
    .updateTable('devices')
    .set({ resend_since: null })
    .where('id', '=', value('id'))
    .where('resend_since', '=', value('since')),
);
