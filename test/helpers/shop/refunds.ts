/** Refunds that were sent, for tests of what reads them. */
import type { Core } from '../../../src/actions/core/core.js';
import { completeRefund } from '../../../src/actions/refunds/complete-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { requireRefund } from '../../../src/actions/refunds/list-refunds.js';

/**
 * Creates a refund of a payment or of money, and completes it by a transfer that costs 5 taka.
 * @param amountPaisa default: all that was paid without fees.
 * @returns its id.
 */
export async function refundSent(core: Core, of: string, amountPaisa?: number): Promise<string> {
  const [made] = await createRefund(core, { of, amountPaisa, note: 'returned goods', who: 'test' });
  const id = made?.id ?? '';
  const transfer = { reference: `DKL8${id.slice(-6)}`, feePaisa: 500, sentId: null, who: 'rule' };
  await core.store.write(async (db) => completeRefund(core, db, await requireRefund(db, id), transfer));
  return id;
}
