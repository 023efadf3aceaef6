/** The alert of a wallet's gaps is over when the last of them is closed. */
import type { Db, SmsGapTable } from '../../store/schema/index.js';
import { openGapsOf } from '../../store/tables/gaps.js';
import { endAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

/** @param gap as it was read before it was closed. */
export async function endGapAlert(core: Core, db: Db, gap: SmsGapTable): Promise<void> {
  if (gap.alert === null) return;
  const left = await openGapsOf(db, gap);
  if (!left.some(({ alert }) => alert === gap.alert)) await endAlert(core, db, gap.alert);
}
