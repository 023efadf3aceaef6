/**
 * Public representation of a brand: lists of brands, and one brand with its accounts and keys. Never contains
 * a secret.
 */
import { minute } from '../../base/values/clock.js';
import { counted, orDash } from '../../base/values/text.js';
import { channelText, type PayChannel } from '../../domain/accounts/channels.js';
import { deriveShades } from '../../domain/brands/colour.js';
import { parseQuestions } from '../../domain/brands/questions.js';
import { feeText, parseFees } from '../../domain/sessions/fees.js';
import type { BrandTable } from '../../store/schema/index.js';
import { listedKeys } from '../../store/tables/access.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { listedBrands } from '../../store/tables/brands.js';
import { type AccountView, accountView } from '../accounts/account-view.js';
import type { Core } from '../core/core.js';
import { idOfMerchant, requireBrand } from '../input/require-row.js';
import { defineView, isoOrNull, type SheetEntry } from '../input/view.js';
import { type KeyView, keyView } from '../keys/keys.js';
import { logoFacts, markFacts, pictureView } from './brand-theme.js';

export type BrandView = ReturnType<typeof brandView>;

const BRAND_KINDS = ['live', 'test'] as const;
type BrandKind = (typeof BRAND_KINDS)[number];

/** @param json text of a brand's or a session's fees. @returns each in the words of `--fee`. */
export function feesView(json: string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parseFees(json)).map(([channel, fee]) => [channel, feeText(fee)]));
}

type PictureView = ReturnType<typeof pictureView>;

function marksView(row: Pick<BrandTable, 'marks'>): Readonly<Partial<Record<PayChannel, PictureView>>> {
  return Object.fromEntries(
    Object.entries(markFacts(row)).map(([channel, facts]) => [channel, pictureView(facts)]),
  );
}

type BrandRow = BrandTable & { readonly merchant: string };

/** View of a brand. The second argument is the current time, milliseconds since the epoch. */
export const brandView = defineView<BrandRow, number>()(({ same, times, taka }) => ({
  ...same('id', 'name'),
  /** `test` if the payments are simulated and do not count as money. Never changes. */
  kind: ({ test_of }): BrandKind => (test_of === null ? 'live' : 'test'),
  merchant_id: ({ merchant_id, test_of }) => test_of ?? merchant_id,
  ...same('merchant', 'mobile', 'whatsapp', 'email'),
  ...same('website', 'colour'),
  /** Logo shown to customers: its type, its size in pixels and in bytes. */
  logo: (row) => pictureView(logoFacts(row)),
  /** Own pictures of channels, in the same form, by channel. */
  marks: (row) => marksView(row),
  questions: (row) => parseQuestions(row.questions),
  ...same('video'),
  ...same('webhook_url', 'webhook_format'),
  /** During a rotation of the webhook secret: when the old one ends. */
  old_webhook_secret_expires_at: ({ old_webhook_secret_expires_at: at }, now) =>
    isoOrNull(at !== null && now < at ? at : null),
  ...same(
    'session_minutes',
    'proof_window_hours',
    'plugin',
    'dialect',
    'metadata_as',
    'status_as',
    'return_type',
  ),
  /** Fees by channel, in the form of `--fee`: `{"mfs_a":"1.85%"}`. */
  fees: (row) => feesView(row.fees),
  ...same('receipt_sms'),
  /** True if a payment may come in parts. */
  parts: (row) => row.takes_parts === 1,
  /** Taka that its API key may refund in a day; null if it may refund nothing. */
  api_refunds: taka('refund_day_limit_paisa'),
  ...times('created_at'),
}));

export const CONTACT_LINES = {
  mobile: ['Mobile', ({ mobile }: Pick<BrandView, 'mobile'>) => orDash(mobile)],
  whatsapp: ['WhatsApp', ({ whatsapp }: Pick<BrandView, 'whatsapp'>) => orDash(whatsapp)],
  email: ['E-mail', ({ email }: Pick<BrandView, 'email'>) => orDash(email)],
} as const;

