/**
 * Every state of the checkout page and how a customer gets there: what accessibility is tested on and what
 * the pictures of the documentation show.
 */
import type { Page } from 'playwright-core';
import type { Language } from '../../../daemon/checkout/page.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { type BrandProfile, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { disableLink } from '../../../src/actions/links/links.js';
import { rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { until } from '../browser/browser.js';
import { type CheckoutReader, reader } from '../browser/checkout-page.js';
import { BRAND, type Checkout, pay } from './checkout.js';
import {
  claim,
  claimedEarlier,
  differ,
  endNow,
  finish,
  HASH,
  makeLink,
  open,
  openLink,
  openPart,
  openSuspended,
  type Reach,
  type Stage,
  showTransfer,
  showTransferBeyondRoom,
  tellLate,
  testLink,
} from './checkout-steps.js';
import { jpegLogo, pngLogo } from './logos.js';
import { WALLET } from './shop.js';

/** In the order in which customers may meet them. */
const STATES = {
  open: async (stage: Stage) => {
    await open(stage);
  },
  /** With all that a shop can set for its page, which it has for this page alone, and an order. */
  look: async (stage: Stage) => {
    const { checkout, page, desk } = stage;
    const wallet = { brand: BRAND, channel: 'mfs_a', type: 'personal', number: WALLET, who: 'test' };
    const change = async (look: BrandProfile, holder: string) => {
      await updateBrand(checkout.core, { brand: BRAND, ...look, who: 'test' });
      await setAccount(checkout.core, { ...wallet, details: { holder } });
    };
    const pictures = { logo: pngLogo(96, 48), marks: new Map([['mfs_b' as const, jpegLogo(64, 64)]]) };
    const questions = [
      'How do I pay with bKash?=Open the app and tap “Send Money”.',
      'কত সময় লাগে?=২০ সেকেন্ড।',
    ];
    const texts = { website: 'alo.example', colour: '#b5179e', video: 'https://video.example/pay' };
    await change({ ...texts, ...pictures, questions }, 'Alo Store');
    try {
      const items = [
        { name: 'জামদানি শাড়ি', quantity: 2, price: '600.00' },
        { name: 'Delivery', price: '50.00' },
      ];
      await page.goto(await checkout.create(1_250, { items, description: 'Order 1017' }));
      await until(page, "document.querySelector('.shop img').naturalWidth > 0");
      await until(page, "document.querySelector('.own img').naturalWidth > 0");
      await desk.summary('mfs_a').click();
    } finally {
      const none = { website: '', colour: '', video: '', logo: null, questions: [''] };
      await change({ ...none, marks: new Map([['mfs_b' as const, null]]) }, '');
    }
  },
  method: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('mfs_a').click();
    await stage.desk.enter('mfs_a', pay('1250.00').sent);
  },
  bank: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bank').click();
  },
  code: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('qr_interbank').click();
    await until(stage.page, "document.querySelector('.card[open] figure img').naturalWidth > 0");
  },
  exchange: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('exchange_pay').click();
    await stage.desk.enter('exchange_pay', '312345678901234567');
  },
  chain: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bep20').click();
    // Folded on a phone.
    const code = stage.page.locator('.card[open] summary', { hasText: stage.desk.t.usdt.addressCode });
    if (!(await stage.page.locator('.card[open] figure').isVisible())) await code.click();
    await until(stage.page, "document.querySelector('.card[open] figure img').naturalWidth > 0");
    await stage.desk.enter('bep20', HASH);
  },
  problem: async (stage: Stage) => {
    await open(stage);
    await claim(stage, 'I have sent the money');
    await stage.desk.problem('mfs_a').waitFor();
  },
  test: async (stage: Stage) => {
    await stage.page.goto(await testLink(stage.checkout));
    await stage.desk.summary('mfs_a').click();
  },
  waiting: async (stage: Stage) => {
    await open(stage);
    await claim(stage, pay('1250.00').trxId);
    await stage.desk.says(stage.desk.t.waiting);
  },
  'waiting-chain': async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bep20').click();
    await stage.desk.enter('bep20', HASH);
    await stage.desk.submit('bep20').click();
    await stage.desk.says(stage.desk.t.waiting);
  },
  'waiting-long': async (stage: Stage) => {
    const link = await open(stage);
    await claim(stage, pay('1250.00').trxId);
    await stage.desk.says(stage.desk.t.waiting);
    await claimedEarlier(stage.checkout, link.slice(-32), 70_000);
    await stage.page.goto(link);
    await stage.desk.sendToSeller().waitFor();
  },
  differs: async (stage: Stage) => {
    await differ(stage);
  },
  asked: async (stage: Stage) => {
    await differ(stage);
    await stage.desk.sendToSeller().click();
    await stage.desk.says(stage.desk.t.review.fresh.title);
  },
  /** One part has come, and an advance is due. */
  part: async (stage: Stage) => {
    await openPart(stage);
  },
  'part-expired': async (stage: Stage) => {
    const link = await openPart(stage);
    await endNow(stage.checkout, link.slice(-32));
    await stage.page.goto(link);
    await stage.desk.says(stage.desk.t.expired.title);
  },
  success: async (stage: Stage) => {
    await finish(stage);
  },
  'already-paid': async (stage: Stage) => {
    await stage.page.goto(await finish(stage));
    await stage.desk.says(stage.desk.t.completed.again.title);
  },
  review: async (stage: Stage) => {
    await open(stage);
    await showTransfer(stage);
  },
  'review-no-slip': async (stage: Stage) => {
    await open(stage);
    await showTransferBeyondRoom(stage);
  },
  rejected: async (stage: Stage) => {
    const link = await open(stage);
    await showTransfer(stage);
    const reviews = await listReviews(stage.checkout.core, { state: 'OPEN', brand: BRAND, limit: 100 });
    const note = 'not in the bank statement';
    await rejectReview(stage.checkout.core, { id: reviews.at(-1)?.id ?? '', note, who: 'test' });
    await stage.page.goto(link);
    await stage.desk.says(stage.desk.t.rejected.title);
  },
  cancelled: async (stage: Stage) => {
    await open(stage);
    await stage.desk.cancel();
    await stage.desk.says(stage.desk.t.cancelled.title);
  },
  expired: async ({ checkout, page, desk }: Stage) => {
    await page.goto(await checkout.createEnding(1_250, -60_000));
    await desk.says(desk.t.expired.title);
  },
  suspended: async (stage: Stage) => {
    await openSuspended(stage);
  },
  'suspended-late': async (stage: Stage) => {
    await openSuspended(stage, () => tellLate(stage));
  },
  'suspended-kept': async (stage: Stage) => {
    await openSuspended(stage, async () => {
      await tellLate(stage);
      await claim(stage, pay('1250.00').trxId);
      await stage.desk.says(stage.desk.t.given.id.kept);
    });
  },
  'expired-kept': async (stage: Stage) => {
    const { page, desk } = stage;
    const link = await open(stage);
    await claim(stage, pay('1250.00').trxId);
    await desk.says(desk.t.waiting);
    await endNow(stage.checkout, link.slice(-32));
    await page.goto(link);
    await desk.says(desk.t.given.id.kept);
  },
  late: async ({ checkout, page, desk }: Stage) => {
    await page.goto(await checkout.createEnding(1_250, -60_000));
    await page.getByRole('link', { name: desk.t.alreadySent }).click();
    await desk.says(desk.t.late(BRAND).title);
  },
  link: async (stage: Stage) => {
    await openLink(stage, { amount: undefined, min: '100', max: '5000', suggest: '100,500,1000' });
    await stage.page.locator('[data-amount]').nth(1).click();
    await stage.page.getByLabel('Your name').fill('রহিমা');
  },
  /** With everything that a seller can say of an item. */
  'link-item': async (stage: Stage) => {
    const { page, desk } = stage;
    await openLink(stage, {
      ...{ title: 'জামদানি শাড়ি, লাল / Jamdani sari, red', quantity: 5, image: jpegLogo(1_200, 800) },
      description: 'হাতে বোনা সুতি জামদানি, ১২ হাত।\nHandwoven cotton, 5.5 metres.',
    });
    await until(page, "document.querySelector('.picture img').naturalWidth > 0");
    await page.getByRole('button', { name: desk.t.link.more }).dblclick();
    await page.getByLabel('Your name').fill('রহিমা');
  },
  'link-problem': async (stage: Stage) => {
    const { page, desk } = stage;
    await openLink(stage, { amount: undefined, min: '100', max: '5000' });
    await page.getByLabel('Your name').fill('রহিমা');
    await page.getByLabel(desk.t.link.amount).fill('50');
    await desk.openPayment().click();
    await page.getByRole('alert').first().waitFor();
  },
  'link-paid': async (stage: Stage) => {
    const { page, desk } = stage;
    await openLink(stage);
    await page.getByLabel('Your name').fill('রহিমা');
    await desk.openPayment().click();
    const payment = pay('1250.00');
    await stage.checkout.deliver(payment.received);
    await claim(stage, payment.sent);
    await desk.says(desk.t.link.thanks(BRAND).title);
  },
  'link-cancelled': async (stage: Stage) => {
    const { desk } = stage;
    await openLink(stage, { fields: [] });
    await desk.openPayment().click();
    await desk.cancel();
    await desk.says(desk.t.link.cancelled.title);
  },
  'link-closed': async ({ checkout, page, desk }: Stage) => {
    const link = await makeLink(checkout);
    await disableLink(checkout.core, { link, base: '', who: 'test' });
    await page.goto(link);
    await desk.says(desk.t.link.closed.DISABLED.title);
  },
  'not-found': async ({ checkout, page, desk }: Stage) => {
    await page.goto(`${checkout.daemon().url}/api/execute/${'0'.repeat(32)}`);
    await desk.says(desk.t.notices.not_found.title);
  },
} as const satisfies Readonly<Record<string, Reach>>;

export type StateName = keyof typeof STATES;
export const STATE_NAMES = Object.keys(STATES) as readonly StateName[];

/** Brings a page into a state, and keeps it there where it would go on to the shop by itself. */
export async function reach(
  name: StateName,
  checkout: Checkout,
  page: Page,
  language: Language,
): Promise<CheckoutReader> {
  const desk = reader(page, language);
  await page.route(`${checkout.site.url}/**`, (route) => route.fulfill({ status: 204 }));
  await STATES[name]({ checkout, page, desk });
  return desk;
}
