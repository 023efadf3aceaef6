/** Relay phones, their SIMs and their pairing codes as rows. Knows no rule of the business. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { PhoneCalls } from '../../domain/devices/waking.js';
import { prepared, preparedIn } from '../compiled-query.js';
import { changer, inserter, newInserter, runSql } from '../compiled-rows.js';
import type { Db, DeviceSimTable, DeviceTable } from '../schema/index.js';

/** Phones `d` with their merchants `m`. */
export function phones(db: Db) {
  return db.query.selectFrom('devices as d').innerJoin('merchants as m', 'm.id', 'd.merchant_id');
}

function devicesWithMerchant(db: Db) {
  return phones(db)
    .selectAll('d')
    .select(['m.name as merchant', 'm.status as merchant_status', waitingFor(db).as('waiting_dispatches')]);
}

/** Number of dispatches that wait for the phone `d` of the outer query. */
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

export function listSims(db: Db, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return Promise.resolve([]);
  return db.query
    .selectFrom('device_sims')
    .where('device_id', 'in', deviceIds)
    .selectAll()
    .orderBy('device_id')
    .orderBy('slot')
    .execute();
}

const insertPhone = newInserter('devices', 'merchant_id', 'name');
const insertSim = inserter('device_sims');

/** @returns false, and nothing is written, where the merchant has a phone of that name. */
export async function insertDevice(
  db: Db,
  row: Insertable<DeviceTable>,
  sims: readonly Insertable<DeviceSimTable>[],
): Promise<boolean> {
  if (!(await insertPhone(db, row))) return false;
  for (const sim of sims) await insertSim(db, sim);
  return true;
}

export const changeDevice = changer('devices');

/** @param sims all that the phone has from now on. */
export async function replaceSims(
  db: Db,
  deviceId: string,
  sims: readonly Insertable<DeviceSimTable>[],
): Promise<void> {
  await db.query.deleteFrom('device_sims').where('device_id', '=', deviceId).execute();
  for (const sim of sims) await insertSim(db, sim);
}

/** The living phones of a merchant that hold the SIM of that number. */
export function listPhonesWithSim(db: Db, merchantId: string, number: string) {
  return db.query
    .selectFrom('devices as d')
    .innerJoin('device_sims as s', 's.device_id', 'd.id')
    .where('d.merchant_id', '=', merchantId)
    .where('d.revoked_at', 'is', null)
    .where('s.number', '=', number)
    .select('d.id')
    .execute();
}

/** Makes every code of a phone worthless and forgets the keys sealed in it. */
export async function endCodes(db: Db, deviceId: string, now: number): Promise<void> {
  await usingUp(db, now).where('device_id', '=', deviceId).execute();
}

function usingUp(db: Db, now: number) {
  const unused = db.query.updateTable('pairing_codes').where('used_at', 'is', null);
  return unused.set({ used_at: now, sealed_keys: null });
}

export const insertCode = inserter('pairing_codes');

