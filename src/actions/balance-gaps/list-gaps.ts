/** Gaps in the chains of balances as an operator reads them: what is missing, between which two SMS. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { listedGaps } from '../../store/tables/gaps.js';
import type { Page } from '../../store/tables/place.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireMerchant } from '../input/require-row.js';
import { momentsOf } from './scan-wallet.js';

export interface GapRow {
  readonly id: string;
  readonly merchant: string;
  readonly channel: string;
  /** The wallet's number. */
  readonly recipient: string;
  /** BDT, two decimals, always positive. */
  readonly missing: string;
  readonly direction: 'in' | 'out';
  /** The two SMS between which something is missing, by id and by time. */
  readonly before_id: string;
  readonly before_at: string;
  readonly sms_id: string;
  readonly sms_at: string;
  readonly device: string | null;
  readonly found_at: string;
  /** When a phone was asked to send again what it has, and when it had done so. */
  readonly asked_at: string | null;
  readonly answered_at: string | null;
  readonly closed_at: string | null;
  /** `sms`: what was missing came. Otherwise who closed it. */
  readonly closed_by: string | null;
}

export interface ListGaps {
  /** Identifier or name. */
  readonly merchant?: string | undefined;
  readonly open?: boolean | undefined;
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/** The newest first, in pages. @throws KashboxError `not_found` */
export async function* gapPages(core: Core, input: ListGaps): AsyncGenerator<GapRow[]> {
  const { open = false, sinceMs: since = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
      const gaps = await listedGaps(db, { merchantId: merchant?.id ?? null, open, since, ...page });
      if (gaps.length === 0) return [];
      const ids = gaps.flatMap((gap) => [gap.before_id, gap.sms_id]);
      const moments = await momentsOf(db, ids);
      return gaps.map((gap) => ({ gap, moments }));
    });
  for await (const rows of pagesOf(input.limit, read, ({ gap }) => ({ at: gap.found_at, id: gap.id }))) {
    yield rows.map(({ gap, moments }) => gapRow(gap, moments));
  }
}

/** The same as one list. */
export function listGaps(core: Core, input: ListGaps): Promise<GapRow[]> {
  return wholeList(gapPages(core, input));
}

type ListedGap = Awaited<ReturnType<typeof listedGaps>>[number];

function gapRow(gap: ListedGap, moments: ReadonlyMap<string, number>): GapRow {
  return {
    id: gap.id,
    merchant: gap.merchant,
    channel: gap.channel,
    recipient: gap.recipient,
    missing: formatTaka(Math.abs(gap.missing_paisa)),
    direction: gap.missing_paisa > 0 ? 'in' : 'out',
    before_id: gap.before_id,
    before_at: dhakaIso(moments.get(gap.before_id) ?? gap.since),
    sms_id: gap.sms_id,
    sms_at: dhakaIso(moments.get(gap.sms_id) ?? gap.found_at),
    device: gap.device,
    found_at: dhakaIso(gap.found_at),
    asked_at: isoOrNull(gap.asked_at),
    answered_at: isoOrNull(gap.answered_at),
    closed_at: isoOrNull(gap.closed_at),
    closed_by: gap.closed_by,
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : dhakaIso(ms);
}
