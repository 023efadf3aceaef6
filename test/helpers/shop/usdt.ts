/** A shop that takes USDT: a rate, and a wallet on a chain whose nodes are given. */

import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import type { Core } from '../../../src/actions/core/core.js';
import { sealPurpose } from '../../../src/actions/core/sealing.js';
import { hashKey } from '../../../src/base/io/secret.js';
import { newRowId } from '../../../src/base/values/ids.js';
import { insertNode } from '../../../src/store/tables/nodes.js';
import { SHOP } from '../outside/chain-token.js';

const who = 'test';

export interface ChainTerms {
  /** Name of the brand. */
  readonly brand: string;
  /** In the order in which they are asked. */
  readonly nodes: readonly { readonly url: string }[];
  readonly receiver?: string;
}

/** At 120 BDT for a dollar. */
export async function takeUsdt(core: Core, { brand, nodes, receiver = SHOP }: ChainTerms): Promise<void> {
  await setRate(core, { brand, rate: '120', who });
  await setAccount(core, { brand, channel: 'bep20', number: receiver, who });
  await core.store.write(async (db) => {
    const now = core.clock.now();
    for (const [priority, { url }] of nodes.entries()) {
      const id = newRowId(core.random, now, 'node');
      await insertNode(db, {
        id,
        chain_id: 56,
        origin: new URL(url).origin,
        url: core.secrets.seal(url, sealPurpose('node', id)),
        url_hash: hashKey(url),
        priority,
        batches: 1,
        created_at: now,
      });
    }
  });
}
