/** Exports all payments with the fields that accounting needs, oldest first, streamed for any number. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import { oldestFirst, type Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { cursorBy, paginate } from '../input/pages.js';
import { idOfLink, idOfLiveBrand } from '../input/require-row.js';
import { filtered } from './list-payments.js';
import { exportView, payments } from './payment-view.js';

export interface ExportPayments {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  readonly status?: SessionStatus | undefined;
  readonly channel?: PayChannel | undefined;
  /** Id or address of the payment link that has opened them. */
  readonly link?: string | undefined;
  /** Earliest creation time, milliseconds since the epoch. `untilMs` is the end, exclusive. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export type ExportRow = ReturnType<typeof exportView>;

/**
 * Exports payments created before now, each once. Each page is a separate read, so no daemon has to wait and
 * the store's log does not grow; a payment that completes in the meantime is exported in its new state.
 * @throws KashboxError `not_found` if there is no such brand or link, `state_refused` for a test brand
 */
export async function* exportPages(core: Core, input: ExportPayments): AsyncGenerator<ExportRow[]> {
  const now = core.clock.now();
  const { status, channel, sinceMs = 0, untilMs = Number.POSITIVE_INFINITY } = input;
  const brandId = await core.store.read((db) => idOfLiveBrand(db, input.brand));
  const link = await core.store.read((db) => idOfLink(db, input.link));
  const read = ({ after, limit }: Page) =>
    core.store.read((db) => {
      const live = payments(db)
        .where('b.test_of', 'is', null)
        .where('s.created_at', '<', Math.min(untilMs, now + 1));
      // No identifier comes before the empty one. A second lower bound could be what the engine begins at.
      const page = { after: after ?? { at: sinceMs, id: '' }, limit };
      return filtered(live, { brandId, link, status, channel }, now)
        .$call(oldestFirst('s.created_at', 's.id', page))
        .execute();
    });
  const all = { limit: Number.POSITIVE_INFINITY };
  yield* paginate(all, read, cursorBy('created_at'), (row) => exportView(row, { core, now }));
}
