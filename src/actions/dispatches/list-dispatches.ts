/** Outbound SMS and how far they have come. */
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { listedDispatches } from '../../store/tables/dispatches.js';
import type { Page } from '../../store/tables/place.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireDevice } from '../input/require-row.js';
import { type DispatchView, dispatchView } from './dispatch-view.js';

export interface ListDispatches {
  /** Identifier or name; absent for all. */
  readonly device?: string | undefined;
  readonly state?: DispatchState | undefined;
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/**
 * Newest first, in pages.
 * @throws KashboxError `not_found`, `invalid_input` (several phones have that name)
 */
export async function* dispatchPages(core: Core, input: ListDispatches): AsyncGenerator<DispatchView[]> {
  const now = core.clock.now();
  const { state = null, sinceMs: since = 0 } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const device = input.device === undefined ? null : await requireDevice(db, input.device);
      return listedDispatches(db, { deviceId: device?.id ?? null, state, now, since, ...page });
    });
  for await (const rows of pagesOf(input.limit, read, ({ created_at: at, id }) => ({ at, id }))) {
    yield rows.map((row) => dispatchView(row, now));
  }
}

/** The same as one list. */
export function listDispatches(core: Core, input: ListDispatches): Promise<DispatchView[]> {
  return wholeList(dispatchPages(core, input));
}
