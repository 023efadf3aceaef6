/** One shop on one engine, with a clock that stands still, and money to send it. */

import type { ExecutionContext } from 'ava';
import type { Selectable } from 'kysely';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { completeRefund } from '../../../src/actions/refunds/complete-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { requireRefund } from '../../../src/actions/refunds/list-refunds.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { PayChannel } from '../../../src/domain/accounts/channels.js';
import type { Engine, Schema } from '../../../src/store/schema/index.js';
import { openTestCore, type TestClock, testClock } from '../stores/engines.js';
import { bkashId, bkashText, openShop, type Shop } from './shop.js';

/** The outcome of a verification as one word: what was answered, or the code that was thrown. */
export async function answer(
  core: Core,
  shop: Shop,
  sessionId: string,
  reference: string,
  method: PayChannel = 'mfs_a',
) {
  try {
    return (await verifyClaim(core, { brand: shop.brand, sessionId, method, reference })).outcome;
  } catch (error) {
    if (isKashboxError(error)) return error.code;
    throw error;
  }
}

/** Every row of a table, for counting. */
export function rows<Table extends keyof Schema>(
  core: Core,
  table: Table,
): Promise<Selectable<Schema[Table]>[]> {
  const all = core.store.read((db) =>
    db.query
      .selectFrom(table as keyof Schema)
      .selectAll()
      .execute(),
  );
  return all as Promise<Selectable<Schema[Table]>[]>;
}

/**
 * `money` makes the text of a payment of now, and says under which id it stands; `receive` brings the text to
 * the shop's phone, too.
 */
export async function scene(t: ExecutionContext<unknown>, engine: Engine, env: Record<string, string> = {}) {
  const clock: TestClock = testClock();
  const core = await openTestCore(t, engine, { clock, env });
  const shop = await openShop(core);
  let next = 0;
  const money = (taka: string, change: { at?: number; trxId?: string; ref?: string } = {}) => {
    next += 1;
    const at = change.at ?? clock.now();
    const trxId = change.trxId ?? bkashId(at, next);
    return {
      trxId,
      text: bkashText({ taka, trxId, at, ...(change.ref === undefined ? {} : { ref: change.ref }) }),
    };
  };
  const receive = async (...sent: Parameters<typeof money>) => {
    const { trxId, text } = money(...sent);
    await shop.receive(text);
    return trxId;
  };
  return { clock, core, shop, money, receive };
}

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
