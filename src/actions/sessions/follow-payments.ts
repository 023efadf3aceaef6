/** Follows what happens to payments: as they open, complete, go to review or fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRowId } from '../../base/values/ids.js';
import type { Db } from '../../store/schema/index.js';
import { paymentMoves } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { type PaymentRow, type PaymentView, payments, paymentView } from './payment-view.js';

type PaymentEvent = 'opened' | 'completed' | 'review' | 'failed';

const EVENTS: Readonly<Record<string, PaymentEvent>> = {
  'payment.credit': 'completed',
  'payment.approve': 'completed',
  'payment.review': 'review',
  'payment.cancel': 'failed',
  'payment.expire': 'failed',
  'payment.reject': 'failed',
};

interface PaymentChange {
  /** Id of the audit entry, or of the session for `opened`. Each key is reported once. */
  readonly key: string;
  readonly at: number;
  readonly event: PaymentEvent;
  readonly session: string;
}

/** One line of `kashbox payments tail`: what happened, and the payment as it is now. */
export const paymentChangeView = defineView<PaymentChange, PaymentView>()(({ same, times }) => ({
  ...times('at'),
  ...same('event'),
  payment: (_, payment) => payment,
}));

/** Overlap of two reads, ms: another process may commit a row after a row with a later id. */
const OVERLAP_MS = 10_000;

interface FollowPayments {
  /** Identifier or name; undefined for all but test brands. */
  readonly brand?: string | undefined;
  /** Time of the first events to report, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Interval between two reads of the store, ms. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** Reports each event once, in order, until the signal is aborted. @throws KashboxError `not_found` */
export async function* followPayments(core: Core, input: FollowPayments) {
  const { brand, sinceMs, everyMs, signal } = input;
  const brandId =
    brand === undefined ? null : await core.store.read(async (db) => (await requireBrand(db, brand)).id);
  let told = new Set<string>();
  for (let from = sinceMs; !signal.aborted; ) {
    // Before the reading: a reader that was stopped for a while must miss nothing of that time.
    const asked = core.clock.now();
    const news = await core.store.read((db) => happenedSince(db, from, brandId));
    const seen = new Set(news.map(({ key }) => key));
    for (const { row, ...one } of news) {
      if (told.has(one.key) || signal.aborted) continue;
      yield paymentChangeView(one, paymentView(row, { core, now: core.clock.now() }));
    }
    told = seen;
    from = Math.max(sinceMs, asked - OVERLAP_MS);
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

async function happenedSince(db: Db, from: number, brandId: string | null) {
  const moves = (await paymentMoves(db, firstRowId('audit', from))).flatMap(
    ({ id, at, action, subject }): PaymentChange[] => {
      const event = EVENTS[action];
      return event === undefined ? [] : [{ key: id, at, event, session: subject }];
    },
  );
  const opened = await payments(db).where('s.created_at', '>=', from).execute();
  const known = new Map<string, PaymentRow>(opened.map((row) => [row.id, row]));
  const others = [...new Set(moves.map(({ session }) => session))].filter((id) => !known.has(id));
  for (const row of others.length === 0 ? [] : await payments(db).where('s.id', 'in', others).execute())
    known.set(row.id, row);
  const all: PaymentChange[] = [
    ...opened.map(({ id, created_at: at }) => ({ key: id, at, event: 'opened' as const, session: id })),
    ...moves,
  ];
  return all
    .sort((one, other) => one.at - other.at)
    .flatMap((one) => {
      const row = known.get(one.session);
      if (row === undefined) return [];
      const isWanted = brandId === null ? row.test_of === null : row.brand_id === brandId;
      return isWanted ? [{ ...one, row }] : [];
    });
}
