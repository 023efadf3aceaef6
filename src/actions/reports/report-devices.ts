/** Activity and silences of each phone in a range of days, as far as the store knows them. */
import { formatTaka } from '../../base/values/money.js';
import { deviceState } from '../../domain/devices/device-state.js';
import type { Db } from '../../store/schema/index.js';
import {
  creditedByDevice,
  dispatchesByDevice,
  gapsByDevice,
  listOfflinePeriods,
  reportedDevices,
  smsByDevice,
} from '../../store/tables/reports.js';
import type { Core } from '../core/core.js';
import { idOfMerchant } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { type DaysSpan, type ReportDays, toSpan } from './report-span.js';

interface ReportDevices extends ReportDays {
  /** Identifier or name; absent for all. */
  readonly merchant?: string | undefined;
}

type ReportedDevice = Awaited<ReturnType<typeof reportedDevices>>[number];

interface DeviceCounts {
  readonly sms: number;
  readonly money: number;
  readonly unread: number;
  readonly completed: number;
  readonly paidPaisa: number;
  readonly gaps: number;
  readonly openGaps: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
  /** Times that it was silent, and for how long together. */
  readonly silences: number;
  readonly silentMs: number;
}

type DeviceReport = ReportedDevice & DeviceCounts;

const MINUTE = 60_000;

/** Takes the current time in milliseconds since the epoch. */
export const deviceReportView = defineView<DeviceReport, number>()(({ same, times }) => ({
  ...same('id', 'name', 'merchant'),
  state: (row, now) => deviceState(row.revoked_at !== null, row.last_seen_at, now),
  ...times('last_seen_at'),
  /** SMS that were stored: all; money that came in; texts of a wallet that no format reads; all others. */
  ...same('sms', 'money', 'unread'),
  other: ({ sms, money, unread }) => sms - money - unread,
  /** Payments completed by an SMS of the phone, and the amount paid. */
  ...same('completed'),
  paid: ({ paidPaisa }) => formatTaka(paidPaisa),
  /** Number of silences longer than 15 minutes, and their total in full minutes. */
  ...same('silences'),
  silent_minutes: ({ silentMs }) => Math.floor(silentMs / MINUTE),
  /** Places where balances show an SMS that never came. */
  gaps: (row) => row.gaps,
  open_gaps: ({ openGaps }) => openGaps,
  /** Outbound SMS: sent or delivered; failed or expired; of unknown state. */
  ...same('sent', 'failed', 'unknown'),
}));

type DeviceReportRow = ReturnType<typeof deviceReportView>;

/**
 * Phones in use, and revoked ones that did something in these days; the one with most money first.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function reportDevices(core: Core, input: ReportDevices): Promise<DeviceReportRow[]> {
  const now = core.clock.now();
  const span = toSpan(input, now);
  const rows = await core.store.read(async (db) => {
    const phones = await reportedDevices(db, await idOfMerchant(db, input.merchant));
    return reported(db, phones, span, now);
  });
  return rows
    .filter((row) => row.revoked_at === null || row.sms + row.sent + row.failed + row.completed > 0)
    .sort((one, other) => other.paidPaisa - one.paidPaisa || one.name.localeCompare(other.name))
    .map((row) => deviceReportView(row, now));
}

async function reported(
  db: Db,
  phones: readonly ReportedDevice[],
  span: DaysSpan,
  now: number,
): Promise<DeviceReport[]> {
  const sms = await smsByDevice(db, span);
  const credited = await creditedByDevice(db, span);
  const gaps = await gapsByDevice(db, span);
  const dispatches = await dispatchesByDevice(db, span);
  const all: DeviceReport[] = [];
  for (const phone of phones) {
    const of = <Row extends { readonly device_id: string | null }>(rows: readonly Row[]) =>
      rows.find(({ device_id }) => device_id === phone.id);
    const inStates = (...states: readonly string[]) =>
      dispatches
        .filter(({ device_id, state }) => device_id === phone.id && states.includes(state))
        .reduce((sum, { count }) => sum + Number(count), 0);
    all.push({
      ...phone,
      sms: Number(of(sms)?.count ?? 0),
      money: Number(of(sms)?.money ?? 0),
      unread: Number(of(sms)?.unread ?? 0),
      completed: Number(of(credited)?.count ?? 0),
      paidPaisa: Number(of(credited)?.paid ?? 0),
      gaps: Number(of(gaps)?.count ?? 0),
      openGaps: Number(of(gaps)?.open ?? 0),
      sent: inStates('SENT', 'DELIVERED'),
      failed: inStates('FAILED', 'EXPIRED'),
      unknown: inStates('UNKNOWN'),
      ...silenceIn(await listOfflinePeriods(db, phone.id, span), span, now),
    });
  }
  return all;
}

/** Counts silences and adds up their durations, from the last-seen times that their alerts contain. */
function silenceIn(
  alerts: Awaited<ReturnType<typeof listOfflinePeriods>>,
  { from, to }: DaysSpan,
  now: number,
) {
  const lengths = alerts.map(({ detail, at, ended_at }) => {
    const { last_seen_at } = JSON.parse(detail) as { readonly last_seen_at?: string };
    const since = last_seen_at === undefined ? at : Date.parse(last_seen_at);
    return Math.max(0, Math.min(ended_at ?? now, to) - Math.max(since, from));
  });
  return { silences: lengths.length, silentMs: lengths.reduce((sum, length) => sum + length, 0) };
}
