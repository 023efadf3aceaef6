/** Every payment with what books want of it, the oldest first: streamed, however many there are. */
import { formatTaka } from '../../base/values/money.js';
import { formatUsdt } from '../../base/values/usdt.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { type SessionStatus, statusAt } from '../../domain/sessions/session.js';
import { type ExportedPayment, type ExportFilter, exportedPayments } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { by, pagesOf } from '../input/pages.js';
import { idOfLink, idOfLiveBrand } from '../input/require-row.js';
import { viewOf } from '../input/view.js';

export interface ExportPayments {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  readonly status?: SessionStatus | undefined;
  readonly channel?: PayChannel | undefined;
  /** Id or address of the payment link that has opened them. */
  readonly link?: string | undefined;
  /** When they were opened, milliseconds since the epoch; the end is not part of it. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Given the time in milliseconds. Amounts are BDT with two decimals, times those of Bangladesh. */
export const exportView = viewOf<ExportedPayment, number>()(({ same, times, time, taka }) => ({
  ...same('id', 'gateway_reference', 'brand'),
  status: (row, now) => statusAt(row, now).status,
  reason: (row, now): string => statusAt(row, now).reason,
  ...times('created_at'),
  completed_at: time('credited_at'),
  ...same('cus_name', 'cus_email'),
  /** The price; what was paid, the fee in it, and the rest. */
  amount: taka('amount_paisa'),
  paid: taka('paid_paisa'),
  fee: taka('fee_paisa'),
  net: (row) =>
    row.paid_paisa === null || row.fee_paisa === null ? null : formatTaka(row.paid_paisa - row.fee_paisa),
  usdt: (row) => (row.units === null ? null : formatUsdt(BigInt(row.units))),
  ...same('channel'),
  transaction_id: (row) => row.reference,
  /** The account that received, and who paid, as far as the proof says so. */
  ...same('recipient', 'payer', 'credited_by'),
  /** JSON text, as the shop has sent it; of a link's payment what was entered there. */
  ...same('meta_data', 'link'),
}));

export type ExportRow = ReturnType<typeof exportView>;

/**
 * Payments that were opened before now, each once. Every page is a reading of its own, so no daemon waits
 * and no log of the store grows; a payment that is completed meanwhile is told as it is by then.
 * @throws KashboxError `not_found` if there is no such brand or link, `state_refused` of a brand for tests
 */
export async function* exportPages(core: Core, input: ExportPayments): AsyncGenerator<ExportRow[]> {
  const now = core.clock.now();
  const filter: ExportFilter = {
    brandId: await core.store.read((db) => idOfLiveBrand(db, input.brand)),
    status: input.status ?? null,
    channel: input.channel ?? null,
    link: await core.store.read((db) => idOfLink(db, input.link)),
    from: input.sinceMs ?? 0,
    to: Math.min(input.untilMs ?? Number.POSITIVE_INFINITY, now + 1),
  };
  yield* pagesOf(
    { limit: Number.POSITIVE_INFINITY },
    (page) => core.store.read((db) => exportedPayments(db, filter, page, now)),
    by('created_at'),
    (row) => exportView(row, now),
  );
}
