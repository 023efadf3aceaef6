/** Gives a brand a new webhook secret and ends the old one, at once or after an overlap. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { newWebhookSecret } from '../../base/values/ids.js';
import { audit } from '../../store/tables/audit.js';
import { changeBrand } from '../../store/tables/brands.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/seal-purposes.js';
import { requireBrand } from '../input/require-row.js';

interface RotatedWebhookSecret {
  readonly brand: { readonly id: string; readonly name: string };
  /** Shown once and never again. */
  readonly webhook_secret: string;
  /** Until then notifications are signed with the old one, too. */
  readonly old_secret_dies_at: string;
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
    const promised = brand.old_webhook_secret_dies_at ?? now;
    if (overlapMs > 0 && promised > now) throw overlapRuns(brand.name, promised);
    const diesAt = now + overlapMs;
    await changeBrand(db, brand.id, {
      webhook_secret: core.secrets.seal(secret, sealPurpose('webhook', brand.id)),
      old_webhook_secret: overlapMs === 0 ? null : brand.webhook_secret,
      old_webhook_secret_dies_at: overlapMs === 0 ? null : diesAt,
    });
    await audit(core, db, who, 'webhook_secret.rotate', brand.id, { after: { old_secret_dies_at: diesAt } });
    return {
      brand: { id: brand.id, name: brand.name },
      webhook_secret: secret,
      old_secret_dies_at: dhakaIso(diesAt),
    };
  });
}

function overlapRuns(brand: string, until: number): KashboxError {
  return new KashboxError('state_refused', {
    message: `Two secrets of brand "${brand}" sign until ${dhakaText(until)} (Bangladesh time) already`,
    hint: 'Rotate after that, or without --overlap, which ends every older secret at once.',
  });
}
