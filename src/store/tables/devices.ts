/** Relay phones, their SIMs and their pairing codes as rows. Knows no rule of the business. */
import { type Insertable, sql, type Updateable } from 'kysely';
import { hot, hotIn } from '../compiled-query.js';
import type { Db, DeviceSimTable, DeviceTable, PairingCodeTable } from '../schema/index.js';

function devicesWithMerchant(db: Db) {
  return db.query
    .selectFrom('devices as d')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .selectAll('d')
    .select(['m.name as merchant', 'm.status as merchant_status', waitingFor(db).as('waiting_dispatches')]);
}

/** How many dispatches wait for the phone `d` of the query around it. */
function waitingFor(db: Db) {
  return db.query
    .selectFrom('dispatches as waiting')
    .where(sql`waiting.device_id`, '=', sql.ref('d.id'))
    .where('waiting.state', '=', sql.lit('QUEUED'))
    .select(({ fn }) => fn.countAll<number | string>().as('count'));
}

/** @param named identifier, or name: phones of several merchants may have the same. */
export function findDevices(db: Db, named: string) {
  return devicesWithMerchant(db)
    .where((either) => either.or([either('d.id', '=', named), either('d.name', '=', named)]))
    .execute();
}

/** Phones of one merchant or of all, the oldest first. */
export function listedDevices(db: Db, merchantId: string | null) {
  let query = devicesWithMerchant(db);
  if (merchantId !== null) query = query.where('d.merchant_id', '=', merchantId);
  return query.orderBy('d.created_at').orderBy('d.id').execute();
}

export function simsOf(db: Db, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return Promise.resolve([]);
  return db.query
    .selectFrom('device_sims')
    .where('device_id', 'in', deviceIds)
    .selectAll()
    .orderBy('device_id')
    .orderBy('slot')
    .execute();
}

/** @returns false, and nothing is written, where the merchant has a phone of that name. */
export async function insertDevice(
  db: Db,
  row: Insertable<DeviceTable>,
  sims: readonly Insertable<DeviceSimTable>[],
): Promise<boolean> {
  const written = await db.query
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (written === undefined) return false;
  await db.query.insertInto('device_sims').values(sims).execute();
  return true;
}

export async function revokeDeviceRow(db: Db, id: string, now: number): Promise<void> {
  await db.query.updateTable('devices').set({ revoked_at: now }).where('id', '=', id).execute();
}

export async function changeDeviceKeys(
  db: Db,
  id: string,
  keys: Pick<Updateable<DeviceTable>, 'key_hash' | 'key_hint' | 'gateway_key_hash' | 'gateway_key_hint'>,
): Promise<void> {
  await db.query.updateTable('devices').set(keys).where('id', '=', id).execute();
}

/** Makes every code of a phone worthless and forgets the keys sealed in it. */
export async function endCodes(db: Db, deviceId: string, now: number): Promise<void> {
  await db.query
    .updateTable('pairing_codes')
    .set({ used_at: now, sealed_keys: null })
    .where('device_id', '=', deviceId)
    .where('used_at', 'is', null)
    .execute();
}

export async function insertCode(db: Db, row: Insertable<PairingCodeTable>): Promise<void> {
  await db.query.insertInto('pairing_codes').values(row).execute();
}

/** A code that still works, with the phone it is for. */
export function livingCode(db: Db, hash: string, now: number) {
  return db.query
    .selectFrom('pairing_codes as c')
    .innerJoin('devices as d', 'd.id', 'c.device_id')
    .where('c.code_hash', '=', hash)
    .where('c.used_at', 'is', null)
    .where('c.expires_at', '>', now)
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.name', 'c.sealed_keys'])
    .executeTakeFirst();
}

/** @returns true for the one caller who uses the code; whoever comes second gets false. */
export async function useCode(db: Db, hash: string, now: number): Promise<boolean> {
  const used = await db.query
    .updateTable('pairing_codes')
    .set({ used_at: now, sealed_keys: null })
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('device_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** By which it is told how a phone is doing. */
const HOW_IT_DOES = [
  'd.id',
  'd.name',
  'd.agent',
  'd.revoked_at',
  'd.last_seen_at',
  'd.battery',
  'd.charging',
  'd.network',
  'd.queued',
  'd.trouble',
] as const;

/** How the phones of these keys are doing, revoked ones too, in no particular order. */
export const devicesByKeys = hotIn<Record<never, never>>()((db, _value, hashes) =>
  db.query
    .selectFrom('devices as d')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .where('d.key_hash', 'in', hashes)
    .select([
      'd.key_hash',
      ...HOW_IT_DOES,
      'd.created_at',
      'm.status as merchant_status',
      waitingFor(db).as('waiting_dispatches'),
    ]),
);

/** How many dispatches of a phone are in each state. */
export function countsOfDevice(db: Db, device: string) {
  return db.query
    .selectFrom('dispatches')
    .where('device_id', '=', device)
    .groupBy('state')
    .orderBy('state')
    .select((column) => ['state', column.fn.countAll<number | string>().as('count')])
    .execute();
}

/** What the watch reads of all phones of active merchants. */
export function watchedDevices(db: Db) {
  return db.query
    .selectFrom('devices as d')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .where('m.status', '=', 'ACTIVE')
    .select([...HOW_IT_DOES, 'd.merchant_id', 'd.watched_state'])
    .execute();
}

/**
 * Notes the state of a phone, if what was noted last is still `from` and nothing has come from it since.
 * `lastSeenAt` is 0 for one that was never seen.
 * @returns its id, or nothing.
 */
export const moveWatchedState = hot<{ id: string; from: string; to: string; lastSeenAt: number }>()(
  (db, value) =>
    db.query
      .updateTable('devices')
      .set({ watched_state: value.to })
      .where('id', '=', value.id)
      .where('watched_state', '=', value.from)
      .where(sql<number>`coalesce(last_seen_at, 0)`, '=', value.lastSeenAt)
      .returning('id'),
);
