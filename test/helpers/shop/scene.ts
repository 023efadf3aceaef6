/** One shop on one engine, with a clock that stands still, and money to send it. */
import type { ExecutionContext } from 'ava';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { PayChannel } from '../../../src/domain/accounts/channels.js';
import type { Engine } from '../../../src/store/schema/index.js';
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
export async function rows(
  core: Core,
  table: 'transactions' | 'claims' | 'reviews' | 'sms' | 'proofs' | 'audit' | 'notifications' | 'attempts',
) {
  return core.store.read((db) => db.query.selectFrom(table).selectAll().execute());
}

/** `money` makes the text of a payment of now, and says under which id it stands. */
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
  return { clock, core, shop, money };
}
