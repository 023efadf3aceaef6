/** How an outbound SMS looks from outside. */
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { countedParts } from '../../domain/dispatches/dispatch-reports.js';
import type { DispatchRow } from '../../store/tables/dispatches.js';
import { isoOrNull, viewOf } from '../input/view.js';

export type DispatchView = ReturnType<typeof dispatchView>;

/** Expired, even if no daemon has recorded it yet. */
const isOver = (row: DispatchRow, now: number) => row.state === 'QUEUED' && row.expires_at <= now;

/** Given the time now in milliseconds. */
export const dispatchView = viewOf<DispatchRow, number>()(({ same, time, times }) => ({
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
