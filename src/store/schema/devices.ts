/** The tables of relay phones; the others stand in schema.ts. */

export interface DeviceTable {
  id: string;
  merchant_id: string;
  name: string;
  key_hash: string;
  key_hint: string;
  gateway_key_hash: string;
  gateway_key_hint: string;
  revoked_at: number | null;
  last_seen_at: number | null;
  battery: number | null;
  charging: number | null;
  network: string | null;
  queued: number | null;
  app_version: string | null;
  created_at: number;
  /** The state that was last noted of it; empty before the first look. */
  watched_state: string;
  /** What spoke for it last; empty before the first call. */
  agent: '' | 'relay' | 'app' | 'forwarder' | 'script';
  /** From when on it is to send its SMS again; null while nothing is missed. */
  resend_since: number | null;
  /** What keeps it from its work, in its own words; null while nothing does. */
  trouble: string | null;
}

export interface DeviceSimTable {
  device_id: string;
  slot: number;
  number: string;
}

export interface PairingCodeTable {
  code_hash: string;
  device_id: string;
  /** Sealed JSON `{device_key, gateway_key}`, purpose `pairing:<device>`; gone once used. */
  sealed_keys: string | null;
  expires_at: number;
  used_at: number | null;
}
