/**
 * How an account looks from outside: what the command line prints as JSON. No credential ever gets into it.
 */
import { dhakaIso } from '../../base/values/clock.js';
import { type AccountDetails, readDetails } from '../../domain/accounts/account-details.js';

import type { AccountTable } from '../../store/schema/index.js';

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
