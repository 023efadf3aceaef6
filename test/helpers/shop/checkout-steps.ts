/** What a customer, a shop and a seller do on the way to the states of the checkout page. */
import type { Page } from 'playwright-core';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { listBrands } from '../../../src/actions/brands/brand-view.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { type CreateLink, createLink } from '../../../src/actions/links/links.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Db } from '../../../src/store/schema/index.js';
import { takeSlipRoom } from '../../../src/store/tables/reviews.js';
import type { CheckoutReader } from '../browser/checkout-page.js';
import { BRAND, type Checkout, pay } from './checkout.js';

/** Nobody's. */
export const HASH = `0x${'9c2f41e7'.repeat(8)}`;

export interface Stage {
  readonly checkout: Checkout;
  readonly page: Page;
  readonly desk: CheckoutReader;
}

/** Resolves when the page shows the state of that name. */
export type Reach = (stage: Stage) => Promise<void>;

export async function open({ checkout, page }: Stage): Promise<string> {
  const link = await checkout.create(1_250);
  await page.goto(link);
  return link;
}

export async function claim({ desk }: Stage, text: string): Promise<void> {
  await desk.summary('mfs_a').click();
  await desk.enter('mfs_a', text);
  await desk.submit('mfs_a').click();
}

/** A payment of 1,250.00 in parts, an advance of 5,000.00, of which 800.00 have come. @returns its link. */
export async function openPart(stage: Stage): Promise<string> {
  const { checkout, page, desk } = stage;
  const link = await checkout.create(1_250, { parts: true, due_on_delivery: 3_750 });
  await page.goto(link);
  const payment = pay('800.00');
  await checkout.deliver(payment.received);
  await claim(stage, payment.sent);
  await desk.says(desk.t.parts.arrived.title);
  return link;
}

/** @returns the link of a payment of the shop's test brand. */
export async function testLink({ core, daemon, site }: Checkout): Promise<string> {
  const name = 'Alo Store test';
  const brands = await listBrands(core, { merchant: BRAND });
  if (!brands.some((brand) => brand.name === name)) {
    await createBrand(core, { merchant: BRAND, name, test: true, who: 'test' });
  }
  const addresses = { successUrl: `${site.url}/paid`, cancelUrl: `${site.url}/cart` };
  const { id } = await createSession(core, {
    brand: await brandContext(core, name),
    hosted: { ...addresses, webhookUrl: null, returnType: 'GET' },
    ...{ cusName: 'Rahima Khatun', cusEmail: '', amountPaisa: 125_000, metaJson: null },
  });
  return `${daemon().url}/api/execute/${id}`;
}

/** The shop is let in again afterwards; of that its pages hear nothing before they are paid. */
export async function openSuspended({ checkout, page, desk }: Stage, work = async () => {}): Promise<void> {
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

export async function tellLate({ page, desk }: Stage): Promise<void> {
  await page.getByRole('link', { name: desk.t.alreadySent }).click();
  await desk.says(desk.t.suspendedLate.title);
}

/** The time of a payment is over without anybody having to wait for that. */
export function endNow({ core }: Checkout, session: string): Promise<unknown> {
  return core.store.write((db) =>
    db.query.updateTable('sessions').set({ expires_at: Date.now() }).where('id', '=', session).execute(),
  );
}

export async function showTransfer({ desk }: Stage): Promise<void> {
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT26 8812 4471');
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
}

/** With a slip, on a day whose room for slips is used up. */
export async function showTransferBeyondRoom({ checkout, page, desk }: Stage): Promise<void> {
  const { core, shop } = checkout;
  const today = { day: dhakaIso(core.clock.now()).slice(0, 10), mostBytes: Number.MAX_SAFE_INTEGER };
  const room = { ...today, brand: shop.brand.brandId, bytes: core.settings.slipMibADay * 1024 * 1024 };
  await core.store.write((db) => takeSlipRoom(db, room));
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT26 8812 4471');
  const buffer = Buffer.from('%PDF-1.7');
  const file = { name: 'slip.pdf', mimeType: 'application/pdf', buffer };
  await page.getByLabel(desk.t.slipLabel).setInputFiles(file);
  await desk.submit('bank').click();
  await page.getByText(desk.t.review.lacksSlip).waitFor();
}

export async function finish(stage: Stage): Promise<string> {
  const payment = pay('1250.00');
  await stage.checkout.deliver(payment.received);
  const link = await open(stage);
  await claim(stage, payment.sent);
  await stage.desk.says(stage.desk.t.completed.fresh.title);
  return link;
}

/** The money is 50 taka less than what is due. */
export async function differ(stage: Stage): Promise<void> {
  const payment = pay('1200.00');
  await stage.checkout.deliver(payment.received);
  await open(stage);
  await claim(stage, payment.trxId);
  await stage.desk.problem('mfs_a').waitFor();
}

/** Somebody has waited for that long without anybody having to wait. */
export function claimedEarlier({ core }: Checkout, session: string, ms: number): Promise<unknown> {
  const claims = (db: Db) => db.query.updateTable('claims').where('session_id', '=', session);
  return core.store.write((db) =>
    claims(db)
      .set({ created_at: Date.now() - ms })
      .execute(),
  );
}

/** @returns the address of a payment link, as the operator would send it. */
export async function makeLink(checkout: Checkout, more: Partial<CreateLink> = {}): Promise<string> {
  const asked = { brand: BRAND, amount: '1250', title: 'Jamdani', base: checkout.daemon().url, who: 'test' };
  return (await createLink(checkout.core, { ...asked, ...more })).url;
}

export const LINK_FIELDS = ['name*=আপনার নাম / Your name', 'size=সাইজ / Size'];

export async function openLink({ checkout, page }: Stage, more: Partial<CreateLink> = {}): Promise<string> {
  const link = await makeLink(checkout, { fields: LINK_FIELDS, ...more });
  await page.goto(link);
  return link;
}
