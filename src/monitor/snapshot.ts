/** What was read last, in the form that panels are made of, whether from a store or from another machine. */
import type { DeviceView } from '../actions/devices/device-view.js';
import type { Board } from '../actions/upkeep/read-dashboard.js';
import type { DeviceState } from '../domain/devices/device-state.js';

/** A relay phone; what only the store knows is absent for one that is watched from another machine. */
export interface Phone
  extends Pick<DeviceView, 'last_active' | 'last_seen_at' | 'downtime' | 'battery' | 'charging' | 'network'> {
  /** Identifier; of a key that names no phone, which key it is. */
  readonly id: string;
  readonly name: string;
  readonly state: DeviceState | 'UNKNOWN';
  readonly pending_sms: number | null;
  readonly pending_dispatches: number | null;
  /** What keeps it from its work, in its own words. */
  readonly trouble: string | null;
  readonly merchant?: string;
  readonly sims?: DeviceView['sims'];
  readonly agent?: string;
  readonly app_version?: string | null;
}

export interface Snapshot {
  readonly phones: readonly Phone[];
  /** Null where only phones may be watched. */
  readonly shop: Omit<Board, 'at' | 'devices'> | null;
}

export function snapshotOf(board: Board): Snapshot {
  const { devices, at: _at, ...shop } = board;
  return { phones: devices.map(phoneOf), shop };
}

function phoneOf(view: DeviceView): Phone {
  return {
    id: view.id,
    name: view.name,
    merchant: view.merchant,
    state: view.state,
    last_active: view.last_active,
    last_seen_at: view.last_seen_at,
    downtime: view.downtime,
    battery: view.battery,
    charging: view.charging,
    network: view.network,
    trouble: view.trouble,
    pending_sms: view.queued,
    pending_dispatches: view.pending_dispatches,
    sims: view.sims,
    agent: view.agent,
    app_version: view.app_version,
  };
}
