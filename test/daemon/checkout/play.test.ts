/** The page of a test brand plays the wallets; that of a live brand does not, whatever is posted to it. */
import test, { type ExecutionContext } from 'ava';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { openCheckout, PAGES, RETURN, stateOf } from './browser.js';

async function openTestPage(t: ExecutionContext) {
  const on = await openCheckout(t);
  const { core, shop } = on;
  await createBrand(core, { merchant: shop.merchantId, name: 'Test shop', test: true, who: 'test' });
  const openTest = async (paisa = 50_000) => {
    const session = await createSession(core, {
      ...{ brand: await brandContext(core, 'Test shop'), hosted: RETURN, amountPaisa: paisa },
      ...{ cusName: 'Customer', cusEmail: '', metaJson: null },
    });
    return `${PAGES}/${session.id}`;
  };
  const idOf = (page: string) => page.slice(-32);
  return { ...on, openTest, idOf };
}

const english = { headers: { 'accept-language': 'en' } };

test('a test payment says on each of its pages that it is a test, and a real one on none', async (t) => {
  const { browser, open, openTest } = await openTestPage(t);
  const [page, real] = [await openTest(), await open()];
  for (const [language, texts] of [
    ['en', EN],
    ['bn', BN],
  ] as const) {
    const headers = { 'accept-language': language };
    for (const zipped of [{}, { 'accept-encoding': 'gzip' }]) {
      const shown = await browser.visit(page, { headers: { ...headers, ...zipped } });
      const { gunzipSync } = await import('node:zlib');
      const body = 'accept-encoding' in zipped ? gunzipSync(shown.rawPayload).toString() : shown.body;
      t.true(body.includes(texts.played.band));
      for (const channel of MFS_CHANNELS) t.true(body.includes(texts.played.button(texts.channels[channel])));
    }
    const { body } = await browser.visit(real, { headers });
    t.false(body.includes(texts.played.band) || body.includes('/play'));
  }
  await browser.submit(page, 'play', { method: 'mfs_a' });
  t.true((await browser.visit(page, english)).body.includes(EN.played.band));
});

test('each wallet can be played, and the customer goes back to the shop as with real money', async (t) => {
  const { browser, core, openTest, idOf } = await openTestPage(t);
  for (const method of MFS_CHANNELS) {
    const page = await openTest();
    const answer = await browser.submit(page, 'play', { method, as: 'exact' });
    t.deepEqual([answer.statusCode, answer.headers.location], [303, `${page}?now=1`], method);
    const over = await browser.visit(`${page}?now=1`);
    t.is(stateOf(over), 'completed');
    const { transaction_id: id, test: isTest, channel } = await showPayment(core, idOf(page));
    t.deepEqual([channel, isTest], [method, true]);
    t.true(over.body.includes(`transactionId=${id}`) && over.body.includes('status=completed'));
    // A form that comes twice pays once.
    const again = await browser.submit(page, 'play', {
      method,
      token: await browser.tokenOf(await openTest()),
    });
    t.is(again.statusCode, 403);
  }
});

test('a mismatch is shown at the field, as with real money', async (t) => {
  const { browser, openTest } = await openTestPage(t);
  for (const [as, text] of [
    // The wallet's reference names the payment, so that both sums may be named.
    ['less', 'We received '],
    ['other_type', EN.disagrees.account_type],
    ['old', EN.disagrees.time],
  ] as const) {
    const page = await openTest();
    const answer = await browser.submit(page, 'play', { method: 'mfs_a', as });
    t.deepEqual([answer.statusCode, answer.headers.location], [303, page]);
    const shown = await browser.visit(page, english);
    t.is(stateOf(shown), 'open');
    t.true(shown.body.includes(text), as);
  }
  const more = await openTest();
  await browser.submit(more, 'play', { method: 'mfs_b', as: 'more' });
  t.is(stateOf(await browser.visit(more)), 'review');
});

test('nothing is played for a real payment, whatever is posted, and it stays as it is', async (t) => {
  const { browser, core, open, openTest, idOf } = await openTestPage(t);
  const [real, page] = [await open(), await openTest()];
  const tokens = [await browser.tokenOf(real), await browser.tokenOf(page)];
  for (const token of tokens) {
    for (const method of [...MFS_CHANNELS, 'bank', 'bep20', '']) {
      const answer = await browser.submit(real, 'play', { method, as: 'exact', token: token ?? '' });
      t.is(answer.statusCode, 403);
    }
  }
  t.is((await showPayment(core, idOf(real))).status, 'PENDING');
  t.deepEqual(await core.store.read((db) => db.query.selectFrom('sms').selectAll().execute()), []);
});

test('a form without its token, from another site or of an unknown play changes nothing', async (t) => {
  const { browser, core, openTest, idOf } = await openTestPage(t);
  const page = await openTest();
  const answers = [
    await browser.submit(page, 'play', { method: 'mfs_a', token: 'wrong' }),
    await browser.submit(page, 'play', { method: 'mfs_a' }, { origin: 'https://evil.example' }),
    await browser.submit(page, 'play', { method: 'mfs_a', as: 'unclaimed' }),
    await browser.submit(page, 'play', { method: 'bep20', as: 'exact' }),
  ];
  t.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [403, 403, 403, 403],
  );
  t.is((await showPayment(core, idOf(page))).status, 'PENDING');
});

test('while its merchant is suspended, a test brand is, too', async (t) => {
  const { browser, core, shop, openTest } = await openTestPage(t);
  const page = await openTest();
  const token = await browser.tokenOf(page);
  const become = (status: 'ACTIVE' | 'SUSPENDED') =>
    changeMerchantStatus(core, { merchant: shop.merchantId, status, who: 'test' });
  await become('SUSPENDED');
  t.is((await browser.submit(page, 'play', { method: 'mfs_a', token })).statusCode, 403);
  await become('ACTIVE');
  t.is((await browser.submit(page, 'play', { method: 'mfs_a', token })).statusCode, 303);
  t.is(stateOf(await browser.visit(page)), 'completed');
});

test('repeated mismatches are limited as for any guesser', async (t) => {
  const { browser, core, openTest } = await openTestPage(t);
  const page = await openTest();
  const codes = new Set<number>();
  for (let n = 0; n <= core.settings.missesPerSession; n += 1) {
    codes.add((await browser.submit(page, 'play', { method: 'mfs_a', as: 'less' })).statusCode);
  }
  t.true(codes.has(429));
});
