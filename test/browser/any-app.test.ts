/** The code that any app pays: of a personal wallet account, scanned from a screen or saved on the phone. */
import test from 'ava';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { loadCheckout } from '../../src/actions/sessions/load-checkout.js';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  until,
  visit,
  visitAlone,
} from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { scan } from '../helpers/browser/zbar.js';
import type { Owner } from '../helpers/programs/processes.js';
import { BRAND, type Checkout, openCheckout } from '../helpers/shop/checkout.js';
import { personalPayload } from '../helpers/shop/qr.js';

const browser = browserOf(test);
const NUMBER = '01811000002';
const HOLDER = 'Karim Uddin';
const SHOWN_CODE = "document.querySelector('.card[open] figure img').naturalWidth > 0";

async function openCoded(t: Owner): Promise<Checkout> {
  const checkout = await openCheckout(t);
  const details = { qr: personalPayload(NUMBER, 'KARIM STORE'), holder: HOLDER };
  await setAccount(checkout.core, {
    ...{ brand: BRAND, channel: 'mfs_b', type: 'personal', number: NUMBER },
    ...{ details, who: 'test' },
  });
  return checkout;
}

/** @returns the text that the page's code must have. */
async function codeOf(checkout: Checkout, link: string): Promise<string> {
  const { methods = [] } = (await loadCheckout(checkout.core, link.slice(-32))) ?? {};
  return methods.find(({ code }) => code !== undefined)?.code ?? 'none';
}

for (const [place, device, colorScheme] of [
  ['a phone', { ...PHONE, ...BANGLA }, 'light'],
  ['a phone at night', { ...PHONE, ...BANGLA }, 'dark'],
  ['a desktop', { ...DESKTOP, ...ENGLISH }, 'light'],
  ['a desktop at night', { ...DESKTOP, ...ENGLISH }, 'dark'],
] as const) {
  test.serial(`zbar reads the code off the screen of ${place}`, async (t) => {
    const checkout = await openCoded(t);
    const { page, complaints } = await visitAlone(t, await browser(), { ...device, colorScheme });
    const desk = reader(page, device.locale === 'bn-BD' ? 'bn' : 'en');
    const link = await checkout.create(640);
    await page.goto(link);
    t.is(await page.locator('figure').count(), 1, 'the same code is nowhere else');
    await desk.summary('qr_interbank').click();
    await until(page, SHOWN_CODE);
    await page.locator('.card[open] figure').scrollIntoViewIfNeeded();
    const code = await codeOf(checkout, link);
    t.true(code.includes('5406640.00'), code);
    t.true((await scan(t, await page.screenshot())).includes(code));
    const said = await page.locator('.card[open]').innerText();
    for (const words of [HOLDER, desk.t.code.byHand]) t.true(said.includes(words), words);
    const isPhone = 'isMobile' in device;
    t.is(said.includes(desk.t.code.stepGallery), isPhone);
    t.is(said.includes(desk.t.code.stepScan), !isPhone);
    t.is(await page.getByRole('link', { name: desk.t.code.save }).isVisible(), isPhone);
    t.false(await desk.field('qr_interbank').isVisible(), 'folded');
    t.deepEqual(complaints, []);
  });
}

test.serial('without script the picture is saved, and a wrong number is reported at its field', async (t) => {
  const checkout = await openCoded(t);
  const device = { ...PHONE, ...BANGLA, javaScriptEnabled: false };
  const { page, complaints } = await visit(t, await browser(), device);
  const desk = reader(page, 'bn');
  const link = await checkout.create(640);
  await page.goto(link);
  await desk.summary('qr_interbank').click();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: desk.t.code.save }).click();
  const saved = await saving;
  t.regex(saved.suggestedFilename(), /^bangla-qr-[A-Z0-9]{12}\.png$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(Buffer.from(chunk));
  t.deepEqual(await scan(t, Buffer.concat(chunks)), [await codeOf(checkout, link)]);

  await desk.enter('qr_interbank', 'আমি দিয়েছি');
  await desk.submit('qr_interbank').click();
  t.is(await desk.problem('qr_interbank').innerText(), desk.t.given.number.none('01712345678'));
  t.is(await desk.field('qr_interbank').inputValue(), 'আমি দিয়েছি');
  t.is(await page.locator('.card.mfs_b [role=alert]').count(), 0);
  t.deepEqual(complaints, []);
});

test.serial('letters of double size leave no part of the card outside of a small screen', async (t) => {
  const checkout = await openCoded(t);
  const { page } = await visitAlone(t, await browser(), {
    ...ENGLISH,
    viewport: { width: 320, height: 640 },
    isMobile: true,
    hasTouch: true,
  });
  await page.goto(await checkout.create(1_250));
  const desk = reader(page, 'en');
  await desk.summary('qr_interbank').focus();
  await page.keyboard.press('Enter');
  await until(page, SHOWN_CODE);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
});

test.serial('the last digits of the number that paid are kept until the money is found', async (t) => {
  const checkout = await openCoded(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.route(`${checkout.site.url}/**`, (route) => route.fulfill({ status: 204 }));
  await page.goto(await checkout.create(640));
  await desk.summary('qr_interbank').click();
  await desk.enter('qr_interbank', '5678');
  await desk.submit('qr_interbank').click();
  await desk.says(desk.t.waiting);
  await page.getByText(`${desk.t.given.number.yours} 5678`).waitFor();
  await page.getByText(desk.t.given.number.waiting).waitFor();
  t.deepEqual(complaints, []);
});
