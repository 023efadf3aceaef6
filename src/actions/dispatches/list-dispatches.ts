/** Outbound SMS and how far they have come. */
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { listedDispatches } from '../../store/tables/dispatches.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { by, type PagedInput, pagesOf, whole } from '../input/pages.js';
import { idOfDevice } from '../input/require-row.js';
import { type DispatchView, dispatchView } from './dispatch-view.js';

interface ListDispatches extends PagedInput {
  /** Identifier or name; absent for all. */
  readonly device?: string | undefined;
  readonly state?: DispatchState | undefined;
}

/**
 * Newest first, in pages.
 * @throws KashboxError `not_found`, `invalid_input` (several phones have that name)
 */
export function dispatchPages(core: Core, input: ListDispatches): AsyncGenerator<DispatchView[]> {
  const now = core.clock.now();
  const { state = null, sinceMs: since = 0 } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const deviceId = await idOfDevice(db, input.device);
      return listedDispatches(db, { deviceId, state, now, since, ...page });
    });
  return pagesOf(input, read, by('created_at'), (row) => dispatchView(row, now));
}

export const listDispatches = whole(dispatchPages);