/** A code that still works, with the phone it is for. */
export function usableCode(db: Db, hash: string, now: number) {
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

/** @returns true for the caller that uses the code; false if it was already used. */
export async function useCode(db: Db, hash: string, now: number): Promise<boolean> {
  const used = usingUp(db, now).where('code_hash', '=', hash).returning('device_id');
  return (await used.executeTakeFirst()) !== undefined;
}

/** Columns that decide the state of a phone. */
const HOW_IT_DOES = [
  ...(['d.id', 'd.name', 'd.agent', 'd.revoked_at', 'd.last_seen_at', 'd.battery'] as const),
  ...(['d.charging', 'd.network', 'd.queued', 'd.problem'] as const),
] as const;

/** State of the phones with these keys, including revoked ones, in no particular order. */
export const devicesByKeys = preparedIn<Record<never, never>>()((db, _value, hashes) =>
  phones(db)
    .where('d.key_hash', 'in', hashes)
    .select([
      'd.key_hash',
      ...HOW_IT_DOES,
      'd.created_at',
      'm.status as merchant_status',
      waitingFor(db).as('waiting_dispatches'),
    ]),
);

/** Number of dispatches of a phone in each state. */
export function countsOfDevice(db: Db, device: string) {
  return db.query
    .selectFrom('dispatches')
    .where('device_id', '=', device)
    .groupBy('state')
    .orderBy('state')
    .select((column) => ['state', column.fn.countAll<number | string>().as('count')])
    .execute();
}

/** Columns that the watch reads, for all phones of active merchants. */
export function watchedDevices(db: Db) {
  return phones(db)
    .where('m.status', '=', 'ACTIVE')
    .select([...HOW_IT_DOES, 'd.merchant_id', 'd.watched_state'])
    .execute();
}

/**
 * Updates the recorded state of a phone, if it is still `from` and the phone has sent nothing since.
 * `lastSeenAt` is 0 if it was never seen.
 * @returns its id, or undefined.
 */
export const updateDeviceState = prepared<{ id: string; from: string; to: string; lastSeenAt: number }>()(
  (db, value) =>
    db.query
      .updateTable('devices')
      .set({ watched_state: value('to') })
      .where('id', '=', value('id'))
      .where('watched_state', '=', value('from'))
      .where(sql<number>`coalesce(last_seen_at, 0)`, '=', value('lastSeenAt'))
      .returning('id'),
);

/** Number of refused deliveries of a phone, the time of the first and of the last. */
export function findRefusals(db: Db, id: string) {
  const columns = ['refused', 'refused_since', 'refused_at'] as const;
  return db.query.selectFrom('devices').where('id', '=', id).select(columns).executeTakeFirst();
}

export async function changeRefusals(
  db: Db,
  id: string,
  change: Pick<Updateable<DeviceTable>, 'refused' | 'refused_since' | 'refused_at' | 'problem'>,
): Promise<void> {
  await db.query.updateTable('devices').set(change).where('id', '=', id).execute();
}

// What is in the store for phones that listen. Knows no stream.

const rows = preparedIn<Record<never, never>>()((db, _value, ids) =>
  db.query
    .selectFrom('devices as d')
    .where('d.id', 'in', [...ids])
    .select((select) => [
      'd.id',
      'd.key_hash',
      'd.revoked_at',
      'd.resend_since',
      // One step in an index for each phone, however much waits.
      select
        .selectFrom('dispatches as q')
        .whereRef('q.device_id', '=', 'd.id')
        .where('q.state', '=', 'QUEUED')
        .select((of) => of.fn.max('q.id').as('newest'))
        .as('newest'),
    ]),
);

/** @param ids at least one. @returns data for each phone's calls; unknown phones are left out. */
export async function callsFor(db: Db, ids: readonly string[]): Promise<Map<string, PhoneCalls>> {
  const found = await rows(db, {}, ids);
  return new Map(
    found.map((row) => [
      row.id,
      {
        keyHash: row.key_hash,
        isRevoked: row.revoked_at !== null,
        resendSince: row.resend_since,
        newestQueued: row.newest,
      },
    ]),
  );
}

// Stores heartbeats of phones, many in one statement.

/** Undefined: not reported, the stored value stays; null: the phone does not know it. */
export interface PhoneHealth {
  /** Percent, 0 to 100. */
  readonly battery?: number | null | undefined;
  readonly charging?: number | null | undefined;
  readonly network?: string | null | undefined;
  /** Messages that wait on the phone. */
  readonly queued?: number | null | undefined;
  readonly appVersion?: string | null | undefined;
  /** Problem reported by the phone; null if there is none. */
  readonly problem?: string | null | undefined;
  /** JSON list of what its modems say (domain/devices/modem-reading); null: it has none. */
  readonly modems?: string | null | undefined;
  /** Clock offset in ms, positive if ahead of ours; and since when that applies, by our clock. */
  readonly clockOffsetMs?: number | undefined;
  readonly clockSince?: number | undefined;
}

export interface PhoneCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** Null leaves all that is known as it is. */
  readonly health: PhoneHealth | null;
}

/** All that a phone may say: field, column and its type; the place of each is its bit in `says`. */
const SAID = [
  ['battery', 'battery', 'INTEGER'],
  ['charging', 'charging', 'INTEGER'],
  ['network', 'network', 'TEXT'],
  ['queued', 'queued', 'INTEGER'],
  ['appVersion', 'app_version', 'TEXT'],
  ['problem', 'problem', 'TEXT'],
  ['modems', 'modems', 'TEXT'],
  ['clockOffsetMs', 'clock_offset_ms', 'BIGINT'],
  ['clockSince', 'clock_since', 'BIGINT'],
] as const;

/** @param calls at least one, of each phone one. */
export async function recordPhoneCalls(db: Db, calls: readonly PhoneCall[]): Promise<void> {
  const names = ['id', 'seen', 'says', ...SAID.map(([, column]) => column)];
  const set = SAID.map(
    ([, column], bit) =>
      `${column} = CASE WHEN (n.says & ${1 << bit}) <> 0 THEN n.${column} ELSE devices.${column} END`,
  );
  await runSql(db, (bind) => {
    const cast = (value: unknown, type: string) => `CAST(${bind(value)} AS ${type})`;
    const tuples = calls.map(({ id, seenAt, health }) => {
      const says = SAID.reduce(
        (bits, [field], bit) => (health?.[field] === undefined ? bits : bits | (1 << bit)),
        0,
      );
      const said = SAID.map(([field, , type]) => cast(health?.[field], type));
      return `(${[cast(id, 'TEXT'), cast(seenAt, 'BIGINT'), cast(says, 'INTEGER'), ...said]})`;
    });
    return `WITH n (${names}) AS (VALUES ${tuples})
      UPDATE devices SET last_seen_at = n.seen, ${set} FROM n WHERE devices.id = n.id`;
  });
}
