/** `gaps list` says what is missing and what to do about it; `gaps close` says that it is explained. */
import test from 'ava';
import { findGaps } from '../../src/actions/balance-gaps/find-gaps.js';
import { openCli } from '../helpers/programs/cli.js';
import { bkashId, openShop } from '../helpers/shop/shop.js';
import { bkash } from '../helpers/shop/sms.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';

const MINUTE = 60_000;
/** 12:31 in Bangladesh. */
const START = Date.UTC(2026, 7, 21, 6, 31);

test('gaps list shows where to look, and gaps close ends a gap', async (t) => {
  const kashbox = await openCli(t);
  const clock = testClock(START + 30 * MINUTE);
  const core = await openTestCore(t, 'sqlite', { folder: kashbox.home, clock });
  const shop = await openShop(core);
  const id = (n: number) => bkashId(START, n);
  await shop.receive(
    bkash({ amount: 'Tk 500.00', balance: 'Tk 1,500.00', id: id(1), at: '21/08/2026 12:31' }),
    bkash({ amount: 'Tk 100.00', balance: 'Tk 1,800.00', id: id(2), at: '21/08/2026 12:45' }),
  );
  clock.advance(MINUTE);
  await findGaps(core);

  const told = (await kashbox('gaps', 'list', '--open')).stdout;
  t.regex(told, /^gap_[0-9a-f]{24} {2}Alo Store, 01711000001, bKash \(mfs_a\)\n/);
  t.regex(
    told,
    / 200\.00 BDT came in between 2026-08-21 12:31 and 2026-08-21 12:45, and no SMS tells of it\.\n/,
  );
  t.regex(told, /If a payment is there, add its SMS with "kashbox sms add"/);
  const listed = await kashbox('gaps', 'list', '--merchant', 'Alo Store', '--ndjson');
  const [gap] = listed.ndjson<{ id: string; missing: string; closed_at: null }>();
  t.like(gap, { missing: '200.00', direction: 'in', closed_at: null });

  const closed = await kashbox.piped(listed.stdout, 'gaps', 'close', '-', '--note', 'Savings', '--json');
  t.like(closed.json<unknown[]>(), [{ id: gap?.id }]);
  t.regex((await kashbox('gaps', 'list', '--open')).stdout, /^There are no such gaps/);
  t.is((await kashbox('gaps', 'close', gap?.id ?? '', '--note', 'Again')).code, 4);
});
