/**
 * The secrets that sign a brand's notifications: opened, and replaced by new ones. Only the commands that set
 * up a shop print them (connect-brand).
 */

import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { newWebhookSecret } from '../../base/values/ids.js';
import type { BrandTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { changeBrand } from '../../store/tables/brands.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { requireBrand } from '../input/require-row.js';

/** Stored columns of the webhook secrets, sealed. */
export type SealedSecrets = Pick<
  BrandTable,
  'webhook_secret' | 'old_webhook_secret' | 'old_webhook_secret_expires_at'
> & { readonly brand_id: string };

/** @param at milliseconds since the epoch. @returns the brand's secret, and the old one while it is valid. */
export function validSecrets(core: Core, brand: SealedSecrets, at: number): string[] {
  const { webhook_secret: present, old_webhook_secret: old, old_webhook_secret_expires_at: diesAt } = brand;
  const sealed = old !== null && diesAt !== null && at < diesAt ? [present, old] : [present];
  return sealed.map((text) => core.secrets.open(text, sealPurpose('webhook', brand.brand_id)));
}

/**
 * @param named identifier or name of a brand.
 * @param at when it signed, milliseconds since the epoch.
 * @throws KashboxError `not_found`, `secret_unreadable`
 */
export async function secretsOfBrand(core: Core, named: string, at: number): Promise<string[]> {
  const brand = await core.store.read((db) => requireBrand(db, named));
  return validSecrets(core, { ...brand, brand_id: brand.id }, at);
}

interface RotatedWebhookSecret {
  readonly brand: { readonly id: string; readonly name: string };
  /** New secret, shown only once. */
  readonly webhook_secret: string;
  /** Time until which notifications are also signed with the old secret, ISO 8601. */
  readonly old_secret_expires_at: string;
}

/** Longest overlap; a longer one would be forgotten. */
const MAX_OVERLAP_MS = 7 * 86_400_000;

/**
 * There are never three secrets, and none ends early unless no overlap is requested.
 * @param input.brand identifier or name.
 * @param input.overlapMs how long the old secret signs as well; 0 ends every older one with this call.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused` (another overlap still runs)
 */
export async function rotateWebhookSecret(
  core: Core,
  input: { readonly brand: string; readonly overlapMs: number; readonly who: string },
): Promise<RotatedWebhookSecret> {
  const { overlapMs, who } = input;
  if (overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
    refuse(
      'overlap may be at most 7 days',
      'Give a shorter time such as 24h, or leave it out to end the old secret now.',
    );
  }
  const secret = newWebhookSecret(core.random);
  return core.store.write(async (db) => {
    const named = await requireBrand(db, input.brand);
    // Of two rotations at once the second must keep as old what the first has made.
    await lockMerchant(db, named.merchant_id);
    const brand = await requireBrand(db, named.id);
    const now = core.clock.now();
    const promised = brand.old_webhook_secret_expires_at ?? now;
    if (overlapMs > 0 && promised > now) throw overlapRuns(brand.name, promised);
    const diesAt = now + overlapMs;
    await changeBrand(db, brand.id, {
      webhook_secret: core.secrets.seal(secret, sealPurpose('webhook', brand.id)),
      old_webhook_secret: overlapMs === 0 ? null : brand.webhook_secret,
      old_webhook_secret_expires_at: overlapMs === 0 ? null : diesAt,
    });
    await audit(core, db, who, 'webhook_secret.rotate', brand.id, {
      after: { old_secret_expires_at: diesAt },
    });
    return {
      brand: { id: brand.id, name: brand.name },
      webhook_secret: secret,
      old_secret_expires_at: dhakaIso(diesAt),
    };
  });
}

function overlapRuns(brand: string, until: number): KashboxError {
  return new KashboxError('state_refused', {
    message: `Brand "${brand}" already has two secrets that sign until ${dhakaText(until)} (Bangladesh time)`,
    hint: 'Rotate after that, or without --overlap, which expires older secrets immediately.',
  });
}
