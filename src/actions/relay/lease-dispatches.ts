/**
 * Leases outbound SMS to a phone, and applies its reports on them. Each SMS is leased once: a phone may have
 * sent what it received, and only a phone that keeps a journal can be sure that an SMS never reached it. The
 * app "SMS Gateway for Android" uses its own states.
 */
import type { AppReport } from '../../domain/dispatches/app-reports.js';
import {
  applyReport,
  type DispatchReport,
  type DispatchState,
  stateOfParts,
} from '../../domain/dispatches/dispatch.js';
import {
  type Choice,
  chooseNext,
  type JudgedLeases,
  judgeLeases,
  NEXT_POLL_MS,
  type Outbox,
  RATE_WINDOW_MS,
} from '../../domain/dispatches/dispatch-plan.js';
import type { Db } from '../../store/schema/index.js';
import {
  changeDispatch,
  countReceipts,
  findReceipts,
  leaseDispatches,
  leasedDispatches,
  lockDevice,
  openLeases,
  queuedDispatches,
  recentLeases,
  renewLeases,
  reportedDispatches,
  requeueDispatches,
} from '../../store/tables/dispatches.js';
import type { AppPhone } from '../access/authenticate-device.js';
import type { Core } from '../core/core.js';

export interface LeaseInput {
  readonly deviceId: string;
  /** Null for a phone that keeps no journal: nothing is ever leased to it a second time. */
  readonly outbox: Outbox | null;
  /** Reports on earlier dispatches, applied in the same database transaction. */
  readonly reports: readonly DispatchReport[];
}

/** One SMS for a phone to send; `expires_at` in milliseconds since the epoch. */
type LeasedDispatch = Awaited<ReturnType<typeof queuedDispatches.all>>[number];

export interface DispatchLeases {
  /** Dispatches in the order in which the phone must send them. */
  readonly dispatches: readonly LeasedDispatch[];
  /** Time until the phone should poll again, ms. */
  readonly nextPollMs: number;
}

export const NOTHING: DispatchLeases = { dispatches: [], nextPollMs: NEXT_POLL_MS };

/** Maximum leased to a phone at a time: more than it sends in two minutes. Limits the response's size. */
const MAX_LEASED = 50;

/** Applies reports and leases dispatches, durably when this returns, so the response may get lost. */
export async function leaseToPhone(core: Core, input: LeaseInput): Promise<DispatchLeases> {
  // Nearly every call finds nothing to do, and a look costs no commit.
  const seen = await core.store.read((db) => plan(core, db, input));
  const isIdle = seen.lost.length === 0 && seen.renewed.length === 0 && seen.chosen.length === 0;
  if (isIdle && input.reports.length === 0) return { dispatches: [], nextPollMs: seen.nextPollMs };
  return core.store.write(async (db) => {
    await lockDevice(db, input.deviceId);
    return exchange(core, db, input);
  });
}

async function exchange(core: Core, db: Db, input: LeaseInput): Promise<DispatchLeases> {
  const { outbox, reports, deviceId } = input;
  const now = core.clock.now();
  const until = now + leaseMs(core);
  await foldReports(db, { deviceId, reports }, now);
  const { lost, renewed, held } = await judgeOpenLeases(core, db, input);
  if (lost.length > 0) await requeueDispatches(db, { journal: outbox?.journal ?? '' }, lost);
  if (renewed.length > 0) await renewLeases(db, { until }, renewed);
  const { chosen, nextPollMs } = await chooseFromQueue(core, db, deviceId, held);
  if (chosen.length === 0) return { dispatches: [], nextPollMs };
  const ids = chosen.map(({ id }) => id);
  const leased = await leaseDispatches(db, { now, until, journal: outbox?.journal ?? null }, ids);
  // One that was cancelled since it was read is not among them.
  const taken = new Set(leased.map(({ id }) => id));
  return { dispatches: chosen.filter(({ id }) => taken.has(id)), nextPollMs };
}

const leaseMs = (core: Core) => core.settings.dispatchLeaseSeconds * 1_000;

async function plan(core: Core, db: Db, input: LeaseInput): Promise<JudgedLeases & Choice<LeasedDispatch>> {
  const judged = await judgeOpenLeases(core, db, input);
  return { ...judged, ...(await chooseFromQueue(core, db, input.deviceId, judged.held)) };
}

