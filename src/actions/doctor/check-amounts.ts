/** Checks whether USDT amounts run out: each open payment to one address needs its own amount. */
import { say } from '../../base/values/say.js';
import { formatSteps } from '../../base/values/usdt.js';
import { isOnChain } from '../../domain/accounts/channels.js';
import { amountClustersOf } from '../../domain/matching/quote.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { heldAmounts } from '../../store/tables/quotes.js';
import type { Core } from '../core/core.js';
import { type Finding, warn } from './check.js';

export const AMOUNTS_REMEDY = say`An amount is held while its payment is open and an hour longer: let payments live shorter (kashbox brands update --session-minutes 30), or give each brand an address of its own (kashbox accounts set --channel bep20).`;

export async function checkAmounts(core: Core): Promise<Finding[]> {
  const held = await core.store.read(async (db) => {
    const accounts = (await listedAccounts(db, null, false)).filter(({ channel }) => isOnChain(channel));
    const receivers = [...new Set(accounts.map(({ number }) => number))];
    return receivers.length === 0 ? [] : heldAmounts(db, receivers);
  });
  const amounts = new Map<string, { readonly receiver: string; readonly steps: number[] }>();
  for (const { merchant_id, receiver, amount } of held) {
    const name = `${merchant_id} ${receiver}`;
    const present = amounts.get(name) ?? { receiver, steps: [] };
    present.steps.push(Number(amount));
    amounts.set(name, present);
  }
  return [...amounts.values()].flatMap(({ receiver, steps }) =>
    amountClustersOf(steps).map((cluster) => {
      const many = say`${cluster.held} of the ${cluster.all} amounts from ${formatSteps(cluster.wanted)} USDT on are held`;
      const then = say`once all are, new payments of that price are not offered bep20`;
      return warn(`amounts at ${receiver}`, say`${many}; ${then}`, AMOUNTS_REMEDY);
    }),
  );
}
