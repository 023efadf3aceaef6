/** How a phone looks from outside: what the command line prints as JSON. No key ever gets into it. */
import { dhakaIso } from '../../base/values/clock.js';
import { type DeviceState, deviceState, downtimeOf, lastActive } from '../../domain/devices/device-state.js';

import type { DeviceTable } from '../../store/schema/index.js';

export interface SimView {
  readonly slot: number;
  readonly number: string;
}

export interface DeviceView {
  readonly id: string;
  readonly name: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly state: DeviceState;
  /** `now`, `5m`, `2h` … (spec 2.6); empty if it was never seen. */
  readonly last_active: string;
  readonly last_seen_at: string | null;
  /** In words; empty while it is online. */
  readonly downtime: string;
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: string | null;
  /** What keeps it from its work, in its own words; null while nothing does. */
  readonly trouble: string | null;
  /** Messages that lie on the phone and are not handed over yet. */
  readonly queued: number | null;
  /** SMS that are to be sent through it and wait here. */
  readonly pending_dispatches: number;
  readonly sims: readonly SimView[];
  /** What speaks for it: `relay`, `app`, `forwarder` or `script`; empty before its first call. */
  readonly agent: DeviceTable['agent'];
  readonly app_version: string | null;
  readonly device_key_hint: string;
  readonly gateway_key_hint: string;
  readonly created_at: string;
}

export function deviceView(
  row: DeviceTable & { readonly merchant: string; readonly waiting_dispatches: number | string | null },
  sims: readonly (SimView & { readonly device_id: string })[],
  now: number,
): DeviceView {
  const { last_seen_at: lastSeenAt, created_at: enrolledAt } = row;
  const state = deviceState(row.revoked_at !== null, lastSeenAt, now);
  return {
    id: row.id,
    name: row.name,
    merchant_id: row.merchant_id,
    merchant: row.merchant,
    state,
    last_active: lastActive(lastSeenAt, now),
    last_seen_at: lastSeenAt === null ? null : dhakaIso(lastSeenAt),
    downtime: downtimeOf(state, { lastSeenAt, enrolledAt }, now),
    battery: row.battery,
    charging: row.charging === null ? null : row.charging === 1,
    network: row.network,
    trouble: row.trouble,
    queued: row.queued,
    pending_dispatches: Number(row.waiting_dispatches),
    agent: row.agent,
    sims: sims.filter((sim) => sim.device_id === row.id).map(({ slot, number }) => ({ slot, number })),
    app_version: row.app_version,
    device_key_hint: row.key_hint,
    gateway_key_hint: row.gateway_key_hint,
    created_at: dhakaIso(row.created_at),
  };
}
