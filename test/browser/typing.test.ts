/** Reading and typing on a phone: large letters, pasting by a button, and a change of language meanwhile. */
import test from 'ava';
import { BANGLA, browserOf, ENGLISH, PHONE, visit, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { reach, type StateName } from '../helpers/shop/checkout-states.js';
import { WALLET } from '../helpers/shop/shop.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

/** What reaches out of the screen, and whose words reach out of it. */
const WIDER = `[...document.querySelectorAll('body *')].filter((element) => {
  const { right, left, width } = element.getBoundingClientRect();
  return !element.closest('svg, .unseen') && width > 0
    && (right > ${PHONE.viewport.width} || left + element.scrollWidth > ${PHONE.viewport.width});
}).map((element) => element.outerHTML.slice(0, 90))`;
const FONT = `[...document.querySelectorAll('p, li, label, button, b, dt, dd, h2, summary')]
  .map((element) => parseFloat(getComputedStyle(element).fontSize))`;

/** Numbers to copy that are broken over two lines. */
const BROKEN = `[...document.querySelectorAll('[open] .ticket .nowrap')].filter((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
}).map((element) => element.textContent)`;

/** Sizes in pixels. */
const NORMAL = 16;
const DOUBLE = 32;

const SHOWN: readonly StateName[] = ['method', 'bank', 'code', 'chain', 'problem', 'success', 'cancelled'];

for (const language of variants(['bn', 'en'] as const)) {
  test.serial(
    `in ${language} letters of twice the size are twice as large everywhere, and nothing is wider than a phone`,
    async (t) => {
      const checkout = await openCheckout(t, { everything: true, profile: { fees: ['mfs_c=1.85%'] } });
      const locale = language === 'bn' ? BANGLA : ENGLISH;
      for (const name of SHOWN) {
        const { context, page } = await visitAlone(t, await browser(), { ...PHONE, ...locale });
        const cdp = await context.newCDPSession(page);
        await cdp.send('Page.setFontSizes', { fontSizes: { standard: DOUBLE, fixed: DOUBLE } });
        await reach(name, checkout, page, language);
        t.deepEqual(await page.evaluate(WIDER), [], name);
        t.deepEqual(await page.evaluate(BROKEN), [], name);
        if (name === 'method') t.true((await page.locator('[open] .ticket .nowrap').count()) >= 3);
        t.is(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width, name);
        const large = (await page.evaluate(FONT)) as number[];
        await cdp.send('Page.setFontSizes', { fontSizes: { standard: NORMAL, fixed: NORMAL } });
        const normal = (await page.evaluate(FONT)) as number[];
        t.deepEqual(
          large.map((size) => Math.round(size)),
          normal.map((size) => Math.round(2 * size)),
          name,
        );
        await context.close();
      }
    },
  );
}

test.serial(
  'a button pastes the SMS if the browser allows it, and the form then works as usual',
  async (t) => {
    const checkout = await openCheckout(t);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, permissions });
    const desk = reader(page, 'bn');
    const payment = pay('500.00');
    await page.goto(await checkout.create(500));
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(payment.sent)})`);
    await desk.unfold('mfs_a');
    await page.getByRole('button', { name: desk.t.paste }).click();
    await page.getByText(desk.t.idFound.replace('{}', payment.trxId)).waitFor();
    t.is(await desk.field('mfs_a').inputValue(), payment.sent);
    t.is(await page.evaluate('document.activeElement.name'), 'transaction_id');
    await page.keyboard.press('Enter');
    await desk.says(desk.t.waiting);
    t.deepEqual(complaints, []);
  },
);

test.serial('shows no paste button if the browser does not allow reading the clipboard', async (t) => {
  const checkout = await openCheckout(t);
  const { context, page, complaints } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await context.addInitScript('delete Clipboard.prototype.readText');
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.copy('mfs_a', desk.t.numbers.personal).waitFor();
  t.is(await page.getByRole('button', { name: desk.t.paste }).count(), 0);
  t.deepEqual(complaints, []);
});

test.serial('a PIN is named in the field, and never leaves the page nor stays in the browser', async (t) => {
  const checkout = await openCheckout(t);
  const { page, requests } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const payment = pay('500.00');
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', '১২৩৪৫');
  await desk.submit('mfs_a').click();
  await page.getByText(desk.t.notAnId).waitFor();
  t.false(requests.some((url) => url.endsWith('/claim')));
  await page.reload();
  t.is(await desk.field('mfs_a').inputValue(), '');
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
});

test.serial(
  'where the browser copies nothing, the number is selected and the page says what to do',
  async (t) => {
    const checkout = await openCheckout(t);
    const { page } = await visitAlone(t, await browser(), { ...PHONE, ...BANGLA });
    const desk = reader(page, 'bn');
    await page.addInitScript(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } });
    document.execCommand = () => false;`,
    );
    await page.goto(await checkout.create(500));
    await desk.copy('mfs_a', desk.t.numbers.personal).click();
    await page.locator('.note.hold').filter({ hasText: desk.t.hold }).waitFor();
    t.is(await page.evaluate('getSelection().toString()'), WALLET);
  },
);
