/** Applies a phone's reports on dispatches; they may come late, twice or in any order. */
import type { DispatchReport, DispatchState } from '../../domain/dispatches/dispatch.js';
import { foldReport, stateOfParts } from '../../domain/dispatches/dispatch-reports.js';
import type { Db } from '../../store/schema/index.js';
import { changeDispatch, reportedDispatches } from '../../store/tables/dispatches.js';

interface TakeReports {
  readonly deviceId: string;
  readonly reports: readonly DispatchReport[];
}

/**
 * For a unit of work that holds the phone's lock. Reports on other phones' dispatches are ignored. A final
 * report also counts for a dispatch given up as UNKNOWN.
 * @param now milliseconds since the epoch.
 */
export async function foldReports(db: Db, { deviceId, reports }: TakeReports, now: number): Promise<void> {
  if (reports.length === 0) return;
  const ids = [...new Set(reports.map(({ id }) => id))];
  for (const row of await reportedDispatches(db, { device: deviceId }, ids)) {
    const own = reports.filter(({ id }) => id === row.id);
    const letters = own.reduce(foldReport, row.part_states);
    const error = own.reduce((known, report) => report.error ?? known, row.error);
    if (letters === row.part_states && error === row.error) continue;
    const state = stateOfParts(letters, row.state);
    await changeDispatch(db, row.id, {
      part_states: letters,
      state,
      error: isGood(state) ? null : error,
      ...(state === row.state ? {} : momentsOf(state, row, now)),
    });
  }
}

function isGood(state: DispatchState): boolean {
  return state === 'SENT' || state === 'DELIVERED';
}

function momentsOf(state: DispatchState, row: { readonly sent_at: number | null }, now: number) {
  return {
    ended_at: now,
    ...(isGood(state) ? { sent_at: row.sent_at ?? now } : {}),
    ...(state === 'DELIVERED' ? { delivered_at: now } : {}),
  };
}
