/** How an acquirer looks from outside. Scripts rely on these names; no hash and no secret gets into one. */
import { dhakaIso } from '../../base/values/clock.js';
import type { PushMap } from '../../channels/qr-interbank/push-map.js';
import type { SignatureRule } from '../../channels/qr-interbank/push-signature.js';
import type { AcquirerAuth } from '../../domain/accounts/acquirer.js';
import type { AcquirerTable } from '../../store/schema/index.js';
import { readRules } from './acquirer-rules.js';

export interface AcquirerView {
  readonly id: string;
  readonly name: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly status: 'ACTIVE' | 'REVOKED';
  readonly auth: AcquirerAuth;
  readonly key_hint: string;
  /** Null where nothing is signed. */
  readonly signature: SignatureRule | null;
  /** Empty means any address. */
  readonly allow_ips: readonly string[];
  readonly map: PushMap;
  readonly created_at: string;
}

export function acquirerView(row: AcquirerTable & { readonly merchant: string }): AcquirerView {
  const rules = readRules(row.rules);
  return {
    id: row.id,
    name: row.name,
    merchant_id: row.merchant_id,
    merchant: row.merchant,
    status: row.revoked_at === null ? 'ACTIVE' : 'REVOKED',
    auth: row.auth,
    key_hint: row.key_hint,
    signature: row.auth === 'hmac' ? rules.signature : null,
    allow_ips: rules.allow_ips,
    map: rules.map,
    created_at: dhakaIso(row.created_at),
  };
}
