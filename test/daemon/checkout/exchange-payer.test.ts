/** Who pays at the exchange is known as the payer by any id that the exchange itself gave to the payment. */
import test, { type ExecutionContext } from 'ava';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { paidOrder, paidRow } from '../../helpers/outside/exchange-server.js';
import { IDS, scene } from '../exchange-pay/scene.js';
import { type Browser, openBrowser, PAGES } from './browser.js';

const METHOD = 'exchange_pay';
const RETURNED = `transactionId=${IDS.transactionId}&amp;`;

async function openPage(t: ExecutionContext<unknown>, type: 'personal' | 'merchant' = 'personal') {
  const { api, exchange } = await scene(t, { type });
  const session = await api.shop.link(50_000);
  return {
    api,
    exchange,
    session,
    page: `${PAGES}/${session}`,
    payer: openBrowser(api.app),
    stranger: openBrowser(api.app),
    payRow: () => {
      exchange.rows.push(paidRow(api.clock.now(), IDS));
      api.clock.advance(3_000);
    },
    /** @param number as the shop calls it. */
    payOrder: (number: string) => {
      const { transactionId } = IDS;
      exchange.orders.push(paidOrder(api.clock.now(), { merchantTradeNo: number, transactionId }));
      api.clock.advance(31_000);
    },
  };
}

/** @param token of a page that was open before; this one's own otherwise. */
const claim = (browser: Browser, page: string, id: string, token?: string) =>
  browser.submit(page, 'claim', {
    method: METHOD,
    transaction_id: id,
    ...(token === undefined ? {} : { token }),
  });

async function isKnown(browser: Browser, page: string): Promise<boolean> {
  const { body } = await browser.visit(`${page}?now=1`);
  return body.includes(RETURNED) && body.includes(`<dd class="id">${IDS.transactionId}</dd>`);
}

for (const [name, id] of [
  ['order id', IDS.orderId],
  ['transaction id', IDS.transactionId],
  ['transaction id in small letters', IDS.transactionId.toLowerCase()],
] as const) {
  test(`a customer who gives the ${name} of a payment is its payer, a stranger with the link is not`, async (t) => {
    const { page, payer, stranger, payRow } = await openPage(t);
    payRow();
    const token = await stranger.tokenOf(page);
    t.is((await claim(payer, page, id)).headers.location, `${page}?now=1`);
    t.true(await isKnown(payer, page));
    t.true((await payer.visit(page)).body.includes('Customer'));
    t.is((await claim(stranger, page, '999000000000001', token)).statusCode, 303);
    t.false(await isKnown(stranger, page));
    t.false((await stranger.visit(page)).body.includes('Customer'));
  });
}

test('a customer who waited with the order id is the payer, whatever was typed later', async (t) => {
  const { api, page, payer, stranger, payRow } = await openPage(t);
  await claim(payer, page, IDS.orderId);
  api.clock.advance(1);
  await claim(stranger, page, '999000000000001');
  payRow();
  await recheckClaims(api.core);
  t.true(await isKnown(payer, page));
  t.false(await isKnown(stranger, page), 'what nobody paid with proves nothing');
});

test('an order number of the shop makes only the customer it was credited for the payer', async (t) => {
  const { api, session, page, payer, stranger, payOrder } = await openPage(t, 'merchant');
  const { gateway_reference } = await showPayment(api.core, session);
  const token = await stranger.tokenOf(page);
  payOrder(gateway_reference);
  t.is((await claim(payer, page, gateway_reference)).headers.location, `${page}?now=1`);
  t.true(await isKnown(payer, page));
  t.is((await claim(stranger, page, gateway_reference, token)).statusCode, 303);
  t.false(await isKnown(stranger, page));
});

test('guessing an order number before its payer comes does not make a stranger the payer', async (t) => {
  const { page, payer, stranger, payOrder } = await openPage(t, 'merchant');
  const token = await payer.tokenOf(page);
  payOrder('SHOP000101');
  t.is((await claim(stranger, page, 'SHOP000101')).statusCode, 303);
  t.true((await stranger.visit(page)).body.includes('SHOP000101'), 'before a person lies what they gave');
  await claim(payer, page, '29383937493038367292', token);
  t.true(await isKnown(payer, page));
  t.false(await isKnown(stranger, page));
});
