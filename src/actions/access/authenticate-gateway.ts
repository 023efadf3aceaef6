/** Authenticates a sender by a Gateway Key, which identifies the phone. Every request reads the store. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { isIpAllowed } from '../../domain/accounts/access.js';
import { deviceByGatewayKey } from '../../store/tables/access.js';
import type { Core } from '../core/core.js';
import { requireDevice } from '../input/require-row.js';

export interface GatewayContext {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly name: string;
  /** Milliseconds since the epoch; null if the phone never called. */
  readonly lastSeenAt: number | null;
}

const GATEWAY_KEY = /^[0-9A-Za-z]{18}$/;

/**
 * The first key of an active phone counts.
 * @param input.keys in the order in which they are tried.
 * @throws KashboxError `gateway_key_missing`, `gateway_key_invalid`, `merchant_suspended`, `ip_not_allowed`
 */
export async function authenticateGateway(
  core: Core,
  input: { readonly keys: readonly string[]; readonly ip: string },
): Promise<GatewayContext> {
  if (input.keys.length === 0) throw new KashboxError('gateway_key_missing');
  for (const key of input.keys) {
    if (!GATEWAY_KEY.test(key)) continue;
    const row = await core.store.read((db) => deviceByGatewayKey.first(db, { hash: hashKey(key) }));
    if (row === undefined) continue;
    if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
    if (!isIpAllowed(input.ip, JSON.parse(row.allow_ips) as string[])) {
      throw new KashboxError('ip_not_allowed');
    }
    return { deviceId: row.id, merchantId: row.merchant_id, name: row.name, lastSeenAt: row.last_seen_at };
  }
  throw new KashboxError('gateway_key_invalid');
}

/**
 * The phone that an operator names.
 * @param named identifier or name.
 * @throws KashboxError `not_found`, `invalid_input` (several have that name), `state_refused` (revoked),
 * `merchant_suspended`
 */
export async function namedGateway(core: Core, named: string): Promise<GatewayContext> {
  const row = await core.store.read((db) => requireDevice(db, named));
  if (row.revoked_at !== null) {
    throw new KashboxError('state_refused', {
      message: `The device "${row.name}" is revoked`,
      hint: 'Send through another phone: `kashbox devices list`.',
    });
  }
  if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
  return { deviceId: row.id, merchantId: row.merchant_id, name: row.name, lastSeenAt: row.last_seen_at };
}
