/** Money that came in and that no payment has used: what a dashboard shows of it. Only reads. */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { newestUnclaimed, tellingText } from '../../store/tables/money.js';
import type { Core } from '../core/core.js';
import { viewOf } from '../input/view.js';

type Found = Omit<Awaited<ReturnType<typeof newestUnclaimed.all>>[number], 'count' | 'paisa'>;

const unclaimedView = viewOf<Found>()(({ same, times, time, taka }) => ({
  ...same('id'),
  /** When the money moved, and when its SMS or push came here. */
  ...times('at'),
  came_at: time('created_at'),
  ...same('channel'),
  /** BDT; null where the text gave none that could be read safely. */
  amount: taka('amount_paisa'),
  ...same('reference', 'payer', 'recipient'),
  /** `auto`: a claim of it is paid at once; `review`: a person is asked first. */
  ...same('settle'),
  /** The phone, or the bank connection, that told of it. */
  told_by: (row) => row.device ?? row.acquirer,
}));

/** @returns the newest first, at most `limit`, with number and sum of all that were found. */
export async function listUnclaimed(core: Core, limit: number) {
  const rows = await core.store.read((db) => newestUnclaimed.all(db, { limit }));
  return {
    count: Number(rows[0]?.count ?? 0),
    sum: formatTaka(Number(rows[0]?.paisa ?? 0)),
    latest: rows.map((row) => unclaimedView(row)),
  };
}

/** What tells of the money, word for word, and what it has paid by now. @throws KashboxError `not_found` */
export async function showUnclaimed(core: Core, id: string) {
  const row = await core.store.read((db) => tellingText(db, id));
  if (row !== undefined) {
    const { sender, body, payment } = row;
    return { ...unclaimedView(row), payment, sender, body };
  }
  throw new KashboxError('not_found', {
    message: `There is no money "${echoed(id)}"`,
    hint: 'See it with `kashbox sms list --unmatched` and `kashbox pushes list --unmatched`.',
  });
}
