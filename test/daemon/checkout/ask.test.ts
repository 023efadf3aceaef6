/** The form by which a customer sends a claim to the seller. */
import test from 'ava';
import { ASK_AFTER_MS } from '../../../src/actions/claims/send-to-seller.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { openBrowser, openCheckout } from './browser.js';

test('money that differs is sent to the seller from the page that says so', async (t) => {
  const { browser, open, shop, clock, core } = await openCheckout(t);
  const page = await open();
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka: '480.00', trxId, at: clock.now() }));
  const refused = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  t.is(refused.statusCode, 422);
  t.true(refused.body.includes(`action="${page}/ask"`));
  const sent = await browser.submit(page, 'ask', { method: 'mfs_a', transaction_id: trxId, note: 'sorry' });
  t.is(sent.statusCode, 303);
  t.is(sent.headers.location, `${page}?now=1`);
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'review' });
  t.true((await browser.visit(page)).body.includes(trxId), "the browser that sent it is the payer's");
  const [review] = await listReviews(core, { state: 'OPEN', limit: 10 });
  t.like(review, { reason: 'customer_asked', seen_amount: '480.00', customer_note: 'sorry' });
});

test('a claim that waits is sent after a minute, and before that the page is shown again', async (t) => {
  const { browser, open, clock, core } = await openCheckout(t);
  const page = await open();
  const given = { method: 'mfs_a', transaction_id: bkashId(clock.now(), 1) };
  await browser.submit(page, 'claim', given);
  t.is((await browser.submit(page, 'ask', given)).headers.location, page);
  clock.advance(ASK_AFTER_MS);
  t.is((await browser.submit(page, 'ask', given)).headers.location, `${page}?now=1`);
  t.is((await browser.visit(`${page}/ask`)).headers.location, page);
  t.is((await listReviews(core, { state: 'OPEN', limit: 10 })).length, 1);
});

test('a form without our token, of another site or of nothing at all changes nothing', async (t) => {
  const { app, browser, open, clock, core } = await openCheckout(t);
  const page = await open();
  const given = { method: 'mfs_a', transaction_id: bkashId(clock.now(), 1) };
  await browser.submit(page, 'claim', given);
  clock.advance(ASK_AFTER_MS);
  const stranger = openBrowser(app);
  const token = await browser.tokenOf(page);
  t.is((await stranger.submit(page, 'ask', { ...given, token })).statusCode, 403);
  t.is((await browser.submit(page, 'ask', given, { 'sec-fetch-site': 'cross-site' })).statusCode, 403);
  for (const fields of [{}, { method: 'mfs_z' }, { method: 'mfs_a', transaction_id: 'x'.repeat(9_000) }]) {
    t.is((await browser.submit(page, 'ask', fields)).headers.location, page);
  }
  const lost = '/api/execute/00000000000000000000000000000000';
  t.is((await browser.submit(lost, 'ask', { ...given, token })).statusCode, 403);
  t.deepEqual(await listReviews(core, { state: 'OPEN', limit: 10 }), []);
});

test('an id is sent by the browser that gave it, and by no other that has the link', async (t) => {
  const { app, browser, open, clock, core } = await openCheckout(t);
  const page = await open();
  const given = { method: 'mfs_a', transaction_id: bkashId(clock.now(), 1) };
  await browser.submit(page, 'claim', given);
  clock.advance(ASK_AFTER_MS);
  const other = openBrowser(app);
  t.is((await other.submit(page, 'ask', given)).headers.location, page);
  t.deepEqual(await listReviews(core, { state: 'OPEN', limit: 10 }), []);
  t.is((await browser.submit(page, 'ask', given)).headers.location, `${page}?now=1`);
  t.is((await listReviews(core, { state: 'OPEN', limit: 10 })).length, 1);
});
