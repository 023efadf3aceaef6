/** How a brand looks from outside: what the command line prints as JSON. No secret ever gets into it. */
import { dhakaIso } from '../../base/values/clock.js';
import type { WebhookFormat } from '../../domain/notifications/notification.js';
import type { Dialect, MetadataAs } from '../../domain/sessions/dialect.js';
import { feeText, readFees } from '../../domain/sessions/fees.js';
import type { ReturnMethod } from '../../domain/sessions/redirect.js';
import type { BrandTable } from '../../store/schema/index.js';

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
