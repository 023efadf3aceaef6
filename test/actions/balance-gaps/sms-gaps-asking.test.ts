/** When a phone is asked for SMS that are missing, and how long it is given. */
import test from 'ava';
import { findGaps } from '../../../src/actions/balance-gaps/find-gaps.js';
import { listGaps } from '../../../src/actions/balance-gaps/list-gaps.js';
import {
  alertsOf,
  askedSince,
  MINUTE,
  resend,
  SECOND,
  START,
  till,
} from '../../helpers/shop/balance-till.js';

test('a phone is asked at most every ten minutes, then for gaps found since the last request', async (t) => {
  const { clock, core, shop, paid, look } = await till(t, 'sqlite');
  const [a, , c, , e] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 3), paid(5_000, 4)];
  await shop.receive(a, c);
  await look();
  await resend(core, shop, START);
  await shop.receive(e);
  await look();
  t.is((await listGaps(core, { limit: 10 })).length, 2);
  t.is(await askedSince(core, shop), null, 'it was asked a moment ago');
  clock.advance(10 * MINUTE);
  await findGaps(core);
  t.is(await askedSince(core, shop), START + 2 * MINUTE);
});

test('a gap before the requested period is requested at once', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const [a, , c, , e] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 3), paid(5_000, 4)];
  await shop.receive(c, e);
  await look();
  await resend(core, shop, START + 2 * MINUTE);
  await shop.receive(a);
  await look();
  t.is(await askedSince(core, shop), START);
});

test('no alert is raised for a gap before its phone was asked and had time to answer', async (t) => {
  const { clock, core, shop, paid, look } = await till(t, 'sqlite');
  const [a, b, c, , e] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 3), paid(5_000, 4)];
  await shop.receive(a, c);
  await look();
  await resend(core, shop, START, [b]);
  await shop.receive(e);
  await look();
  for (let minute = 1; minute <= 9; minute += 1) {
    clock.advance(MINUTE);
    await findGaps(core);
  }
  t.is(await askedSince(core, shop), null);
  clock.advance(MINUTE);
  await findGaps(core);
  t.is(await askedSince(core, shop), START + 2 * MINUTE);
  clock.advance(4 * MINUTE);
  await findGaps(core);
  t.deepEqual(await alertsOf(core), []);
  clock.advance(2 * MINUTE);
  await findGaps(core);
  t.like(await alertsOf(core), [{ detail: { missing: '40.00' }, isOver: false }]);
});

test('a phone that goes back less far than it was asked to is asked on', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const [a, , c] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2)];
  await shop.receive(a, c);
  await look();
  t.is((await resend(core, shop, START + SECOND)).resendSince, START);
  t.is(await askedSince(core, shop), START);
});
