/** Merchants, brands, keys, accounts, devices and payments as lines that a person reads. */
import type { CreatedBrand } from '../actions/create-brand.js';
import type { EnrolledDevice } from '../actions/enroll-device.js';
import type { showPayment } from '../actions/list-payments.js';
import type { AccountView, BrandView, DeviceView, KeyView, MerchantView, SimView } from '../actions/views.js';
import { sheet } from './table.js';

const NONE = '–';

const or = (text: string | null | undefined, otherwise = NONE) =>
  text === null || text === undefined || text === '' ? otherwise : text;

/** `2026-08-21 12:35` from the ISO text of a view. */
export const minute = (iso: string | null) => (iso === null ? NONE : iso.slice(0, 16).replace('T', ' '));

export const simsText = (sims: readonly SimView[]) =>
  sims.map((sim) => `${sim.slot}=${sim.number}`).join(' ');

export const batteryText = (device: Pick<DeviceView, 'battery' | 'charging'>) =>
  device.battery === null ? NONE : `${device.battery}%${device.charging ? '+' : ''}`;

/** A name as it must be typed in a shell. */
export const quoted = (name: string) =>
  /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

const profileLines = (view: Pick<MerchantView, 'mobile' | 'whatsapp' | 'email'>) =>
  [
    ['Mobile', or(view.mobile)],
    ['WhatsApp', or(view.whatsapp)],
    ['E-mail', or(view.email)],
  ] as const;

export function merchantSheet(view: MerchantView): string[] {
  return sheet([
    ['Merchant', view.name],
    ['Id', view.id],
    ['Status', view.status],
    ...profileLines(view),
    ['Allowed IPs', or(view.allow_ips.join(' '), 'any')],
    ['Since', minute(view.created_at)],
  ]);
}

export function brandSheet(view: BrandView): string[] {
  return sheet([
    ['Brand', view.name],
    ['Id', view.id],
    ['Merchant', view.merchant],
    ...profileLines(view),
    ['Webhook', or(view.webhook_url)],
    ['Sessions', `expire after ${view.session_minutes} minutes`],
    ['Payments', `may be ${view.proof_window_hours} hours older than their session`],
    ['Since', minute(view.created_at)],
  ]);
}

export function keySheet(view: KeyView): string[] {
  return sheet([
    ['Key', view.hint],
    ['Id', view.id],
    ['Brand', view.brand],
    ['State', view.state],
    ['Since', minute(view.created_at)],
    ['Dies', minute(view.dies_at)],
  ]);
}

export function accountSheet(view: AccountView): string[] {
  return sheet([
    ['Account', `${view.channel} ${view.type}`],
    ['Number', view.number],
    ['Id', view.id],
    ['Brand', view.brand],
    ['State', view.active ? 'active' : `disabled ${minute(view.disabled_at)}`],
  ]);
}

export function deviceSheet(view: DeviceView): string[] {
  return sheet([
    ['Device', view.name],
    ['Id', view.id],
    ['Merchant', view.merchant],
    ['State', view.state],
    ['Last active', or(view.last_active, 'never')],
    ['Battery', `${batteryText(view)}${view.charging ? ' charging' : ''}`.replace('+ ', ' ')],
    ['Network', or(view.network)],
    ['Waiting SMS', view.queued === null ? NONE : String(view.queued)],
    ['SIMs', simsText(view.sims)],
    ['App', or(view.app_version)],
    ['Keys', `device ${view.device_key_hint}, gateway ${view.gateway_key_hint}`],
  ]);
}

/**
 * @param about what was made, before its secrets.
 * @param made secrets that are shown this once.
 */
export function brandSecretsSheet(
  about: readonly (readonly [string, string])[],
  made: Pick<CreatedBrand, 'brand_key' | 'webhook_secret'>,
): string[] {
  return [
    ...sheet([...about, ['Brand Key', made.brand_key], ['Webhook secret', made.webhook_secret]]),
    '',
    "Key and secret are shown only now. Keep them on the shop's server, never in an app or page.",
  ];
}

export function paymentSheet(view: Awaited<ReturnType<typeof showPayment>>): string[] {
  const claims = view.claims.map(
    (claim) =>
      [
        'Claim',
        `${claim.channel} ${claim.reference}: ${claim.state.toLowerCase()} (${claim.reason.replaceAll('_', ' ')})`,
      ] as const,
  );
  return sheet([
    ['Payment', view.gateway_reference],
    ['Id', view.id],
    ['Brand', view.brand],
    ['Customer', view.cus_name],
    ['Amount', `${view.amount} BDT`],
    ['Status', `${view.status} (${view.reason})`],
    ['Paid by', view.channel === null ? NONE : `${view.channel} ${or(view.transaction_id)}`],
    ['Created', minute(view.created_at)],
    ['Expires', minute(view.expires_at)],
    ['Closed', minute(view.closed_at)],
    ...claims,
  ]);
}

/** @param made keys and code that are shown this once. */
export function deviceKeysSheet(made: EnrolledDevice): string[] {
  return [
    ...sheet([
      ['Device', made.device.name],
      ['Id', made.device.id],
      ['Device key', made.device_key],
      ['Gateway key', made.gateway_key],
      ['Pairing code', `${made.pairing_code}  (works once, until ${minute(made.pairing_expires_at)})`],
    ]),
    '',
    'Keys and code are shown only now. The phone gets its keys by pairing.',
  ];
}
