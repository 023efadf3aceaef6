/** Payments whose customers type nothing here: the reference that they copy names the payment. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { loadCheckout } from '../../src/actions/sessions/load-checkout.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { PAYMENT_REFERENCE } from '../../src/base/values/ids.js';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  type Visitor,
  visit,
  visitAlone,
} from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, type Checkout, openCheckout } from '../helpers/shop/checkout.js';
import { bkashText, WALLET } from '../helpers/shop/shop.js';
import { BKASH, NAGAD, nagad, UPAY, upay } from '../helpers/shop/sms.js';
import { walletId } from '../helpers/shop/wallets.js';
import { amount } from '../helpers/tiers.js';

const browser = browserOf(test);

interface Written {
  readonly trxId: string;
  readonly taka: string;
  readonly ref: string;
  readonly at: number;
}

/** How each wallet tells the shop of money with a reference. */
const WALLETS = {
  mfs_a: { sender: BKASH, tell: (money: Written) => bkashText(money) },
  mfs_b: {
    sender: NAGAD,
    tell: ({ trxId, taka, ref, at }: Written) =>
      nagad({ amount: `Amount: Tk ${taka}`, ref: `Ref: ${ref}`, id: `TxnID: ${trxId}`, at: minute(at) }),
  },
  mfs_d: {
    sender: UPAY,
    tell: ({ trxId, taka, ref, at }: Written) =>
      upay({ amount: `Tk. ${taka}`, ref: ` Ref-${ref}.`, id: trxId, at: `${minute(at)}.` }),
  },
} as const;

const CHANNELS = ['mfs_a', 'mfs_b', 'mfs_d'] as const;

const BANGLA_DIGITS = '০১২৩৪৫৬৭৮৯';

/** As different people enter it in their wallet. */
const HANDS: readonly ((reference: string) => string)[] = [
  (reference) => reference,
  (reference) => reference.toLowerCase(),
  (reference) => reference.replace(/\d/g, (digit) => BANGLA_DIGITS[Number(digit)] ?? ''),
  (reference) => `Bill ${reference}`,
];

function minute(at: number): string {
  const [date = '', time = ''] = dhakaIso(at).slice(0, 16).split('T');
  return `${date.split('-').reverse().join('/')} ${time}`;
}

/** Every wallet of the shop has the number of its one SIM, as is usual. */
async function openOneNumber(t: ExecutionContext): Promise<Checkout> {
  const checkout = await openCheckout(t);
  for (const channel of ['mfs_b', 'mfs_d']) {
    await setAccount(checkout.core, { brand: BRAND, channel, type: 'personal', number: WALLET, who: 'test' });
  }
  return checkout;
}

