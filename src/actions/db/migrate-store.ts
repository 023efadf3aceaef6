/** Brings the tables of a store up to date by hand; a daemon and most commands do it when they start. */
import { MIGRATIONS, migrate, tablesVersion } from '../../store/migrate.js';
import { type Place, withStore } from './place.js';

export interface Migrated {
  /** Newest change of the tables before and after. */
  readonly from: number;
  readonly to: number;
  /** What was done, in this order; by another process meanwhile it may be done already. */
  readonly applied: readonly { readonly version: number; readonly name: string }[];
}

/** @param now milliseconds since the epoch. @throws KashboxError `store_newer`, `store_unreachable`, … */
export function migrateStore(place: Place, now: number): Promise<Migrated> {
  return withStore(place, now, async (store) => {
    const from = await store.read(tablesVersion);
    const done = await migrate((work) => store.write(work), now);
    const applied = MIGRATIONS.filter(({ version }) => done.includes(version));
    return { from, to: MIGRATIONS.length, applied: applied.map(({ version, name }) => ({ version, name })) };
  });
}
