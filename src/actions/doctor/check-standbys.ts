/**
 * Checks whether a failover of PostgreSQL keeps acknowledged commits. An asynchronous standby may be promoted
 * without them.
 */
import { say } from '../../base/values/say.js';
import { postgresAddresses } from '../../config/postgres-url.js';
import type { Core } from '../core/core.js';
import { type Finding, ok, warn } from './check.js';

const NAME = 'standbys';
const NONE = say`no standby is connected: payments are on this server alone`;
const START_ONE = say`Start a standby. If this server is meant to be alone, drop its replication slots, and name no other in KASHBOX_DATABASE_URL.`;

interface Replication {
  readonly standbys: number;
  /** Places in the log that are kept for standbys which are not connected. */
  readonly missing: number;
  readonly names: string;
  readonly waits: string;
}

/** A backup that is being taken is a connection of the same kind. */
const ASK = `SELECT
  (SELECT count(*) FROM pg_stat_replication WHERE application_name <> 'pg_basebackup') AS standbys,
  (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT active) AS missing,
  current_setting('synchronous_standby_names') AS names,
  current_setting('synchronous_commit') AS waits`;

/** @returns nothing for SQLite, and for a server that is meant to be alone. */
export async function checkStandbys({
  store,
  settings,
}: Pick<Core, 'store' | 'settings'>): Promise<Finding[]> {
  if (store.engine === 'sqlite') return [];
  let row: Replication | undefined;
  try {
    [row] = await store.read((db) => db.execute<Replication>(ASK, []));
  } catch {
    // Engines that speak its protocol have other names for it.
    return [ok(NAME, say`this database user cannot see whether standbys are connected`)];
  }
  if (row === undefined) return [];
  if (row.standbys === 0) {
    const isAlone =
      row.missing === 0 && row.names === '' && postgresAddresses(settings.databaseUrl).length === 1;
    return isAlone ? [] : [warn(NAME, NONE, START_ONE)];
  }
  const count =
    row.standbys === 1 ? say`1 standby is connected` : say`${row.standbys} standbys are connected`;
  if (row.names !== '' && row.waits !== 'local')
    return [ok(NAME, say`${count}, commits wait for ${row.names}`)];
  const setting =
    row.names === '' ? say`synchronous_standby_names is empty` : say`synchronous_commit is local`;
  return [
    warn(
      NAME,
      say`${count}, but ${setting}: a failover now would lose acknowledged payments`,
      say`On the primary: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', synchronous_commit on, and reload it. Under Patroni: synchronous_mode: true; after a switchover wait a moment.`,
    ),
  ];
}
