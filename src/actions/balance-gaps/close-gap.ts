/** A person has looked at a gap: it is explained, and nobody need be told of it any more. */
import { KashboxError } from '../../base/errors/errors.js';
import { echoed } from '../../base/values/text.js';
import { writeAudit } from '../../store/tables/audit.js';
import { closeGapRow, findGap } from '../../store/tables/gaps.js';
import type { Core } from '../core/core.js';
import { endGapAlert } from './end-gap-alert.js';

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
    const now = core.clock.now();
    if (!(await closeGapRow(db, id, now, who))) {
      throw new KashboxError('state_refused', { message: 'This gap is closed already' });
    }
    await endGapAlert(core, db, gap);
    const { missing_paisa: missing } = gap;
    await writeAudit(db, core.random, {
      at: now,
      who,
      action: 'sms.gap_closed',
      subject: id,
      after: { missing, note },
    });
    return { id, closed_by: who };
  });
}
