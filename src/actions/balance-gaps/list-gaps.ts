/**
 * Gaps in balance chains: the missing amount, and the two SMS around it. An operator who has explained a gap
 * closes it.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { audit } from '../../store/tables/audit.js';
import { closeGapRow, findGap, listedGaps } from '../../store/tables/gaps.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { collectAll, type PagedInput, paginate } from '../input/pages.js';
import { idOfMerchant } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { endGapAlert, loadSmsTimes } from './scan-wallet.js';

export type GapRow = ReturnType<typeof gapView>;

type ListedGap = Awaited<ReturnType<typeof listedGaps>>[number];

/** View of a gap. The second argument contains the times of the two SMS around the gap, by their ids. */
export const gapView = defineView<ListedGap, ReadonlyMap<string, number>>()(({ same, times }) => ({
  // The recipient is the wallet's number.
  ...same('id', 'merchant', 'channel', 'recipient'),
  /** BDT, two decimals, always positive. */
  missing: (row) => formatTaka(Math.abs(row.missing_paisa)),
  direction: (row) => (row.missing_paisa > 0 ? ('in' as const) : ('out' as const)),
  ...same('before_id'),
  before_at: (row, moments) => dhakaIso(moments.get(row.before_id) ?? row.since),
  ...same('sms_id'),
  sms_at: (row, moments) => dhakaIso(moments.get(row.sms_id) ?? row.found_at),
  ...same('device'),
  // When a phone was asked to send again what it has, and when it had done so.
  ...times('found_at', 'asked_at', 'answered_at', 'closed_at'),
  /** `sms` if the missing SMS arrived, otherwise the operator who closed the gap. */
  ...same('closed_by'),
}));

interface ListGaps extends PagedInput {
  /** Identifier or name. */
  readonly merchant?: string | undefined;
  readonly open?: boolean | undefined;
}

/** Pages of gaps, newest first. @throws KashboxError `not_found` */
export function gapPages(core: Core, input: ListGaps): AsyncGenerator<GapRow[]> {
  const { open = false, sinceMs: since = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const merchantId = await idOfMerchant(db, input.merchant);
      const gaps = await listedGaps(db, { merchantId, open, since, ...page });
      if (gaps.length === 0) return [];
      const ids = gaps.flatMap((gap) => [gap.before_id, gap.sms_id]);
      const moments = await loadSmsTimes(db, ids);
      return gaps.map((gap) => ({ gap, moments }));
    });
  return paginate(
    input,
    read,
    ({ gap }) => ({ at: gap.found_at, id: gap.id }),
    ({ gap, moments }) => gapView(gap, moments),
  );
}

export const listGaps = collectAll(gapPages);

interface CloseGap {
  readonly id: string;
  /** Explanation of the gap, one sentence; stored in the audit. */
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
        hint: 'List them with `kashbox gaps list`.',
      });
    }
    if (!(await closeGapRow(db, id, core.clock.now(), who))) {
      throw new KashboxError('state_refused', { message: 'This gap is already closed' });
    }
    await endGapAlert(core, db, gap);
    await audit(core, db, who, 'sms.gap_closed', id, { after: { missing: gap.missing_paisa, note } });
    return { id, closed_by: who };
  });
}
