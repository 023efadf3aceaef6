/**
 * Whether two merchants say of one wallet, address or code that it is theirs: only one of them is paid there.
 */
import { say } from '../../base/values/say.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { allMerchants } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { type Finding, fail } from './check.js';

/** @returns nothing where all is well. */
export async function checkTenants(core: Core): Promise<Finding[]> {
  const { accounts, names } = await core.store.read(async (db) => ({
    // A bank account is looked at by people alone.
    accounts: (await listedAccounts(db, null, false)).filter(
      ({ channel, test_of }) => CHANNEL[channel].kind !== 'manual' && test_of === null,
    ),
    names: new Map((await allMerchants(db)).map(({ id, name }) => [id, name])),
  }));
  const claimed = new Map<string, typeof accounts>();
  for (const account of accounts) {
    const place = `${account.channel} ${account.number}`;
    claimed.set(place, [...(claimed.get(place) ?? []), account]);
  }
  return [...claimed.values()].flatMap((same) => {
    const [first] = same;
    const merchants = [...new Set(same.map(({ merchant_id }) => merchant_id))];
    if (first === undefined || merchants.length < 2) return [];
    const who = merchants.map((id) => names.get(id) ?? id).join(' and ');
    const ids = same.map(({ id }) => id).join(' or ');
    return [
      fail(
        `account ${first.number}`,
        say`${who} both say that they are paid there on ${first.channel}: their payments go to review where both claim one`,
        say`Disable the account of the one who is not: kashbox accounts disable ${ids}`,
      ),
    ];
  });
}
