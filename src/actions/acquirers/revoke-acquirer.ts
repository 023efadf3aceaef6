/** Revokes an acquirer. Its pushes and references stay. */
import { audit } from '../../store/tables/audit.js';
import { changeAcquirer } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { requireAcquirer } from '../input/require-row.js';
import { type AcquirerView, acquirerView } from './acquirer-view.js';

/**
 * One that is revoked already stays so, without an audit row.
 * @param input.acquirer identifier or name.
 * @throws KashboxError `not_found`, `invalid_input` (several merchants have one of that name)
 */
export async function revokeAcquirer(
  core: Core,
  input: { readonly acquirer: string; readonly who: string },
): Promise<AcquirerView> {
  return core.store.write(async (db) => {
    const row = await requireAcquirer(db, input.acquirer);
    if (row.revoked_at !== null) return acquirerView(row);
    const now = core.clock.now();
    await changeAcquirer(db, row.id, { revoked_at: now });
    await audit(core, db, input.who, 'acquirer.revoke', row.id, {
      before: { revoked_at: null },
      after: { revoked_at: now },
    });
    return acquirerView({ ...row, revoked_at: now });
  });
}
