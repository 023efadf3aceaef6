/**
 * Checks whether a failover of PostgreSQL keeps acknowledged commits. An asynchronous standby may be promoted
 * without them.
 */
import type { Core } from '../core/core.js';
import { type Check, ok, warn } from './check.js';

const NAME = 'standbys';

interface Replication {
  readonly standbys: number;
  readonly names: string;
  readonly waits: string;
}

/** A backup that is being taken is a connection of the same kind. */
const ASK = `SELECT
  (SELECT count(*) FROM pg_stat_replication WHERE application_name <> 'pg_basebackup') AS standbys,
  current_setting('synchronous_standby_names') AS names,
  current_setting('synchronous_commit') AS waits`;

/** @returns nothing for SQLite, and where no standby is connected. */
export async function checkStandbys({ store }: Pick<Core, 'store'>): Promise<Check[]> {
  if (store.engine === 'sqlite') return [];
  let row: Replication | undefined;
  try {
    [row] = await store.read((db) => db.execute<Replication>(ASK, []));
  } catch {
    // Engines that speak its protocol have other names for it.
    return [ok(NAME, 'this database user cannot see whether standbys are connected')];
  }
  if (row === undefined || row.standbys === 0) return [];
  const count = row.standbys === 1 ? '1 standby is connected' : `${row.standbys} standbys are connected`;
  if (row.names !== '' && row.waits !== 'local') return [ok(NAME, `${count}, commits wait for ${row.names}`)];
  const setting = row.names === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return [
    warn(
      NAME,
      `${count}, but ${setting}: a failover now would lose acknowledged payments`,
      "On the primary: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', synchronous_commit on, and reload it.",
    ),
  ];
}
