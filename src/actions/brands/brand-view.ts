/** How a brand looks from outside, and lists of them. No secret ever gets into it. */
import type { LogoFacts } from '../../domain/brands/logo.js';
import { feeText, readFees } from '../../domain/sessions/fees.js';
import type { BrandTable } from '../../store/schema/index.js';
import { listedBrands } from '../../store/tables/brands.js';
import type { Core } from '../core/core.js';
import { idOfMerchant } from '../input/require-row.js';
import { isoOrNull, viewOf } from '../input/view.js';
import { logoFacts } from './brand-look.js';

export type BrandView = ReturnType<typeof brandView>;

const BRAND_KINDS = ['live', 'test'] as const;
type BrandKind = (typeof BRAND_KINDS)[number];

/** @param json text of a brand's or a session's fees. @returns each in the words of `--fee`. */
export function feesView(json: string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(readFees(json)).map(([channel, fee]) => [channel, feeText(fee)]));
}

function logoView(facts: LogoFacts | null) {
  if (facts === null) return null;
  const { file, ...sizes } = facts;
  return { type: file.slice(file.indexOf('.') + 1), ...sizes };
}

type BrandRow = BrandTable & { readonly merchant: string };

/** Given the time now in milliseconds. */
export const brandView = viewOf<BrandRow, number>()(({ same, times }) => ({
  ...same('id', 'name'),
  /** `test`: its payments are played and count as no money. It never changes. */
  kind: ({ test_of }): BrandKind => (test_of === null ? 'live' : 'test'),
  merchant_id: ({ merchant_id, test_of }) => test_of ?? merchant_id,
  ...same('merchant', 'mobile', 'whatsapp', 'email'),
  ...same('website', 'colour'),
  /** What is shown to customers: its type, its size in pixels and in bytes. */
  logo: (row) => logoView(logoFacts(row)),
  ...same('webhook_url', 'webhook_format'),
  /** During a rotation of the webhook secret: when the old one ends. */
  old_webhook_secret_dies_at: ({ old_webhook_secret_dies_at: at }, now) =>
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
  /** By channel, as `--fee` takes them: `{"mfs_a":"1.85%"}`. */
  fees: (row) => feesView(row.fees),
  ...same('receipt_sms'),
  ...times('created_at'),
}));

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
