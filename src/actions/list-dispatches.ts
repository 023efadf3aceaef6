/** Outbound SMS and how far they have come. */
import type { DispatchState } from '../domain/dispatch.js';
import { listedDispatches } from '../store/tables/dispatches.js';
import type { Core } from './core.js';
import { type DispatchView, dispatchView } from './dispatch-view.js';
import { requireDevice } from './required.js';

export interface ListDispatches {
  /** Identifier or name; absent for all. */
  readonly device?: string | undefined;
  readonly state?: DispatchState | undefined;
  readonly sinceMs?: number | undefined;
  readonly limit: number;
}

/** Newest first. @throws KashboxError `not_found`, `invalid_input` (several phones have that name) */
export async function listDispatches(core: Core, input: ListDispatches): Promise<DispatchView[]> {
  const rows = await core.store.read(async (db) => {
    const device = input.device === undefined ? null : await requireDevice(db, input.device);
    return listedDispatches(db, {
      deviceId: device?.id ?? null,
      state: input.state ?? null,
      now: core.clock.now(),
      since: input.sinceMs ?? 0,
      limit: input.limit,
    });
  });
  return rows.map((row) => dispatchView(row, core.clock.now()));
}
