/** Authenticates a brand. The store is asked for every request, so a change takes effect at once. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { isIpAllowed } from '../../domain/accounts/access.js';
import { brandByKey } from '../../store/tables/access.js';
import { type BrandContext, contextOf } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';

/**
 * The first credential that names an active brand is used; clients in the wild send placeholders beside it.
 * @param input.credentials in the order in which they are tried (domain/accounts/access, `credentialsOf`).
 * @throws KashboxError `key_missing`, `key_invalid`, `merchant_suspended`, `ip_not_allowed`
 */
export async function authenticateBrand(
  core: Core,
  input: { readonly credentials: readonly string[]; readonly ip: string },
): Promise<BrandContext> {
  if (input.credentials.length === 0) throw new KashboxError('key_missing');
  const now = core.clock.now();
  let suspended = false;
  for (const key of input.credentials) {
    const row = await core.store.read((db) => brandByKey.first(db, { hash: hashKey(key), now }));
    if (row === undefined) continue;
    if (row.merchant_status === 'SUSPENDED') {
      suspended = true;
      continue;
    }
    if (row.allow_ips !== '[]' && !isIpAllowed(input.ip, JSON.parse(row.allow_ips) as string[])) {
      throw new KashboxError('ip_not_allowed');
    }
    return contextOf(row);
  }
  throw new KashboxError(suspended ? 'merchant_suspended' : 'key_invalid');
}
