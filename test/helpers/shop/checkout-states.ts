/**
 * Every state of the checkout page and how a customer gets there: what accessibility is tested on and what
 * the pictures of the documentation show.
 */
import type { Page } from 'playwright-core';
import type { Language } from '../../../daemon/checkout/page.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant-status.js';
import { rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { takeSlipRoom } from '../../../src/store/tables/slips.js';
import { until } from '../browser/browser.js';
import { type CheckoutReader, reader } from '../browser/checkout-page.js';
import { BRAND, type Checkout, pay } from './checkout.js';

/** Nobody's. */
const HASH = `0x${'9c2f41e7'.repeat(8)}`;

interface Stage {
  readonly checkout: Checkout;
  readonly page: Page;
  readonly desk: CheckoutReader;
}

/** Resolves when the page shows the state of that name. */
type Reach = (stage: Stage) => Promise<void>;

async function open({ checkout, page }: Stage): Promise<string> {
  const link = await checkout.create(1_250);
  await page.goto(link);
  return link;
}

async function claim({ desk }: Stage, text: string): Promise<void> {
  await desk.summary('mfs_a').click();
  await desk.field('mfs_a').fill(text);
  await desk.submit('mfs_a').click();
}

/** The shop is let in again afterwards; of that its pages hear nothing before they are paid. */
async function openSuspended({ checkout, page, desk }: Stage, work = async () => {}): Promise<void> {
  const become = (status: 'ACTIVE' | 'SUSPENDED') =>
    changeMerchantStatus(checkout.core, { merchant: BRAND, status, who: 'test' });
  const link = await checkout.create(1_250);
  await become('SUSPENDED');
  try {
    await page.goto(link);
    await desk.says(desk.t.unpayable.title);
    await work();
  } finally {
    await become('ACTIVE');
  }
}

async function tellLate({ page, desk }: Stage): Promise<void> {
  await page.getByRole('link', { name: desk.t.alreadySent }).click();
  await desk.says(desk.t.suspendedLate.title);
}

/** The time of a payment is over without anybody having to wait for that. */
function endNow({ core }: Checkout, session: string): Promise<unknown> {
  return core.store.write((db) =>
    db.query.updateTable('sessions').set({ expires_at: Date.now() }).where('id', '=', session).execute(),
  );
}

async function showTransfer({ desk }: Stage): Promise<void> {
  await desk.summary('bank').click();
  await desk.field('bank').fill('FT26 8812 4471');
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
}

/** With a slip, on a day whose room for slips is used up. */
async function showTransferBeyondRoom({ checkout, page, desk }: Stage): Promise<void> {
  const { core, shop } = checkout;
  const today = { day: dhakaIso(core.clock.now()).slice(0, 10), mostBytes: Number.MAX_SAFE_INTEGER };
  const room = { ...today, brand: shop.brand.brandId, bytes: core.settings.slipMibADay * 1024 * 1024 };
  await core.store.write((db) => takeSlipRoom(db, room));
  await desk.summary('bank').click();
  await desk.field('bank').fill('FT26 8812 4471');
  const buffer = Buffer.from('%PDF-1.7');
  const file = { name: 'slip.pdf', mimeType: 'application/pdf', buffer };
  await page.getByLabel(desk.t.slipLabel).setInputFiles(file);
  await desk.submit('bank').click();
  await page.getByText(desk.t.review.lacksSlip).waitFor();
}

async function finish(stage: Stage): Promise<string> {
  const payment = pay('1250.00');
  await stage.checkout.deliver(payment.received);
  const link = await open(stage);
  await claim(stage, payment.sent);
  await stage.desk.says(stage.desk.t.completed.fresh.title);
  return link;
}

/** In the order in which customers may meet them. */
const STATES = {
  open: async (stage: Stage) => {
    await open(stage);
  },
  method: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('mfs_a').click();
    await stage.desk.field('mfs_a').fill(pay('1250.00').sent);
  },
  bank: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bank').click();
  },
  code: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('qr_interbank').click();
    await until(stage.page, "document.querySelector('[open] figure img').naturalWidth > 0");
  },
  exchange: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('exchange_pay').click();
    await stage.desk.field('exchange_pay').fill('312345678901234567');
  },
  chain: async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bep20').click();
    await stage.desk.field('bep20').fill(HASH);
    await until(stage.page, "document.querySelector('[open] figure img').naturalWidth > 0");
  },
  problem: async (stage: Stage) => {
    await open(stage);
    await claim(stage, 'I have sent the money');
    await stage.desk.problem('mfs_a').waitFor();
  },
  waiting: async (stage: Stage) => {
    await open(stage);
    await claim(stage, pay('1250.00').trxId);
    await stage.desk.says(stage.desk.t.waiting);
  },
  'waiting-chain': async (stage: Stage) => {
    await open(stage);
    await stage.desk.summary('bep20').click();
    await stage.desk.field('bep20').fill(HASH);
    await stage.desk.submit('bep20').click();
    await stage.desk.says(stage.desk.t.waiting);
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