/** @returns what the button beside the reference copies. */
async function copied(page: Page, desk: ReturnType<typeof reader>, channel: (typeof CHANNELS)[number]) {
  await desk.summary(channel).click();
  await desk.copy(channel, desk.t.theReference).click();
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** Four browsers, each used again by the next of its kind, who has no cookie of the last. */
function openVisitors(t: ExecutionContext) {
  const visitors = new Map<number, Visitor>();
  return async (n: number): Promise<Visitor> => {
    const known = visitors.get(n % 4);
    if (known !== undefined) {
      await known.context.clearCookies();
      return known;
    }
    const permissions = ['clipboard-read', 'clipboard-write'];
    const options = { ...(n % 4 < 2 ? PHONE : DESKTOP), ...(n % 2 === 0 ? BANGLA : ENGLISH), permissions };
    const visitor = await visit(t, await browser(), options);
    visitors.set(n % 4, visitor);
    return visitor;
  };
}

/** Each channel in each language and size is in the first twelve. */
const PAYMENTS = amount(3, 20);

test.serial('payments settle by their reference, and their customers type nothing', async (t) => {
  const checkout = await openOneNumber(t);
  const visitorOf = openVisitors(t);
  for (let n = 0; n < PAYMENTS; n += 1) {
    const channel = CHANNELS[n % 3] ?? 'mfs_a';
    const { page, complaints } = await visitorOf(n);
    const desk = reader(page, n % 2 === 0 ? 'bn' : 'en');
    // Two sums, so that many payments of the same sum wait beside each other.
    const taka = 500 + (n % 2);
    await page.goto(await checkout.create(taka));
    const waiting = await checkout.create(taka);
    const reference = await copied(page, desk, channel);
    t.regex(reference, PAYMENT_REFERENCE);
    const written = (HANDS[n % HANDS.length] ?? String)(reference);
    const trxId = walletId(channel, Date.now(), n);
    const { sender, tell } = WALLETS[channel];
    await checkout.deliver(tell({ trxId, taka: `${taka}.00`, ref: written, at: Date.now() }), sender);
    await desk.says(desk.t.completed.fresh.title);
    // The page would go by itself after its seconds, which receipt.test.ts waits for.
    await page.getByRole('link', { name: desk.t.goBack(BRAND) }).click();
    await page.waitForURL(`${checkout.site.url}/paid**`);
    const { query } = checkout.site.returns.at(-1) ?? { query: [] };
    const told = Object.fromEntries(query);
    t.like(told, { status: 'completed', paymentMethod: channel, transactionId: trxId }, `payment ${n}`);
    const { status } = await checkout.verify(waiting.slice(-32));
    t.is(status, 200);
    t.deepEqual(complaints, [], `payment ${n}`);
  }
  t.is(checkout.site.returns.length, PAYMENTS);
});

test.serial(
  'the receipt is for the browser that was shown the reference, not for the link alone',
  async (t) => {
    const checkout = await openOneNumber(t);
    const payer = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const stranger = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const link = await checkout.create(640);
    await payer.page.goto(link);
    const desk = reader(payer.page, 'en');
    await desk.summary('mfs_a').click();
    const button = desk.copy('mfs_a', desk.t.theReference);
    const ref = (await button.getAttribute('data-copy')) ?? '';
    const trxId = walletId('mfs_a', Date.now(), 77);
    await checkout.deliver(bkashText({ taka: '640.00', trxId, at: Date.now(), ref }));
    await desk.says(desk.t.completed.fresh.title);
    t.true(await payer.page.getByText(trxId).first().isVisible());

    await stranger.page.goto(link);
    await reader(stranger.page, 'en').says(desk.t.completed.again.title);
    t.false((await stranger.page.content()).includes(trxId));
    t.deepEqual([payer.complaints, stranger.complaints], [[], []]);
  },
);

test.serial(
  'money of another sum under the reference is named on the page, and nobody is credited',
  async (t) => {
    const checkout = await openOneNumber(t);
    const { page, complaints } = await visit(t, await browser(), {
      ...PHONE,
      ...ENGLISH,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const desk = reader(page, 'en');
    const link = await checkout.create(700);
    await page.goto(link);
    const ref = await copied(page, desk, 'mfs_a');
    await checkout.deliver(
      bkashText({ taka: '650.00', trxId: walletId('mfs_a', Date.now(), 99), at: Date.now(), ref }),
    );
    await page.getByText(desk.t.came('৳ 650.00', '৳ 700.00')).first().waitFor();
    t.is(await desk.field('mfs_a').inputValue(), '', 'an id that nobody has typed');
    t.false(await desk.summary('mfs_b').isVisible(), 'nobody is asked to pay again');
    t.false((await desk.sendToSeller().getAttribute('class'))?.includes('plain') ?? false);
    const { body } = await checkout.verify(link.slice(-32));
    t.like((body as { data?: object }).data ?? body, { status: 'PENDING' });
    await desk.sendToSeller().click();
    await desk.says(desk.t.review.named.title);
    t.deepEqual(complaints, []);
  },
);

test.serial(
  'a page that the phone dropped shows the success once when reopened, and returns to the shop',
  async (t) => {
    const checkout = await openOneNumber(t);
    const { context, page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
    const link = await checkout.create(640);
    await page.goto(link);
    const first = reader(page, 'en');
    await first.summary('mfs_a').click();
    const ref = (await first.copy('mfs_a', first.t.theReference).getAttribute('data-copy')) ?? '';
    await page.close();
    const trxId = walletId('mfs_a', Date.now(), 78);
    await checkout.deliver(bkashText({ taka: '640.00', trxId, at: Date.now(), ref }));
    const again = await context.newPage();
    const desk = reader(again, 'en');
    await again.goto(link);
    await desk.says(desk.t.completed.fresh.title);
    await again.waitForURL(`${checkout.site.url}/paid**`);
    await again.goto(link);
    await desk.says(desk.t.completed.again.title);
    t.is(checkout.site.returns.length, 1);
  },
);

test.serial('money with the reference that came after the end shows on the page that is open', async (t) => {
  const checkout = await openOneNumber(t);
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.clock.install();
  const link = await checkout.createEnding(640, -60_000);
  await page.goto(link);
  await desk.says(desk.t.expired.title);
  const ref = (await loadCheckout(checkout.core, link.slice(-32)))?.paymentReference ?? '';
  const trxId = walletId('mfs_a', Date.now(), 79);
  await checkout.deliver(bkashText({ taka: '640.00', trxId, at: Date.now(), ref }));
  const asked = page.waitForResponse(/\/state$/);
  await page.clock.runFor(25_000);
  await asked;
  await page.clock.runFor(5_000);
  await desk.says(desk.t.review.late.title);
  t.deepEqual(checkout.site.returns, [], 'the shop knows the payment as failed');
});
