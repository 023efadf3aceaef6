/** Merchants, brands, keys, accounts, devices and payments as lines that a person reads. */
import type { AccountView } from '../../actions/accounts/account-view.js';
import type { BrandView } from '../../actions/brands/brand-view.js';
import type { CreatedBrand } from '../../actions/brands/change-brand.js';
import type { DeviceView, SimView } from '../../actions/devices/device-view.js';
import type { EnrolledDevice } from '../../actions/devices/enroll-device.js';
import type { KeyView } from '../../actions/keys/keys.js';
import type { MerchantView } from '../../actions/merchants/merchant-view.js';
import type { showPayment } from '../../actions/sessions/list-payments.js';
import { minute } from '../../base/values/clock.js';
import { type Speak, say, spoken } from '../../base/values/say.js';
import { counted } from '../../base/values/text.js';
import type { AccountDetails } from '../../domain/accounts/account-details.js';
import { shadesOf } from '../../domain/brands/colour.js';
import type { ModemReading } from '../../domain/devices/modem-reading.js';
import { type SheetEntry, sheet } from './table.js';

const NONE = '–';

const or = (text: string | null | undefined, otherwise = NONE) =>
  text === null || text === undefined || text === '' ? otherwise : text;

const simsText = (sims: readonly SimView[]) => sims.map((sim) => `${sim.slot}=${sim.number}`).join(' ');

export const batteryText = (device: Pick<DeviceView, 'battery' | 'charging'>) =>
  device.battery === null ? NONE : `${device.battery}%${device.charging ? '+' : ''}`;

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
    ['Website', or(view.website)],
    ['Colour', or(colourText(view))],
    ['Logo', or(logoText(view))],
    ['Webhook', view.webhook_url === null ? NONE : `${view.webhook_url} as ${view.webhook_format}`],
    ['Secrets', overlapText(view)],
    ['Sessions', `expire after ${counted(view.session_minutes, 'minute')}`],
    ['Payments', `may be ${counted(view.proof_window_hours, 'hour')} older than their session`],
    ['Fees', or(feesText(view.fees), 'none')],
    ['Plugin', or(view.plugin, 'none')],
    ['Answers', `${view.dialect}, meta data as ${view.metadata_as}, status in ${view.status_as} case`],
    ['Return by', view.return_type],
    ['Receipt SMS', view.receipt_sms],
    ['Since', minute(view.created_at)],
  ]);
}

/** `#ffcc00, seen as #8f7200` */
function colourText({ colour }: BrandView): string | null {
  if (colour === null) return null;
  const { light, dark } = shadesOf(colour);
  const seen = [
    light.colour === colour ? [] : `${light.colour} by day`,
    dark.colour === colour ? [] : `${dark.colour} by night`,
  ].flat();
  return seen.length === 0 ? colour : `${colour}, on the page ${seen.join(' and ')}, so that it can be seen`;
}

function logoText({ logo }: BrandView): string | null {
  if (logo === null) return null;
  const { type, width, height, bytes } = logo;
  return `${LOGO_TYPES[type] ?? type}, ${width} x ${height} pixels, ${counted(bytes, 'byte')}`;
}

const LOGO_TYPES: Readonly<Record<string, string>> = { png: 'PNG', webp: 'WebP', jpg: 'JPEG' };

