/** The brand of a request or command: found by its key in the daemon, by its name on the command line. */
import { KashboxError } from '../../base/errors/errors.js';
import type { Dialect, MetadataAs, StatusAs } from '../../domain/sessions/payment-record.js';
import type { ReturnMethod } from '../../domain/sessions/redirect.js';
import type { BrandTable } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import type { ThemeColumns } from './brand-theme.js';

/** Brand data shown to its customers. */
export interface BrandContact {
  readonly name: string;
  readonly mobile: string;
  readonly whatsapp: string;
  readonly email: string;
}

/** @param row a joined row in which the columns of the brand have the prefix `brand_`. */
export function toBrandContact(
  row: { readonly [Column in keyof BrandContact as `brand_${Column}`]: string },
) {
  const { brand_name: name, brand_mobile: mobile, brand_whatsapp: whatsapp, brand_email: email } = row;
  return { name, mobile, whatsapp, email };
}

export interface BrandContext extends BrandContact {
  readonly brandId: string;
  readonly merchantId: string;
  readonly sessionMinutes: number;
  readonly proofWindowHours: number;
  readonly dialect: Dialect;
  readonly metadataAs: MetadataAs;
  readonly statusAs: StatusAs;
  readonly returnType: ReturnMethod;
  /** JSON text, fees by channel (domain/sessions/fees). */
  readonly fees: string;
  /** Says which accounts it had (actions/core/account-cache). */
  readonly accountsVersion: string;
  /** The program of other people that its shop runs (domain/plugins/plugins). */
  readonly plugin: string | null;
  /** Signs of the third-party programs that have called for the brand so far (domain/plugins/plugins). */
  readonly calledBy: string;
  /** True for a test brand: its payments are simulated and do not count as money. */
  readonly isTest: boolean;
  /** True if its payments may come in parts. */
  readonly takesParts: boolean;
  /** The most that its API key may refund in a day; null if it may refund nothing. */
  readonly refundDayLimitPaisa: number | null;
}

type Unread = 'created_at' | 'receipt_sms' | keyof ThemeColumns | `${string}webhook_${string}`;

export function toBrandContext(row: Omit<BrandTable, Unread>): BrandContext {
  return {
    brandId: row.id,
    merchantId: row.merchant_id,
    name: row.name,
    mobile: row.mobile,
    whatsapp: row.whatsapp,
    email: row.email,
    sessionMinutes: row.session_minutes,
    proofWindowHours: row.proof_window_hours,
    dialect: row.dialect,
    metadataAs: row.metadata_as,
    statusAs: row.status_as,
    returnType: row.return_type,
    fees: row.fees,
    accountsVersion: row.accounts_stamp,
    plugin: row.plugin,
    calledBy: row.called_by,
    isTest: row.test_of !== null,
    takesParts: row.takes_parts === 1,
    refundDayLimitPaisa: row.refund_day_limit_paisa,
  };
}

/**
 * @param brand identifier or name.
 * @throws KashboxError `not_found`, or `merchant_suspended`: the command line refuses them too.
 */
export async function brandContext(core: Core, brand: string): Promise<BrandContext> {
  const row = await core.store.read((db) => requireBrand(db, brand));
  if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
  return toBrandContext(row);
}
