/**
 * Where a dashboard reads from, whether a store of this machine or a daemon of another one, and what was read
 * last, in the form that panels are made of.
 */
import type { DeviceView } from '../actions/devices/device-view.js';
import type { Board } from '../actions/upkeep/read-dashboard.js';
import type { DeviceState } from '../domain/devices/device-state.js';
import type { Act } from './ask.js';
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
  /** What keeps it from its work, in its own words. */
  readonly problem: string | null;
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

export interface Source {
  /** What the header says of it. */
  readonly name: string;
  /** Milliseconds from one reading to the next. */
  readonly everyMs: number;
  /** @throws KashboxError whose message says plainly what is wrong */
  read(): Promise<Snapshot>;
  /**
   * All that is known of one thing, where that is more than the panel has read.
   * @returns null where there is no more. @throws KashboxError
   */
  details(panel: PanelId, key: string): Promise<object | null>;
  /**
   * Does what an operator has confirmed. @returns a sentence that says what was done.
   * @throws KashboxError what the action refuses, which has changed nothing then
   */
  act(act: Act): Promise<string>;
  close(): Promise<void>;
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
    problem: view.problem,
    pending_sms: view.queued,
    pending_dispatches: view.pending_dispatches,
    sims: view.sims,
    agent: view.agent,
    app_version: view.app_version,
  };
}
