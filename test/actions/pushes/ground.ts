/** A shop that is paid through a bank, and how its payments stand. */
import type { ExecutionContext } from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank } from '../../helpers/shop/bank.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore, testClock } from '../../helpers/stores/engines.js';

export async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  return { clock, core, shop, bank: await openBank(core, shop) };
}

/** @returns state and reason of a session. */
export const statusOf = async (core: Core, id: string) => {
  const row = await core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select(['status', 'reason']).executeTakeFirst(),
  );
  return `${row?.status} ${row?.reason}`;
};
