/**
 * Defines the source of the dashboard, a local store or a remote daemon, and the snapshot that the panels are
 * built from.
 */
import type { DeviceView } from '../actions/devices/device-view.js';
import type { DashboardData } from '../actions/upkeep/load-dashboard.js';
import type { DeviceState } from '../domain/devices/device-state.js';
import type { Act } from './dialog.js';
import type { PanelId } from './panel.js';

/** A relay phone; what only the store knows is absent for one that is watched from another machine. */
export interface Phone
  extends Pick<DeviceView, 'last_active' | 'last_seen_at' | 'downtime' | 'battery' | 'charging' | 'network'> {
  /** Identifier; of a key that names no phone, which key it is. */
  readonly id: string;
  readonly name: string;
  readonly state: DeviceState | 'UNKNOWN';
  readonly pending_sms: number | null;
  readonly pending_dispatches: number | null;
  /** Problem that the phone reports about itself. */
  readonly problem: string | null;
  readonly merchant?: string;
  readonly sims?: DeviceView['sims'];
  readonly agent?: string;
  readonly app_version?: string | null;
}

export interface Snapshot {
  readonly phones: readonly Phone[];
  /** Null where only phones may be watched. */
  readonly shop: Omit<DashboardData, 'at' | 'devices'> | null;
}

export interface SnapshotSource {
  /** Name of the source, for the header. */
  readonly name: string;
  /** Milliseconds from one reading to the next. */
  readonly everyMs: number;
  /** @throws KashboxError with a message for the operator */
  read(): Promise<Snapshot>;
  /**
   * Loads the details of one row.
   * @returns null if there are no more than the panel has. @throws KashboxError
   */
  details(panel: PanelId, key: string): Promise<object | null>;
  /**
   * Executes an action that the operator confirmed. @returns a sentence that describes the result.
   * @throws KashboxError if the action is refused, without any change
   */
  act(act: Act): Promise<string>;
  close(): Promise<void>;
}

export function toSnapshot(board: DashboardData): Snapshot {
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
    problem: view.problem,
    pending_sms: view.queued,
    pending_dispatches: view.pending_dispatches,
    sims: view.sims,
    agent: view.agent,
    app_version: view.app_version,
  };
}
