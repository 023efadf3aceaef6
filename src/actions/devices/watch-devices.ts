/** Checks every relay phone: records its state, raises and ends alerts. */
import { dhakaIso } from '../../base/values/clock.js';
import { type AlertEvent, type AlertKind, alertText } from '../../domain/alerts/alert.js';
import {
  ALERTS_CLOSED_ON_REVOKE,
  durationText,
  type Findings,
  inspectDevice,
} from '../../domain/devices/device-state.js';
import type { Db } from '../../store/schema/index.js';
import { countDeviceAlerts, openAlertsOfDevices, openDeviceAlerts } from '../../store/tables/alerts.js';
import { audit } from '../../store/tables/audit.js';
import { updateDeviceState, watchedDevices } from '../../store/tables/devices.js';
import { endAlert, raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 100;

interface DeviceAlert {
  readonly kind: AlertKind;
  readonly device: string;
  readonly name: string;
  /** A sentence or two for people. */
  readonly message: string;
}

type PhoneRow = Awaited<ReturnType<typeof watchedDevices>>[number];

/**
 * The first check only records the state; phones of suspended merchants are skipped. Of several processes,
 * one raises an alert.
 * @param input.listeningSince since when phones could reach this process, milliseconds since the epoch.
 * @returns the alerts that this process has raised.
 */
export async function watchDevices(
  core: Core,
  { listeningSince }: { readonly listeningSince: number },
): Promise<readonly DeviceAlert[]> {
  const now = core.clock.now();
  const found = (await loadPhones(core)).flatMap(({ row, openAlerts }) => {
    const findings = inspectDevice(phoneOf(row, openAlerts), now, listeningSince);
    return hasNoFindings(findings) ? [] : [{ row, findings }];
  });
  const told: DeviceAlert[] = [];
  for (let start = 0; start < found.length; start += BATCH) {
    const batch = found.slice(start, start + BATCH);
    // A unit of work may be run again from its beginning.
    const raised = await core.store.write(async (db) => {
      const alerts: DeviceAlert[] = [];
      for (const { row, findings } of batch) alerts.push(...(await apply(core, db, row, findings)));
      return alerts;
    });
    told.push(...raised);
  }
  return told;
}

async function loadPhones(core: Core) {
  return core.store.read(async (db) => {
    const openAlerts = new Map<string, AlertKind[]>();
    for (const { device_id: device, kind } of await openAlertsOfDevices(db)) {
      if (device !== null) openAlerts.set(device, [...(openAlerts.get(device) ?? []), kind]);
    }
    const rows = await watchedDevices(db);
    return rows.map((row) => ({ row, openAlerts: openAlerts.get(row.id) ?? [] }));
  });
}

function phoneOf(row: PhoneRow, openAlerts: readonly AlertKind[]) {
  return {
    isRevoked: row.revoked_at !== null,
    agent: row.agent,
    lastSeenAt: row.last_seen_at,
    battery: row.battery,
    charging: row.charging === null ? null : row.charging === 1,
    problem: row.problem,
    notedState: row.watched_state,
    openAlerts,
  };
}

function hasNoFindings({ move, battery, problem, isOver }: Findings): boolean {
  return move === null && battery === 'as_before' && problem === 'as_before' && !isOver;
}

async function apply(core: Core, db: Db, row: PhoneRow, findings: Findings): Promise<DeviceAlert[]> {
  const raised: DeviceAlert[] = [];
  const raise = async (news: AlertEvent, incident: string) => {
    const about = { merchantId: row.merchant_id, deviceId: row.id, incident };
    if ((await raiseAlert(core, db, { ...news, ...about })) === 'known') return;
    const message = alertText(news, row.name);
    raised.push({ kind: news.kind, device: row.id, name: row.name, message });
  };
  if (await noteMove(core, db, row, findings)) await raiseStateAlert(core, db, row, findings, raise);
  const { id, battery, problem } = row;
  if (findings.battery === 'low' && battery !== null) {
    await raiseNext(db, id, { kind: 'device.battery_low', detail: { battery } }, raise);
  }
  if (findings.problem === 'new' && problem !== null) {
    await raiseNext(db, id, { kind: 'device.problem', detail: { problem } }, raise);
  }
  if (findings.battery === 'well_again') await endDeviceAlerts(core, db, row, ['device.battery_low']);
  if (findings.problem === 'over') await endDeviceAlerts(core, db, row, ['device.problem']);
  if (findings.isOver) await endDeviceAlerts(core, db, row, ALERTS_CLOSED_ON_REVOKE);
  return raised;
}

type Raise = (news: AlertEvent, incident: string) => Promise<void>;

/** @returns whether it was this process that noted it. */
async function noteMove(core: Core, db: Db, row: PhoneRow, { move }: Findings): Promise<boolean> {
  if (move === null) return false;
  const { id, watched_state: from } = row;
  const seen = row.last_seen_at ?? 0;
  const moved = await updateDeviceState.first(db, { id, from, to: move.to, lastSeenAt: seen });
  if (moved === undefined) return false;
  if (move.news === 'none') return true;
  const change = { before: { state: from }, after: { state: move.to } };
  await audit(core, db, 'rule', `device.${move.news}`, id, change);
  return true;
}

async function raiseStateAlert(core: Core, db: Db, row: PhoneRow, { move, isTold }: Findings, raise: Raise) {
  const { id, last_seen_at: lastSeenAt } = row;
  if (move === null || lastSeenAt === null) return;
  switch (move.news) {
    case 'offline':
      if (isTold) await raise(offlineChange(row, lastSeenAt), `device.offline:${id}:${lastSeenAt}`);
      return;
    case 'online':
      // Whatever calls for it now: an alert about its absence is followed by one about its return.
      for (const { kind, incident, detail } of await openDeviceAlerts.all(db, { device: id })) {
        if (kind !== 'device.offline' || (await endAlert(core, db, incident)) === 'not_open') continue;
        const { last_seen_at: since } = JSON.parse(detail) as { readonly last_seen_at: string };
        const downtime = durationText(lastSeenAt - Date.parse(since));
        const back = { offline_since: since, downtime };
        await raise({ kind: 'device.recovered', detail: back }, `device.recovered:${incident}`);
      }
      return;
    case 'none':
      return;
    default:
      move.news satisfies never;
  }
}

function offlineChange(row: PhoneRow, lastSeenAt: number): AlertEvent {
  return {
    kind: 'device.offline',
    detail: {
      last_seen_at: dhakaIso(lastSeenAt),
      battery: row.battery,
      charging: row.charging === null ? null : row.charging === 1,
      network: row.network,
      pending_sms: row.queued,
    },
  };
}

/** Named by how many there were before, so that two processes which find it at once name it alike. */
async function raiseNext(db: Db, device: string, news: AlertEvent, raise: Raise): Promise<void> {
  const before = await countDeviceAlerts.first(db, { device, kind: news.kind });
  const raised = Number(before?.raised ?? 0);
  if (raised > Number(before?.ended ?? 0)) return;
  await raise(news, `${news.kind}:${device}:${raised + 1}`);
}

async function endDeviceAlerts(
  core: Core,
  db: Db,
  { id }: PhoneRow,
  kinds: readonly AlertKind[],
): Promise<void> {
  for (const { kind, incident } of await openDeviceAlerts.all(db, { device: id })) {
    if (kinds.includes(kind)) await endAlert(core, db, incident);
  }
}
