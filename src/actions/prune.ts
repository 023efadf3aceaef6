/** Forgets what is long over and on which no money rests (store/tables/retention). */
import type { Db } from '../store/schema.js';
import { forgetCodes, forgetNotifications } from '../store/tables/retention.js';
import type { Core } from './core.js';

const DAY_MS = 86_400_000;
/** Few enough that a request which shares the commit does not notice. */
const BATCH = 50;

/** @returns how many rows were forgotten, attempts not counted. Safe to run in several processes at once. */
export async function prune(core: Core): Promise<number> {
  const { keepDays } = core.settings;
  if (keepDays === 0) return 0;
  const before = core.clock.now() - keepDays * DAY_MS;
  return (await forget(core, forgetNotifications, before)) + (await forget(core, forgetCodes, before));
}

async function forget(
  core: Core,
  step: (db: Db, before: number, limit: number) => Promise<number>,
  before: number,
): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await core.store.write((db) => step(db, before, BATCH));
    total += gone;
    if (gone < BATCH) return total;
  }
}
