/** A customer gives up. */
import test from 'ava';
import { openCheckout, stateOf } from './browser.js';

test("giving up ends the payment and leads to the shop's cancel address", async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const answer = await browser.submit(page, 'cancel');
  t.is(answer.statusCode, 303);
  t.is(answer.headers.location, `${page}?now=1`);
  const over = await browser.visit(`${page}?now=1`);
  t.is(stateOf(over), 'cancelled');
  t.regex(over.body, /url=https:\/\/shop\.example\.com\/cart\?[^"]*status=failed/);
});

test('a payment that a person looks at is not given up, also from a page that was open before', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  await core.store.write((db) => db.query.updateTable('sessions').set({ reason: 'review' }).execute());
  const answer = await browser.submit(page, 'cancel', { token });
  t.deepEqual([answer.statusCode, answer.headers.location], [303, page]);
  t.is(stateOf(await browser.visit(page)), 'review');
});

test('giving up twice, or after the time is over, changes nothing more', async (t) => {
  const { browser, open, clock } = await openCheckout(t);
  const [first, second] = [await open(), await open()];
  const tokens = [await browser.tokenOf(first), await browser.tokenOf(second)];
  await browser.submit(first, 'cancel', { token: tokens[0] ?? '' });
  t.is((await browser.submit(first, 'cancel', { token: tokens[0] ?? '' })).headers.location, first);
  clock.advance(3_600_001);
  t.is((await browser.submit(second, 'cancel', { token: tokens[1] ?? '' })).headers.location, second);
  t.is(stateOf(await browser.visit(second)), 'expired');
});
