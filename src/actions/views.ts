/**
 * How merchants, brands, keys, accounts and devices look from outside: what the command line prints as JSON.
 * Scripts rely on these names. No hash and no secret ever gets into one.
 */
import { dhakaIso } from '../base/clock.js';
import { type AccountDetails, readDetails } from '../domain/account-details.js';
import { type DeviceState, deviceState, downtimeOf, lastActive } from '../domain/device-state.js';
import type { Dialect, MetadataAs } from '../domain/dialect.js';
import { feeText, readFees } from '../domain/fees.js';
import type { WebhookFormat } from '../domain/notification.js';
import type { ReturnMethod } from '../domain/redirect.js';
import type { AccountTable, BrandTable, DeviceTable, MerchantTable } from '../store/schema.js';

export interface MerchantView {
  readonly id: string;
  readonly name: string;
  readonly status: MerchantTable['status'];
  readonly mobile: string;
  readonly whatsapp: string;
  readonly email: string;
  /** Empty means any address. */
  readonly allow_ips: readonly string[];
  readonly created_at: string;
}

export function merchantView(row: MerchantTable): MerchantView {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    mobile: row.mobile,
    whatsapp: row.whatsapp,
    email: row.email,
    allow_ips: JSON.parse(row.allow_ips) as string[],
    created_at: dhakaIso(row.created_at),
  };
}

export interface BrandView {
  readonly id: string;
  readonly name: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly mobile: string;
  readonly whatsapp: string;
  readonly email: string;
  readonly webhook_url: string | null;
  readonly webhook_format: WebhookFormat;
  /** While a rotation of the webhook secret overlaps: when the old one dies. */
  readonly old_webhook_secret_dies_at: string | null;
  readonly session_minutes: number;
  readonly proof_window_hours: number;
  /** The program of other people that the shop runs; null where none was named. */
  readonly plugin: string | null;
  readonly dialect: Dialect;
  readonly metadata_as: MetadataAs;
  readonly return_type: ReturnMethod;
  /** By channel, as `--fee` takes them: `{"mfs_a":"1.85%"}`. */
  readonly fees: Readonly<Record<string, string>>;
  readonly created_at: string;
}

/** @param json text of a brand's or a session's fees. @returns each in the words of `--fee`. */
export function feesView(json: string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(readFees(json)).map(([channel, fee]) => [channel, feeText(fee)]));
}

export function brandView(row: BrandTable & { readonly merchant: string }, now: number): BrandView {
  const diesAt = row.old_webhook_secret_dies_at;
  return {
    id: row.id,
    name: row.name,
    merchant_id: row.merchant_id,
    merchant: row.merchant,
    mobile: row.mobile,
    whatsapp: row.whatsapp,
    email: row.email,
    webhook_url: row.webhook_url,
    webhook_format: row.webhook_format,
    old_webhook_secret_dies_at: diesAt !== null && now < diesAt ? dhakaIso(diesAt) : null,
    session_minutes: row.session_minutes,
    proof_window_hours: row.proof_window_hours,
    plugin: row.plugin,
    dialect: row.dialect,
    metadata_as: row.metadata_as,
    return_type: row.return_type,
    fees: feesView(row.fees),
    created_at: dhakaIso(row.created_at),
  };
}

/** `ENDING`: replaced, and good for a while yet. */
export type KeyState = 'ACTIVE' | 'ENDING' | 'DEAD';

export interface KeyView {
  readonly id: string;
  readonly brand_id: string;
  readonly brand: string;
  readonly hint: string;
  readonly state: KeyState;
  readonly created_at: string;
  readonly dies_at: string | null;
}

export interface KeyRow {
  readonly id: string;
  readonly brand_id: string;
  readonly brand: string;
  readonly hint: string;
  readonly created_at: number;
  readonly dies_at: number | null;
}

/** @param diesAt milliseconds since the epoch, null for never. */
function keyState(diesAt: number | null, now: number): KeyState {
  if (diesAt === null) return 'ACTIVE';
  return diesAt > now ? 'ENDING' : 'DEAD';
}

export function keyView(row: KeyRow, now: number): KeyView {
  return {
    id: row.id,
    brand_id: row.brand_id,
    brand: row.brand,
    hint: row.hint,
    state: keyState(row.dies_at, now),
    created_at: dhakaIso(row.created_at),
    dies_at: row.dies_at === null ? null : dhakaIso(row.dies_at),
  };
}

export interface AccountView {
  readonly id: string;
  readonly brand_id: string;
  readonly brand: string;
  readonly channel: string;
  readonly type: string;
  readonly number: string;
  /** What customers see beside the number: a bank's name and holder, the text of a QR code. */
  readonly details: AccountDetails;
  readonly active: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

export function accountView(row: AccountTable & { readonly brand: string }): AccountView {
  return {
    id: row.id,
    brand_id: row.brand_id,
    brand: row.brand,
    channel: row.channel,
    type: row.type,
    number: row.number,
    details: readDetails(row.details),
    active: row.active === 1,
    created_at: dhakaIso(row.created_at),
    disabled_at: row.disabled_at === null ? null : dhakaIso(row.disabled_at),
  };
}

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
