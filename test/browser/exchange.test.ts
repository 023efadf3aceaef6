/** A payment at an exchange that answers: the page knows its payer, whichever of its ids was typed. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { browserOf, DESKTOP, ENGLISH, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  openExchangeServer,
  paidRow,
} from '../helpers/outside/exchange-server.js';
import { BRAND, openCheckout } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

const CHANNEL = 'exchange_pay';
const IDS = { transactionId: 'M_P_71505104267788288', orderId: '331726482920497152' };
/** Of 500 taka at the checkout's rate of 121.50. */
const AMOUNT = '4.1153';

async function openExchange(t: ExecutionContext<unknown>) {
  const checkout = await openCheckout(t, { everything: true });
  const exchange = await openExchangeServer(t, Date.now);
  await setAccount(checkout.core, {
    brand: BRAND,
    channel: CHANNEL,
    type: 'personal',
    number: EXCHANGE_USER,
    details: { base_url: exchange.url },
    credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
    who: 'test',
  });
  const pay = () => {
    const paid = { amount: AMOUNT, fundsDetail: [{ currency: 'USDT', amount: AMOUNT }] };
    exchange.rows.push(paidRow(Date.now(), { ...IDS, ...paid }));
  };
  return { checkout, pay };
}

test.serial('giving the order id shows what was paid and takes the transaction id to the shop', async (t) => {
  const { checkout, pay } = await openExchange(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const desk = reader(page, 'en');
  const link = await checkout.create(500);
  await page.goto(link);
  pay();
  await desk.summary(CHANNEL).click();
  await desk.enter(CHANNEL, IDS.orderId);
  await desk.submit(CHANNEL).click();
  await desk.says(desk.t.completed.fresh.title);
  const said = await page.locator('main').innerText();
  for (const fact of ['Binance Pay', IDS.transactionId, '৳ 500', 'Customer'])
    t.true(said.includes(fact), said);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  const query = Object.fromEntries(checkout.site.returns[0]?.query ?? []);
  t.like(query, { paymentMethod: CHANNEL, transactionId: IDS.transactionId, status: 'completed' });
  t.deepEqual(complaints, []);
});
