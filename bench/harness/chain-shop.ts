/** A shop that is paid in USDT on the benchmark's chain, made before a daemon runs on its home. */
import { openCore } from '../../src/actions/core/core.js';
import { unitsOf } from '../../src/base/values/usdt.js';
import { quotesOn } from '../../src/store/tables/quotes.js';
import { openShop } from '../../test/helpers/shop/shop.js';
import { takeUsdt } from '../../test/helpers/shop/usdt.js';
import { hashOf, heightAt, VOTING_BLOCKS } from './chain.js';
import { inChunks, type Order, PAISA } from './shop.js';

/** Sessions cost a taka more each, so that each asks for an amount of its own. */
const STEP_PAISA = 100;

export interface Due {
  readonly session: string;
  readonly units: bigint;
}

/** @param nodes addresses in the order in which they are asked. */
export async function equipUsdt(
  home: string,
  nodes: readonly string[],
  sessions: number,
): Promise<{ readonly brandKey: string; readonly due: readonly Due[] }> {
  const core = await openCore({ folder: home, env: {} });
  try {
    const shop = await openShop(core);
    await takeUsdt(core, { brand: shop.brand.name, nodes: nodes.map((url) => ({ url })) });
    let opened = 0;
    const open = async (): Promise<Due> => {
      opened += 1;
      const session = await shop.order(PAISA + opened * STEP_PAISA);
      const quote = await core.store.read((db) => quotesOn.first(db, { session, channel: 'bep20' }));
      if (quote === undefined) throw new Error('a prepared payment cannot be paid in USDT');
      return { session, units: unitsOf(quote.amount) };
    };
    const due = await inChunks(sessions, (size) => Promise.all(Array.from({ length: size }, open)));
    return { brandKey: shop.brandKey, due };
  } finally {
    await core.close();
  }
}

let serial = 0;

/** A transfer of what is due. @param block that holds it; without one, the newest that is final. */
export function paid({ session, units }: Due, block = heightAt(Date.now()) - VOTING_BLOCKS): Order {
  serial += 1;
  return { session, reference: hashOf({ units, block }, serial) };
}
