/** Forms of a page that has been open too long, and of a customer who gives up. */
import test from 'ava';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { openBrowser, openCheckout, stateOf } from './browser.js';

const TYPED = 'DHL1000001';
const CLAIM = { method: 'mfs_a', transaction_id: TYPED };

test('the page comes back with what was typed and a token that fits, and the second try is taken', async (t) => {
  const { app, browser, open } = await openCheckout(t);
  for (const visitor of [browser, openBrowser(app)]) {
    const page = await open();
    const stale = visitor === browser ? 'x'.repeat(43) : await browser.tokenOf(page);
    const answer = await visitor.submit(page, 'claim', { ...CLAIM, token: stale });
    t.is(answer.statusCode, 403);
    t.is(stateOf(answer), 'open');
    t.true(answer.body.includes(BN.problems.stale_form));
    t.true(answer.body.includes(`>${TYPED}</textarea>`));
    const [, fresh = ''] = /name="token" value="([\w-]{43})"/.exec(answer.body) ?? [];
    t.is((await visitor.submit(page, 'claim', { ...CLAIM, token: fresh })).statusCode, 303);
  }
});

test('of a bank form the page says that the slip must be chosen again', async (t) => {
  const { app, core, open } = await openCheckout(t);
  await setAccount(core, {
    brand: 'Alo Store',
    channel: 'bank',
    type: 'main',
    number: '1234567890123',
    details: { bank_name: 'City Bank', holder: 'Alo Store Ltd' },
    who: 'test',
  });
  const page = await open();
  const visitor = openBrowser(app);
  const answer = await visitor.upload(page, { reference: 'FT77', token: 'old' }, Buffer.alloc(100_000, 1));
  t.is(answer.statusCode, 403);
  t.true(answer.body.includes(BN.problems.stale_upload));
  t.true(answer.body.includes('>FT77</textarea>'));
});

test('a payment is not cancelled by it, and what is over says so without a problem', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const kept = await browser.submit(page, 'cancel', { token: 'old' });
  t.deepEqual([kept.statusCode, stateOf(kept)], [403, 'open']);
  t.false(kept.body.includes('role="alert"'));
  const odd = await browser.submit(page, 'claim', { ...CLAIM, method: 'bep20', token: 'old' });
  t.deepEqual([odd.statusCode, odd.body.includes('role="alert"')], [403, false]);
});

test('each is counted as a failure of its address', async (t) => {
  const { browser, open } = await openCheckout(t, { env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '2' } });
  const page = await open();
  const codes: number[] = [];
  for (const form of ['claim', 'cancel', 'bank'] as const)
    codes.push((await browser.submit(page, form, { ...CLAIM, token: 'old' })).statusCode);
  t.deepEqual(codes, [403, 403, 429]);
});

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

test('a payment under review is not cancelled, even from a page opened earlier', async (t) => {
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