function overlapText({ old_webhook_secret_dies_at: diesAt }: BrandView): string | null {
  return diesAt === null ? null : `two sign notifications until ${minute(diesAt)}, when the old one dies`;
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

const DETAIL_WORDS: readonly (readonly [keyof AccountDetails, string])[] = [
  ['bank_name', 'Bank'],
  ['holder', 'Holder'],
  ['branch', 'Branch'],
  ['routing', 'Routing'],
  ['qr', 'QR'],
  ['network', 'Network'],
  ['chain_id', 'Chain'],
  ['token', 'Token'],
  ['driver', 'Asked by'],
  ['base_url', 'At'],
  ['key', 'API key'],
];

export function accountSheet(view: AccountView): string[] {
  return sheet([
    ['Account', `${view.channel} ${view.type}`],
    ['Number', view.number],
    ...DETAIL_WORDS.map(([name, word]): SheetEntry => [word, view.details[name] ?? null]),
    ['Id', view.id],
    ['Brand', view.brand],
    ['State', view.active ? 'active' : `disabled ${minute(view.disabled_at)}`],
  ]);
}

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

export function deviceSheet(view: DeviceView): string[] {
  return sheet([
    ['Device', view.name],
    ['Id', view.id],
    ['Merchant', view.merchant],
    ['State', view.state],
    ['Last active', or(view.last_active, 'never')],
    ['Downtime', view.last_seen_at === null || view.downtime === '' ? null : view.downtime],
    ['Battery', `${batteryText(view)}${view.charging ? ' charging' : ''}`.replace('+ ', ' ')],
    ['Network', or(view.network)],
    ['Trouble', view.trouble],
    [
      'Waiting SMS',
      `${or(view.queued?.toString())} on the phone, ${view.pending_dispatches} here to be sent`,
    ],
    ['SIMs', simsText(view.sims)],
    ...view.modems.map((modem): SheetEntry => [`Modem ${modem.slot}`, modemText(modem)]),
    ['Speaks by', or(view.agent)],
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
  speak: Speak = spoken,
): string[] {
  return [
    ...sheet([
      ...about,
      [speak(say`Brand Key`), made.brand_key],
      [speak(say`Webhook secret`), made.webhook_secret],
    ]),
    '',
    speak(say`Key and secret are shown only now. Keep them on the shop's server, never in an app or page.`),
  ];
}

/** A key or secret that took the place of another. @param then what becomes of the old one. */
export function rotatedSheet(brand: string, word: string, secret: string, then: string): string[] {
  return [
    ...sheet([
      ['Brand', brand],
      [word, secret],
    ]),
    '',
    "It is shown only now. Keep it on the shop's server, never in an app or a page.",
    then,
  ];
}

type PaymentInFull = Awaited<ReturnType<typeof showPayment>>;

export function paymentSheet(view: PaymentInFull): string[] {
  const claims = view.claims.map(({ channel, reference, state, reason }): SheetEntry => {
    return ['Claim', `${channel} ${reference}: ${state.toLowerCase()} (${reason.replaceAll('_', ' ')})`];
  });
  const reviews = view.reviews.map(({ id, state, reason, channel, reference }): SheetEntry => {
    return ['Review', `${id} ${state} (${reason.replaceAll('_', ' ')}, ${channel} ${reference})`];
  });
  return sheet([
    ['Payment', view.gateway_reference],
    ['Id', view.id],
    ['Reference', view.payment_reference],
    ['Brand', view.brand],
    ['Test', view.test ? 'TEST: played, nothing of it is money' : null],
    ['Customer', view.cus_name],
    ['E-mail', view.cus_email === '' ? null : view.cus_email],
    ['Amount', `${view.amount} BDT`],
    ...view.usdt.map(({ amount_usdt, channel, receiver }): SheetEntry => {
      return ['Or', `${amount_usdt} USDT by ${channel} to ${receiver}`];
    }),
    ['Status', `${view.status} (${view.reason})`],
    ['Paid by', view.channel === null ? NONE : `${view.channel} ${or(view.transaction_id)}`],
    ['Paid in USDT', view.paid_usdt],
    ['Payer', view.payer],
    ['Paid', paidText(view)],
    ['Created', minute(view.created_at)],
    ['Expires', minute(view.expires_at)],
    ['Closed', minute(view.closed_at)],
    ['Link', view.link],
    // Of a payment link it stands below, with the labels that the customer saw.
    ['Meta data', view.meta_data === null || view.link !== null ? null : JSON.stringify(view.meta_data)],
    ...view.entered.map(({ label, value }): SheetEntry => ['Entered', `${label}: ${value}`]),
    ...hostedLines(view),
    ...claims,
    ...reviews,
    ...view.notifications.map((told): SheetEntry => ['Webhook', notificationText(told)]),
    ...view.reviews.map(({ id, state }): SheetEntry => {
      return ['Next', state === 'OPEN' ? `kashbox verifications show ${id}` : null];
    }),
  ]);
}

/** Whether the shop got one event. */
function notificationText({ id, event, state, tries }: PaymentInFull['notifications'][number]): string {
  const waits = tries === 0 ? 'waiting' : `waiting, tried ${counted(tries, 'time')}`;
  const words = { DUE: waits, DELIVERED: 'delivered', DEAD: 'given up' } as const;
  return `${event}: ${words[state]} (${id})`;
}

function paidText({ paid, fee }: PaymentInFull): string | null {
  if (paid === null) return null;
  return fee === null || fee === '0.00' ? `${paid} BDT` : `${paid} BDT, of it ${fee} fee`;
}

/** What a hosted payment has beside a headless one. */
function hostedLines(view: PaymentInFull): SheetEntry[] {
  if (view.flow === 'headless') return [];
  return [
    ['Checkout', or(view.payment_url, 'hosted; set KASHBOX_PUBLIC_URL to see its link here')],
    ['Fees', or(feesText(view.fees), 'none')],
    // A payment of a link has no shop to go back to.
    ['Success to', view.success_url === null ? null : `${view.success_url} by ${or(view.return_type)}`],
    ['Cancel to', view.cancel_url],
    ['Notify at', view.webhook_url],
  ];
}

/** `mfs_a=1.85% bank=10.00`, as `--fee` takes them. */
function feesText(fees: BrandView['fees']): string {
  return Object.entries(fees)
    .map(([channel, fee]) => `${channel}=${fee}`)
    .join(' ');
}

/** @param made keys and code that are shown this once. */
export function deviceKeysSheet(made: EnrolledDevice, speak: Speak = spoken): string[] {
  const { device, device_key, gateway_key, pairing_code, pairing_expires_at } = made;
  return [
    ...sheet([
      [speak(say`Device`), device.name],
      [speak(say`Id`), device.id],
      [speak(say`Device key`), device_key],
      [speak(say`Gateway key`), gateway_key],
      [
        speak(say`Pairing code`),
        speak(say`${pairing_code}  (works once, until ${minute(pairing_expires_at)})`),
      ],
    ]),
    '',
    speak(say`Keys and code are shown only now. The phone gets its keys by pairing.`),
  ];
}
