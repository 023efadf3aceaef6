/**
 * Settles claims and money that arrived while a merchant was suspended. Chains and exchanges are rechecked by
 * recheck-claims.
 */
import { lockMerchant } from '../../store/tables/locks.js';
import { suspendedClaims, suspendedPushes } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { idPages } from '../input/pages.js';
import { NUMBER_WAITS_MS, settlePush } from '../pushes/settle-push.js';
import { notifyListeners } from '../settlement/settle-claim.js';
import { settleWaiting } from '../settlement/settle-waiting.js';
import { settleSuspendedWeak } from '../settlement/weak-money.js';

/** Number of rows per database transaction, small so that a running daemon never waits long for the store. */
const PAGE = 100;

/** Settles what is waiting. May be interrupted at any time and run again. */
export async function settleSuspended(core: Core, merchant: string): Promise<void> {
  await settleClaims(core, merchant);
  await settlePushes(core, merchant);
  const weak = await core.store.write(async (db) => {
    await lockMerchant(db, merchant);
    return settleSuspendedWeak(core, db, merchant);
  });
  notifyListeners(core, weak);
}

async function settleClaims(core: Core, merchant: string): Promise<void> {
  const pageAfter = (after: string) =>
    core.store.read((db) => suspendedClaims(db, { merchant, after, limit: PAGE }));
  for await (const page of idPages(pageAfter)) {
    const references = [...new Set(page.map(({ reference }) => reference))];
    const result = await core.store.write(async (db) => {
      await lockMerchant(db, merchant);
      return settleWaiting(core, db, merchant, references);
    });
    notifyListeners(core, result);
  }
}

async function settlePushes(core: Core, merchant: string): Promise<void> {
  const since = core.clock.now() - NUMBER_WAITS_MS;
  const pageAfter = (after: string) =>
    core.store.read((db) => suspendedPushes(db, { merchant, after, limit: PAGE, since }));
  for await (const page of idPages(pageAfter)) {
    for (const { id, channel, reference, scope, ...push } of page) {
      const result = await core.store.write(async (db) => {
        await lockMerchant(db, merchant);
        return settlePush(core, db, {
          merchantId: merchant,
          proof: { id, channel, reference, scope },
          amountPaisa: push.amount_paisa ?? 0,
          bill: push.bill,
          at: push.at,
          isDoubtful: push.settle === 'review',
        });
      });
      notifyListeners(core, result);
    }
  }
}
