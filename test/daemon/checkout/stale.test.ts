/** Forms of our own page whose token does not fit any more: open for days, or a browser without cookies. */
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