async function judgeOpenLeases(
  core: Core,
  db: Db,
  { deviceId, outbox, reports }: LeaseInput,
): Promise<JudgedLeases> {
  const leases = outbox === null ? [] : await openLeases.all(db, { device: deviceId });
  const reported = reports.map(({ id }) => id);
  return judgeLeases(leases, outbox, reported, { now: core.clock.now(), leaseMs: leaseMs(core) });
}

async function chooseFromQueue(
  core: Core,
  db: Db,
  device: string,
  held: number,
): Promise<Choice<LeasedDispatch>> {
  const now = core.clock.now();
  const queue = await queuedDispatches.all(db, { device, now, limit: MAX_LEASED });
  // A lease in the future, from a clock that was ahead, must not count until then.
  const minute = { since: now - RATE_WINDOW_MS, until: now + RATE_WINDOW_MS };
  const recent = queue.length === 0 ? [] : await recentLeases.all(db, { device, ...minute });
  const { partsAMinute } = core.settings;
  return chooseNext(queue, recent, { now, partsAMinute, limit: MAX_LEASED, held });
}

interface TakeReports {
  readonly deviceId: string;
  readonly reports: readonly DispatchReport[];
}

/**
 * Applies reports; the caller's database transaction must hold the phone's lock. Reports on other phones'
 * dispatches are ignored. A final report also counts for a dispatch that was abandoned as UNKNOWN.
 * @param now milliseconds since the epoch.
 */
async function foldReports(db: Db, { deviceId, reports }: TakeReports, now: number): Promise<void> {
  if (reports.length === 0) return;
  const ids = [...new Set(reports.map(({ id }) => id))];
  for (const row of await reportedDispatches(db, { device: deviceId }, ids)) {
    const own = reports.filter(({ id }) => id === row.id);
    const letters = own.reduce(applyReport, row.part_states);
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

/** One SMS for the app to send; `expires_at` in milliseconds since the epoch. */
export type AppDispatch = Awaited<ReturnType<typeof leasedDispatches.all>>[number];

/**
 * Lists the dispatches leased to this registration without a final report, also those leased again. The app
 * sends a dispatch once even if it receives it twice; it does not report which it has, so none is requeued.
 * @returns dispatches in the order in which the app must send them.
 */
export async function appOutbox(core: Core, phone: AppPhone): Promise<readonly AppDispatch[]> {
  const { device, registration } = phone;
  await leaseToPhone(core, {
    deviceId: device.deviceId,
    outbox: { journal: registration, held: null },
    reports: [],
  });
  const now = core.clock.now();
  return core.store.read((db) =>
    leasedDispatches.all(db, { device: device.deviceId, journal: registration, now }),
  );
}

/** Applies the app's reports, durably when this returns. Drops reports on dispatches of other phones. */
export async function takeAppReports(
  core: Core,
  phone: AppPhone,
  reports: readonly AppReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const { deviceId } = phone.device;
  await core.store.write(async (db) => {
    await lockDevice(db, deviceId);
    const own: DispatchReport[] = [];
    for (const report of reports) own.push(...(await translate(db, deviceId, report)));
    await foldReports(db, { deviceId, reports: own }, core.clock.now());
  });
}

/** Translates an app's report; the app reports the complete SMS as delivered when its first part is. */
async function translate(db: Db, device: string, report: AppReport): Promise<readonly DispatchReport[]> {
  const { id } = report;
  const whole = (said: DispatchReport['state'], error: string | null = null): DispatchReport => ({
    id,
    state: said,
    part: null,
    error,
  });
  switch (report.state) {
    case 'SENT':
      return [whole('SENT')];
    case 'FAILED':
    case 'EXPIRED':
      return [whole(report.state, report.error)];
    // It has left the phone, and more than that nobody can do for it.
    case 'UNDELIVERED':
      return [whole('SENT', report.error)];
    case 'DELIVERED':
    case 'DELIVERED_PART': {
      const known = await findReceipts.first(db, { id, device });
      if (known === undefined) return [];
      if (report.state === 'DELIVERED') return [whole(known.parts === 1 ? 'DELIVERED' : 'SENT')];
      const receipts = new Set(known.receipts?.split(' ') ?? []).add(report.envelope);
      const counted = [...receipts].slice(0, known.parts);
      await countReceipts.all(db, { id, device, receipts: counted.join(' ') });
      return [whole('SENT'), ...counted.map((_, index) => partDelivered(id, index + 1))];
    }
    default:
      return report satisfies never;
  }
}

function partDelivered(id: string, part: number): DispatchReport {
  return { id, state: 'DELIVERED', part, error: null };
}