export const brandSheet = brandView.sheet({
  name: 'Brand',
  id: 'Id',
  kind: null,
  merchant: 'Merchant',
  merchant_id: null,
  ...CONTACT_LINES,
  website: ['Website', ({ website }) => orDash(website)],
  colour: ['Colour', ({ colour }) => colourText(colour)],
  logo: ['Logo', ({ logo }) => pictureText(logo)],
  marks: ({ marks }) =>
    Object.entries(marks).map(([channel, mark]): SheetEntry => {
      return ['Mark', `${channelText(channel as PayChannel)}: ${pictureText(mark)}`];
    }),
  questions: ({ questions }) =>
    questions.flatMap(({ question, answer }): SheetEntry[] => [
      ['Question', question],
      ['Answer', answer],
    ]),
  video: 'Video',
  webhook_url: [
    'Webhook',
    ({ webhook_url: url, webhook_format: format }) => orDash(url === null ? null : `${url} as ${format}`),
  ],
  webhook_format: null,
  old_webhook_secret_expires_at: ['Secrets', ({ old_webhook_secret_expires_at: at }) => overlapText(at)],
  session_minutes: ['Sessions', (view) => `expire after ${counted(view.session_minutes, 'minute')}`],
  proof_window_hours: [
    'Payments',
    (view) => `may be ${counted(view.proof_window_hours, 'hour')} older than their session`,
  ],
  fees: ['Fees', ({ fees }) => feesText(fees)],
  plugin: ['Plugin', ({ plugin }) => plugin ?? 'none'],
  dialect: [
    'Answers',
    (view) => `${view.dialect}, meta data as ${view.metadata_as}, status in ${view.status_as} case`,
  ],
  metadata_as: null,
  status_as: null,
  return_type: 'Return by',
  receipt_sms: 'Receipt SMS',
  parts: ['Parts', ({ parts }) => (parts ? 'a payment may come in parts' : 'no')],
  api_refunds: [
    'API refunds',
    ({ api_refunds: taka }) => (taka === null ? 'off' : `up to ${taka} BDT a day`),
  ],
  created_at: ['Since', ({ created_at }) => minute(created_at)],
});

/** `#ffcc00, on the page #8f7200 by day, so that it can be seen` */
function colourText(colour: string | null): string {
  if (colour === null) return orDash(null);
  const { light, dark } = deriveShades(colour);
  const seen = [
    light.colour === colour ? [] : `${light.colour} by day`,
    dark.colour === colour ? [] : `${dark.colour} by night`,
  ].flat();
  return seen.length === 0 ? colour : `${colour}, on the page ${seen.join(' and ')}, so that it can be seen`;
}

const PICTURE_TYPES: Readonly<Record<string, string>> = { png: 'PNG', webp: 'WebP', jpg: 'JPEG' };

/** `PNG, 64 x 64 pixels, 812 bytes`, or a dash. */
export function pictureText(picture: PictureView): string {
  if (picture === null) return orDash(null);
  const { type, width, height, bytes } = picture;
  return `${PICTURE_TYPES[type] ?? type}, ${width} x ${height} pixels, ${counted(bytes, 'byte')}`;
}

function overlapText(diesAt: string | null): string | null {
  return diesAt === null ? null : `two sign notifications until ${minute(diesAt)}, when the old one expires`;
}

/** `mfs_a=1.85% bank=10.00`, as `--fee` takes them. */
export function feesText(fees: BrandView['fees']): string {
  const texts = Object.entries(fees).map(([channel, fee]) => `${channel}=${fee}`);
  return texts.join(' ') || 'none';
}

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first.
 * @throws KashboxError `not_found`
 */
export async function listBrands(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<BrandView[]> {
  return core.store.read(async (db) => {
    const rows = await listedBrands(db, await idOfMerchant(db, input.merchant));
    return rows.map((row) => brandView(row, core.clock.now()));
  });
}

export interface BrandInFull extends BrandView {
  /** Active ones only. */
  readonly accounts: readonly AccountView[];
  /** Living ones only. */
  readonly keys: readonly KeyView[];
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function findBrandInFull(core: Core, named: string): Promise<BrandInFull> {
  return core.store.read(async (db) => {
    const row = await requireBrand(db, named);
    const accounts = await listedAccounts(db, row.id, false);
    const keys = (await listedKeys(db, row.id)).map((key) => keyView(key, core.clock.now()));
    return {
      ...brandView(row, core.clock.now()),
      accounts: accounts.map((account) => accountView(account)),
      keys: keys.filter((key) => key.state !== 'REVOKED'),
    };
  });
}
