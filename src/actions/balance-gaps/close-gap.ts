/** The end of a gap: a person has looked at it and it is explained, or what was missing came. */
import { KashboxError } from '../../base/errors/errors.js';
import { echoed } from '../../base/values/text.js';
import type { Db, SmsGapTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { closeGapRow, findGap, openGapsOf } from '../../store/tables/gaps.js';
import { endAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

export interface CloseGap {
  readonly id: string;
  /** What it was, in a sentence; kept in the audit. */
  readonly note: string;
  readonly who: string;
}

/** @throws KashboxError `not_found`, `state_refused` (closed before) */
export async function closeGap(core: Core, input: CloseGap): Promise<{ id: string; closed_by: string }> {
  const { note, who } = input;
  const id = input.id.trim();
  return core.store.write(async (db) => {
    const gap = await findGap(db, id);
    if (gap === undefined) {
      throw new KashboxError('not_found', {
        message: `There is no gap "${echoed(id)}"`,
        hint: 'See them all with `kashbox sms gaps`.',
      });
    }
    if (!(await closeGapRow(db, id, core.clock.now(), who))) {
      throw new KashboxError('state_refused', { message: 'This gap is closed already' });
    }
    await endGapAlert(core, db, gap);
    await audit(core, db, who, 'sms.gap_closed', id, { after: { missing: gap.missing_paisa, note } });
    return { id, closed_by: who };
  });
}

/** The alert of a wallet's gaps is over when the last is closed. @param gap as it was read before it was. */
export async function endGapAlert(core: Core, db: Db, gap: SmsGapTable): Promise<void> {
  if (gap.alert === null) return;
  const left = await openGapsOf(db, gap);
  if (!left.some(({ alert }) => alert === gap.alert)) await endAlert(core, db, gap.alert);
}
