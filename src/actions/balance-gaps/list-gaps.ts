/** Lists gaps in balance chains: what is missing, between which two SMS. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { listedGaps } from '../../store/tables/gaps.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { type PagedInput, pagesOf, whole } from '../input/pages.js';
import { idOfMerchant } from '../input/require-row.js';
import { viewOf } from '../input/view.js';
import { momentsOf } from './scan-wallet.js';

export type GapRow = ReturnType<typeof gapView>;

type ListedGap = Awaited<ReturnType<typeof listedGaps>>[number];

/** Given the times of the two SMS between which something is missing, by their ids. */
export const gapView = viewOf<ListedGap, ReadonlyMap<string, number>>()(({ same, times }) => ({
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
  /** `sms`: what was missing came. Otherwise who closed it. */
  ...same('closed_by'),
}));

export interface ListGaps extends PagedInput {
  /** Identifier or name. */
  readonly merchant?: string | undefined;
  readonly open?: boolean | undefined;
}

/** The newest first, in pages. @throws KashboxError `not_found` */
export function gapPages(core: Core, input: ListGaps): AsyncGenerator<GapRow[]> {
  const { open = false, sinceMs: since = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const merchantId = await idOfMerchant(db, input.merchant);
      const gaps = await listedGaps(db, { merchantId, open, since, ...page });
      if (gaps.length === 0) return [];
      const ids = gaps.flatMap((gap) => [gap.before_id, gap.sms_id]);
      const moments = await momentsOf(db, ids);
      return gaps.map((gap) => ({ gap, moments }));
    });
  return pagesOf(
    input,
    read,
    ({ gap }) => ({ at: gap.found_at, id: gap.id }),
    ({ gap, moments }) => gapView(gap, moments),
  );
}

export const listGaps = whole(gapPages);
