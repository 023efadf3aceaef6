/** Public representation of phones, and of one phone with its SMS and alerts. Never contains a key. */
import { orDash } from '../../base/values/text.js';
import { deviceState, formatDowntime, lastActive } from '../../domain/devices/device-state.js';
import { type ModemReading, parseStoredModems } from '../../domain/devices/modem-reading.js';
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import type { DeviceTable } from '../../store/schema/index.js';
import { countsOfDevice, listedDevices, listSims } from '../../store/tables/devices.js';
import { type AlertView, loadAlerts } from '../alerts/list-alerts.js';
import type { Core } from '../core/core.js';
import { idOfMerchant, requireDevice } from '../input/require-row.js';
import { defineView, type SheetEntry } from '../input/view.js';

export interface SimView {
  readonly slot: number;
  readonly number: string;
}

export type DeviceView = ReturnType<typeof deviceView>;

type DeviceRow = DeviceTable & {
  readonly merchant: string;
  readonly waiting_dispatches: number | string | null;
};

interface Beside {
  /** SIMs of this phone, possibly also of others. */
  readonly sims: readonly (SimView & { readonly device_id: string })[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const stateOf = (row: DeviceRow, now: number) => deviceState(row.revoked_at !== null, row.last_seen_at, now);

export const deviceView = defineView<DeviceRow, Beside>()(({ same, times }) => ({
  ...same('id', 'name', 'merchant_id', 'merchant'),
  state: (row, { now }) => stateOf(row, now),
  /** `now`, `5m`, `2h` …; empty if it was never seen. */
  last_active: ({ last_seen_at: at }, { now }) => (at === null ? '' : lastActive(at, now)),
  ...times('last_seen_at'),
  /** Duration in words; empty while the phone is online. */
  downtime: (row, { now }) =>
    formatDowntime(stateOf(row, now), { lastSeenAt: row.last_seen_at, enrolledAt: row.created_at }, now),
  ...same('battery'),
  charging: (row) => (row.charging === null ? null : row.charging === 1),
  ...same('network', 'problem', 'queued'),
  /** SMS that are to be sent through it and wait here. */
  pending_dispatches: (row) => Number(row.waiting_dispatches),
  /** Client of the last call; `simulator`: an agent on a computer that simulates a phone, sends no SMS. */
  agent: (row) => (row.app_version?.endsWith(' (simulator)') ? ('simulator' as const) : row.agent),
  sims: (row, { sims }): readonly SimView[] =>
    sims.filter((sim) => sim.device_id === row.id).map(({ slot, number }) => ({ slot, number })),
  /** Details reported by GSM modems; empty for a phone. */
  modems: (row) => parseStoredModems(row.modems),
  ...same('app_version'),
  device_key_hint: (row) => row.key_hint,
  ...same('gateway_key_hint'),
  ...times('created_at'),
}));

export const deviceSheet = deviceView.sheet({
  name: 'Device',
  id: 'Id',
  merchant: 'Merchant',
  merchant_id: null,
  state: 'State',
  last_active: ['Last active', ({ last_active }) => last_active || 'never'],
  last_seen_at: null,
  downtime: ['Downtime', (view) => (view.last_seen_at === null ? null : view.downtime || null)],
  battery: ['Battery', (view) => batteryInWords(view)],
  charging: null,
  network: ['Network', ({ network }) => orDash(network)],
  problem: 'Problem',
  queued: [
    'Waiting SMS',
    ({ queued, pending_dispatches: here }) =>
      `${orDash(queued?.toString() ?? null)} on the phone, ${here} in Kashbox to be sent`,
  ],
  pending_dispatches: null,
  sims: ['SIMs', ({ sims }) => sims.map((sim) => `${sim.slot}=${sim.number}`).join(' ')],
  modems: ({ modems }) => modems.map((modem): SheetEntry => [`Modem ${modem.slot}`, modemText(modem)]),
  agent: ['Client', ({ agent }) => orDash(agent)],
  app_version: ['App', ({ app_version }) => orDash(app_version)],
  device_key_hint: ['Keys', (view) => `device ${view.device_key_hint}, gateway ${view.gateway_key_hint}`],
  gateway_key_hint: null,
  created_at: null,
});

type Battery = Pick<DeviceView, 'battery' | 'charging'>;

/** `85%+` while it is charging. */
export const batteryText = ({ battery, charging }: Battery) =>
  battery === null ? orDash(null) : `${battery}%${charging ? '+' : ''}`;

const batteryInWords = ({ battery, charging }: Battery) =>
  `${batteryText({ battery, charging: false })}${charging ? ' charging' : ''}`;

const REGISTRATION_TEXTS: Readonly<Record<NonNullable<ModemReading['registration']>, string>> = {
  home: 'registered',
  roaming: 'registered, roaming',
  searching: 'searching for a network',
  denied: 'refused by the network',
  none: 'not registered',
  unknown: 'registration not known',
};

function modemText({ signal, registration, sim, temperature }: ModemReading): string {
  const told = [
    registration === null ? null : REGISTRATION_TEXTS[registration],
    signal === null ? null : `signal ${signal}%`,
    sim === null || sim === 'ready' ? null : `SIM ${sim}`,
    temperature === null ? null : `${temperature} °C`,
  ];
  return told.filter((one) => one !== null).join(', ');
}

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first, revoked ones too.
 * @throws KashboxError `not_found`
 */
export async function listDevices(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<DeviceView[]> {
  return core.store.read(async (db) => {
    const rows = await listedDevices(db, await idOfMerchant(db, input.merchant));
    const sims = await listSims(
      db,
      rows.map((row) => row.id),
    );
    return rows.map((row) => deviceView(row, { sims, now: core.clock.now() }));
  });
}

const LAST_ALERTS = 5;

export interface DeviceInFull extends DeviceView {
  /** Number of SMS sent through the phone, by state; states without SMS are left out. */
  readonly dispatches: Readonly<Partial<Record<DispatchState, number>>>;
  /** Newest alerts first, five at most. */
  readonly alerts: readonly AlertView[];
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function findDeviceInFull(core: Core, named: string): Promise<DeviceInFull> {
  return core.store.read(async (db) => {
    const row = await requireDevice(db, named);
    const view = deviceView(row, { sims: await listSims(db, [row.id]), now: core.clock.now() });
    const counts = await countsOfDevice(db, row.id);
    const dispatches = Object.fromEntries(counts.map(({ state, count }) => [state, Number(count)]));
    const about = { isOpen: false, deviceId: row.id, since: 0, after: null, limit: LAST_ALERTS };
    return { ...view, dispatches, alerts: await loadAlerts(db, about) };
  });
}
