/** The page of a shop that is suspended: nobody pays it, and who has paid it before is heard. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../../src/actions/core/core.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { paidRow } from '../../helpers/outside/exchange-server.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { VERIFY } from '../api.js';
import { IDS, scene } from '../exchange-pay/scene.js';
import { openBrowser, openCheckout, PAGES, stateOf } from './browser.js';
import { languages, visible } from './view/view-pages.js';

const become = (core: Core, status: 'ACTIVE' | 'SUSPENDED') =>
  changeMerchantStatus(core, { merchant: 'Alo Store', status, who: 'test' });

/** Numbers, sums and codes of the shop's accounts, and what invites to pay to them. */
const TO_PAY_TO = /data-copy=|01711000001|1234567890123|\/qr\//;

async function openSuspended(t: ExecutionContext<unknown>) {
  const checkout = await openCheckout(t);
  const { core, browser, open } = checkout;
  const bank = { channel: 'bank', type: 'main', number: '1234567890123', who: 'test' };
  await setAccount(core, {
    brand: 'Alo Store',
    ...bank,
    details: { bank_name: 'City Bank', holder: 'Alo Store' },
  });
  const page = await open();
  /** Of the page that was opened before. */
  const token = await browser.tokenOf(page);
  await become(core, 'SUSPENDED');
  const said = async (path: string) => visible((await browser.visit(path)).body);
  return { ...checkout, page, token, said };
}

test('the id that is given in a page from before is kept, said to be, and settles after the shop is active', async (t) => {
  const { core, browser, app, page, token, said, shop, clock } = await openSuspended(t);
  const trxId = bkashId(clock.now(), 1);
  const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId, token });
  t.deepEqual([answer.statusCode, answer.headers.location], [303, page]);
  for (const { language, t: texts } of languages) {
    const text = await said(`${page}?lang=${language}`);
    t.true(text.includes(`${texts.given.id.kept} ${texts.suspendedKept.text}`), text);
    t.true(text.includes(texts.suspendedKept.more) && text.includes(trxId));
    t.false(text.includes(texts.unpayable.text) || text.includes(texts.waiting));
  }
  const { body } = await browser.visit(page);
  t.notRegex(body, TO_PAY_TO);
  t.regex(body, /<textarea/, 'a wrong id can be corrected');
  t.true(body.includes('data-live'), 'the page listens');
  t.false((await openBrowser(app).visit(page)).body.includes(trxId));
  await become(core, 'ACTIVE');
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'completed' });
  t.true((await browser.visit(`${page}?now=1`)).body.includes(`transactionId=${trxId}&amp;`));
});

test('the page of a suspended shop says to send nothing, and shows the id field only on request', async (t) => {
  const { browser, page, said } = await openSuspended(t);
  for (const { language, t: texts } of languages) {
    const text = await said(`${page}?lang=${language}`);
    t.true(text.includes(`${texts.unpayable.title} ${texts.unpayable.text}`));
    t.true(text.includes(texts.alreadySent));
    const late = await said(`${page}?lang=${language}&late=1`);
    t.true(late.includes(`${texts.suspendedLate.title} ${texts.suspendedLate.text}`));
    t.false(late.includes(texts.alreadySent));
  }
  const first = (await browser.visit(page)).body;
  t.notRegex(first, TO_PAY_TO);
  t.notRegex(first, /<textarea/);
  const late = (await browser.visit(`${page}?late=1`)).body;
  t.notRegex(late, TO_PAY_TO);
  t.regex(late, /<textarea/);
  const wrong = await browser.submit(`${page}`, 'claim', {
    method: 'mfs_a',
    transaction_id: 'I have paid',
    token: /name="token" value="([\w-]{43})"/.exec(late)?.[1] ?? '',
  });
  t.is(wrong.statusCode, 422);
  t.true(wrong.body.includes('role="alert"') && wrong.body.includes('>I have paid</textarea>'));
});

test('a page that is pressed for an active shop is not shown for a suspended one', async (t) => {
  const { browser, page, core } = await openSuspended(t);
  await become(core, 'ACTIVE');
  const packed = { headers: { 'accept-encoding': 'gzip' } };
  const { gunzipSync } = await import('node:zlib');
  const shown = async () => gunzipSync((await browser.visit(page, packed)).rawPayload).toString();
  t.regex(await shown(), TO_PAY_TO);
  await become(core, 'SUSPENDED');
  t.notRegex(await shown(), TO_PAY_TO);
});

test('a bank transfer submitted from an older page needs manual review', async (t) => {
  const { core, browser, page, token } = await openSuspended(t);
  const answer = await browser.upload(page, { reference: 'FT 77', token });
  t.deepEqual([answer.statusCode, answer.headers.location], [303, `${page}?now=1`]);
  t.is(stateOf(await browser.visit(page)), 'review');
  const [review] = await listReviews(core, { state: 'OPEN', limit: 10 });
  t.is(review?.reference, 'FT 77');
});

test('an order id is kept while the shop is suspended, asked for when it is active, and verify stays shut', async (t) => {
  const { api, exchange } = await scene(t);
  const session = await api.shop.link(50_000);
  const page = `${PAGES}/${session}`;
  const browser = openBrowser(api.app);
  const token = await browser.tokenOf(page);
  exchange.rows.push(paidRow(api.clock.now(), IDS));
  api.clock.advance(3_000);
  await become(api.core, 'SUSPENDED');
  await browser.submit(page, 'claim', { method: 'exchange_pay', transaction_id: IDS.orderId, token });
  const headless = { id: session, method: 'exchange_pay', transaction_id: IDS.orderId };
  t.is((await api.call(VERIFY, { body: headless })).statusCode, 403);
  api.clock.advance(5_000);
  await recheckClaims(api.core);
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'waiting' });
  t.deepEqual(exchange.asked, [], 'nobody is asked for a suspended merchant');
  await become(api.core, 'ACTIVE');
  api.clock.advance(60_000);
  await recheckClaims(api.core);
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'completed' });
  t.true((await browser.visit(`${page}?now=1`)).body.includes(`transactionId=${IDS.transactionId}&amp;`));
});

test('an order id is not taken where the exchange was not offered', async (t) => {
  const { browser, page, token } = await openSuspended(t);
  const claim = { method: 'exchange_pay', transaction_id: IDS.orderId, token };
  const answer = await browser.submit(page, 'claim', claim);
  t.is(answer.statusCode, 422);
  t.is(stateOf(await browser.visit(page)), 'open');
});
