/** Ends one Brand Key now, as when it has leaked. */
import { endKey } from '../../store/tables/access.js';
import { writeAudit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { requireKey } from '../input/require-row.js';
import { type KeyView, keyView } from './key-view.js';

/**
 * A key that is dead already stays so, without an audit row.
 * @throws KashboxError `not_found`
 */
export async function revokeKey(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<KeyView> {
  return core.store.write(async (db) => {
    const row = await requireKey(db, input.id);
    const now = core.clock.now();
    if (row.dies_at !== null && row.dies_at <= now) return keyView(row, now);
    await endKey(db, row.id, now);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'key.revoke',
      subject: row.id,
      before: { brand: row.brand_id, dies_at: row.dies_at },
      after: { brand: row.brand_id, dies_at: now },
    });
    return keyView({ ...row, dies_at: now }, now);
  });
}
