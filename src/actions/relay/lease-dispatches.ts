/**
 * Leases to a phone the SMS that it is to send. Each is leased once: what was given to a phone may have been
 * sent, and only a phone that keeps a journal can say for certain that something never reached it.
 */
import type { DispatchReport } from '../../domain/dispatches/dispatch.js';
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
  leaseDispatches,
  lockDevice,
  openLeases,
  queuedDispatches,
  recentLeases,
  renewLeases,
  requeueDispatches,
} from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';
import { foldReports } from './apply-reports.js';

export interface LeaseInput {
  readonly deviceId: string;
  /** Null for a phone that keeps no journal: nothing is ever leased to it a second time. */
  readonly outbox: Outbox | null;
  /** Reports on earlier dispatches; applied in the same unit of work. */
  readonly reports: readonly DispatchReport[];
}

/** One SMS for a phone to send; `expires_at` in milliseconds since the epoch. */
type LeasedDispatch = Awaited<ReturnType<typeof queuedDispatches.all>>[number];

export interface DispatchLeases {
  /** In the order in which they are to be sent. */
  readonly dispatches: readonly LeasedDispatch[];
  /** When the phone should ask again. */
  readonly nextPollMs: number;
}

export const NOTHING: DispatchLeases = { dispatches: [], nextPollMs: NEXT_POLL_MS };

/** How many a phone has at a time: more than it sends in two minutes. Also bounds the answer. */
const MAX_LEASED = 50;

/** When this returns, reports and leases are durable: what carries them may be lost from here on. */
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
