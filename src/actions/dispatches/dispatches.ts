/** Outbound SMS: public representation, lists, a single SMS, cancellation by an operator, and expiry. */

import { KashboxError } from '../../base/errors/errors.js';
import { echoed, storableText } from '../../base/values/text.js';
import { countedParts, type DispatchState } from '../../domain/dispatches/dispatch.js';
import { audit } from '../../store/tables/audit.js';
import {
  cancelQueued,
  type DispatchRow,
  endSilent,
  expireQueued,
  findDispatchRow,
  listedDispatches,
} from '../../store/tables/dispatches.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfDevice } from '../input/require-row.js';
import { defineView, isoOrNull } from '../input/view.js';

export type DispatchView = ReturnType<typeof dispatchView>;

/** Expired, even if no daemon has recorded it yet. */
const isOver = (row: DispatchRow, now: number) => row.state === 'QUEUED' && row.expires_at <= now;

/** View of a dispatch. The second argument is the current time, milliseconds since the epoch. */
export const dispatchView = defineView<DispatchRow, number>()(({ same, time, times }) => ({
  // The phone by its name, the number in E.164.
  ...same('id', 'device', 'number', 'message'),
  state: (row, now): DispatchState => (isOver(row, now) ? 'EXPIRED' : row.state),
  ...same('encoding', 'parts'),
  parts_sent: (row) => countedParts(row.part_states).sent,
  parts_delivered: (row) => countedParts(row.part_states).delivered,
  // The error is why it was not sent, in the phone's words.
  ...same('sim_slot', 'priority', 'error'),
  queued_at: time('created_at'),
  ...times('leased_at', 'sent_at', 'delivered_at'),
  ended_at: (row, now) => isoOrNull(isOver(row, now) ? row.expires_at : row.ended_at),
  ...times('expires_at'),
}));

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
  return paginate(input, read, cursorBy('created_at'), (row) => dispatchView(row, now));
}

export const listDispatches = collectAll(dispatchPages);

/**
 * @param input.deviceId the phone to which the dispatch must belong; null for an operator, who sees all.
 * @throws KashboxError `not_found`, also if it belongs to another phone
 */
export async function findDispatch(
  core: Core,
  input: { readonly id: string; readonly deviceId: string | null },
): Promise<DispatchView> {
  const row = await core.store.read((db) => findDispatchRow(db, storableText(input.id.trim())));
  const isTheirs = input.deviceId === null || row?.device_id === input.deviceId;
  if (row === undefined || !isTheirs) throw noSuchDispatch(input.id);
  return dispatchView(row, core.clock.now());
}

function noSuchDispatch(id: string): KashboxError {
  return new KashboxError('not_found', {
    message: `There is no outbound SMS "${echoed(id)}"`,
    hint: 'List them with `kashbox messages list`.',
  });
}

/** @throws KashboxError `not_found`, `state_refused` (a phone has it, or it is over) */
export async function cancelDispatch(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<DispatchView> {
  const id = input.id.trim();
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const cancelled = await cancelQueued(db, id, now);
    const row = await findDispatchRow(db, id);
    if (row === undefined) throw noSuchDispatch(id);
    const view = dispatchView(row, now);
    if (cancelled === undefined) throw refused(view);
    const change = { before: { state: 'QUEUED' }, after: { state: view.state } };
    await audit(core, db, input.who, 'dispatch.cancel', id, change);
    return view;
  });
}

function refused({ state }: DispatchView): KashboxError {
  const isUnsent = state === 'CANCELLED' || state === 'EXPIRED';
  return new KashboxError('state_refused', {
    message: `Only a queued SMS can be cancelled; this one is ${state}`,
    hint: isUnsent
      ? 'It is not sent; nothing needs to be done.'
      : 'The phone may have sent it already. See it with `kashbox messages show`.',
  });
}

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/** Safe to run in several processes at once. @returns how many were ended. */
export async function endDispatches(core: Core): Promise<number> {
  return (await endAll(core, expireQueued)) + (await endAll(core, endSilent));
}

async function endAll(core: Core, query: typeof expireQueued): Promise<number> {
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const ended = await core.store.write((db) => query.all(db, { now, limit: BATCH }));
    total += ended.length;
    if (ended.length < BATCH) return total;
  }
}
