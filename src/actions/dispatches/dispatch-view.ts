/** How an outbound SMS looks from outside. Scripts rely on these names. */
import { dhakaIso } from '../../base/values/clock.js';
import type { DispatchState, SmsEncoding } from '../../domain/dispatches/dispatch.js';
import { countedParts } from '../../domain/dispatches/dispatch-reports.js';
import type { DispatchRow } from '../../store/tables/dispatches.js';

export interface DispatchView {
  readonly id: string;
  /** Name of the phone that sends it. */
  readonly device: string;
  /** E.164. */
  readonly number: string;
  readonly message: string;
  readonly state: DispatchState;
  readonly encoding: SmsEncoding;
  readonly parts: number;
  readonly parts_sent: number;
  readonly parts_delivered: number;
  readonly sim_slot: number | null;
  readonly priority: number;
  /** Why it was not sent, in the phone's words. */
  readonly error: string | null;
  readonly queued_at: string;
  /** When the phone took it. */
  readonly leased_at: string | null;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly ended_at: string | null;
  readonly expires_at: string;
}

export function dispatchView(row: DispatchRow, now: number): DispatchView {
  const counted = countedParts(row.part_states);
  // Nobody is handed it any more, whether or not a daemon runs that has noted so.
  const isOver = row.state === 'QUEUED' && row.expires_at <= now;
  const isoOf = (ms: number | null) => (ms === null ? null : dhakaIso(ms));
  return {
    id: row.id,
    device: row.device,
    number: row.number,
    message: row.message,
    state: isOver ? 'EXPIRED' : row.state,
    encoding: row.encoding,
    parts: row.parts,
    parts_sent: counted.sent,
    parts_delivered: counted.delivered,
    sim_slot: row.sim_slot,
    priority: row.priority,
    error: row.error,
    queued_at: dhakaIso(row.created_at),
    leased_at: isoOf(row.leased_at),
    sent_at: isoOf(row.sent_at),
    delivered_at: isoOf(row.delivered_at),
    ended_at: isOver ? dhakaIso(row.expires_at) : isoOf(row.ended_at),
    expires_at: dhakaIso(row.expires_at),
  };
}
