/** Rows of the error table for what is nobody's fault who calls: sources outside, store, disk, settings. */
import { type ErrorEntry, entry } from './error-entry.js';

export const INSTALLATION_ERRORS = {
  // What lies outside.
  node_unavailable: entry(
    'unavailable',
    502,
    5,
    'Upstream blockchain node timeout, retry in 10 seconds',
    'The claim is kept and asked for again by itself; see `kashbox nodes check` if it lasts.',
  ),
  exchange_unavailable: entry(
    'unavailable',
    502,
    5,
    'The exchange does not answer, retry in 10 seconds',
    'The claim is kept and asked for again by itself; see `kashbox doctor` if it lasts.',
  ),
  // The installation.
  store_busy: entry(
    'unavailable',
    503,
    5,
    'The store is busy, try again',
    'Try again in a second; if it stays so, look for a long-running command on the same store.',
  ),
  store_unreachable: entry(
    'unavailable',
    503,
    5,
    'The store cannot be reached',
    'Check KASHBOX_HOME or KASHBOX_DATABASE_URL, then run `kashbox doctor`.',
  ),
  store_read_only: entry(
    'unavailable',
    503,
    5,
    'The store can be read but not written',
    'Run as the user who owns the home folder, on a disk that is not mounted read-only; on PostgreSQL, use its primary.',
  ),
  store_full: entry('unavailable', 503, 5, 'The disk of the store is full', 'Free some disk space.'),
  store_damaged: entry(
    'internal',
    500,
    5,
    'The store reports an input/output error or damage',
    'Stop the daemon, check the disk, then run `kashbox doctor`.',
  ),
  store_newer: entry(
    'refused',
    500,
    4,
    'The store was made by a newer Kashbox',
    'Install the Kashbox version that made it, or a later one.',
  ),
  daemon_unreachable: entry(
    'unavailable',
    503,
    5,
    'The daemon cannot be reached',
    'Start it with `kashbox daemon`.',
  ),
  daemon_draining: entry('unavailable', 503, 5, 'The daemon is shutting down', 'Try again in a few seconds.'),
  port_unavailable: entry(
    'unavailable',
    503,
    5,
    'The daemon cannot listen on its port',
    'Stop what uses the port, or choose others with --port and --http-port.',
  ),
  config_invalid: entry(
    'invalid',
    500,
    2,
    'The settings are not valid',
    'Correct every setting that is named.',
  ),
  secret_unreadable: entry(
    'internal',
    500,
    5,
    'A sealed secret cannot be opened with this key file',
    'Put back the secret.key that belongs to this store.',
  ),
  internal: entry('internal', 500, 1, 'Something unexpected went wrong', 'Look at the log of the daemon.'),
} as const satisfies Record<string, ErrorEntry>;
