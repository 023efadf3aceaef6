/** Takes a payment link out of use: it opens no payment any more. */
import { audit } from '../../store/tables/audit.js';
import { changeLink } from '../../store/tables/links.js';
import type { Core } from '../core/core.js';
import { requireLink } from '../input/require-row.js';
import { type LinkView, linkView } from './link-view.js';

/**
 * Payments that it has opened may still be paid. A link that is disabled stays so, without an audit row.
 * @param input.link its id or address. @param input.base as `ListLinks` has it.
 * @throws KashboxError `not_found`
 */
export async function disableLink(
  core: Core,
  input: { readonly link: string; readonly base: string; readonly who: string },
): Promise<LinkView> {
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const row = await requireLink(db, input.link);
    const given = { now, base: input.base };
    if (row.disabled_at !== null) return linkView(row, given);
    await changeLink(db, row.id, { disabled_at: now });
    const change = { before: { disabled_at: null }, after: { disabled_at: now } };
    await audit(core, db, input.who, 'link.disable', row.id, change);
    return linkView({ ...row, disabled_at: now }, given);
  });
}
