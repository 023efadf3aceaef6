/** Why the store takes no writes, as far as that is seen by looking: a dashboard must change nothing. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ERRORS } from '../../base/errors/errors.js';
import { READ_ONLY, STANDBY } from '../../store/write-health.js';
import type { Core } from '../core/core.js';

/** Less than one page is nothing. */
const PAGE_BYTES = 4_096;

interface NoWritesOf extends Pick<Core, 'store'> {
  readonly home: Pick<Core['home'], 'storeFile'>;
}

/** @returns in words; null where nothing is to be seen. @throws KashboxError `store_unreachable` */
export async function whyNoWrites({ store, home }: NoWritesOf): Promise<string | null> {
  if (store.engine === 'sqlite') return fileProblem(home.storeFile);
  const [row] = await store.read((db) =>
    db.execute<{ readonly standby: boolean; readonly read_only: string }>(
      "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only",
      [],
    ),
  );
  if (row?.standby === true) return STANDBY;
  return row?.read_only === 'on' ? READ_ONLY : null;
}

function fileProblem(file: string): string | null {
  try {
    accessSync(file, constants.W_OK);
  } catch {
    return ERRORS.store_read_only.message;
  }
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < PAGE_BYTES ? ERRORS.store_full.message : null;
}
