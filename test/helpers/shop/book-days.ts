/** A shop with days of payments and wallets that tell their balances, for books: some whole, one not. */
import type { ExecutionContext } from 'ava';
import { findGaps } from '../../../src/actions/balance-gaps/find-gaps.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { DAY_MS, dhakaIso } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { openTestCore, testClock } from '../stores/engines.js';
import { bkashId, openShop } from './shop.js';
import { bkash } from './sms.js';

/** What a stranger could type, and a name as shops have it. */
export const HOSTILE = `<script>alert(1)</script> "আলো" & 'স্টোর'`;

const MINUTE = 60_000;

/**
 * Days up to today of the real clock, of which the second last misses an SMS and the last has money that
 * nobody claims. Noon of each day in Bangladesh.
 * @returns the dates, the oldest first.
 */
export async function bookDays(
  t: ExecutionContext<unknown>,
  folder: string,
  count: number,
): Promise<string[]> {
  const midnight = Date.parse(`${dhakaIso(Date.now()).slice(0, 10)}T00:00:00+06:00`);
  const clock = testClock(midnight - (count - 1) * DAY_MS + MINUTE);
  const core = await openTestCore(t, 'sqlite', { folder, clock });
  const shop = await openShop(core, HOSTILE);
  let balance = 1_000_000;
  let sent = 0;
  const text = (paisa: number) => {
    sent += 1;
    balance += paisa;
    const id = bkashId(clock.now(), sent);
    const [date = '', time = ''] = dhakaIso(clock.now()).slice(0, 16).split('T');
    const at = `${date.split('-').reverse().join('/')} ${time}`;
    return {
      id,
      body: bkash({ amount: `Tk ${formatTaka(paisa)}`, balance: `Tk ${formatTaka(balance)}`, id, at }),
    };
  };
  const dates: string[] = [];
  for (let day = 1; day <= count; day += 1) {
    dates.push(dhakaIso(clock.now()).slice(0, 10));
    const paid = text(50_000 + ((day * 7) % 5) * 12_345);
    await shop.receive(paid.body);
    const sessionId = await shop.order(50_000 + ((day * 7) % 5) * 12_345);
    await verifyClaim(core, { brand: shop.brand, sessionId, method: 'mfs_a', reference: paid.id });
    if (day === count - 1) text(20_000);
    clock.advance(MINUTE);
    await shop.receive(text(day === count ? 777 : 100).body);
    clock.advance(MINUTE);
    await findGaps(core);
    clock.advance(DAY_MS - 2 * MINUTE);
  }
  await core.close();
  return dates;
}
