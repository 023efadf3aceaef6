/** The display at a counter: a cashier types, a customer scans, and a tone says that the money is here. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { requireDisplay, showOnDisplay } from '../../../src/actions/links/display.js';
import { faults } from '../../helpers/browser/axe.js';
import { BANGLA, browserOf, ENGLISH, PHONE, until, visitAlone } from '../../helpers/browser/browser.js';
import { TEXTS } from '../../helpers/browser/checkout-page.js';
import { scan } from '../../helpers/browser/zbar.js';
import { openCounter } from '../../helpers/shop/counter.js';
import { WALLET } from '../../helpers/shop/shop.js';

const browser = browserOf(test);
const TABLET = { viewport: { width: 1024, height: 600 }, hasTouch: true } as const;
const { display: EN } = TEXTS.en;

/** How the tablets of counters are held: three wide ones, and a phone. */
const SCREENS = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
];

const says = (page: Page, words: string) => page.getByText(words).first().waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const shows = (page: Page, screen: string) => page.locator(`main.${screen}`).waitFor();
const CODE = "document.querySelector('figure img').naturalWidth > 0";

test.serial(
  'an amount is typed, its code is scanned off the screen, and the tone says that it is paid',
  async (t) => {
    const counter = await openCounter(t);
    const { page, complaints } = await visitAlone(t, await browser(), { ...TABLET, ...ENGLISH });
    await page.goto(counter.url);
    await shows(page, 'start');
    for (const key of ['2', '5', '9', '⌫', '0', '.', '5']) {
      await page.locator(`[data-key="${key}"]`).click();
    }
    t.is(await page.locator('#amount').inputValue(), '250.5');
    await press(page, EN.show);
    await shows(page, 'code');
    await until(page, CODE);
    const { code, reference, name } = await counter.payment();
    t.true(code.includes('5406250.50'));
    t.deepEqual(await scan(t, await page.screenshot()), [code]);
    const text = await page.locator('main').innerText();
    for (const words of ['৳ 250.50', 'ALO STORE', reference, EN.scan]) t.true(text.includes(words), words);
    await counter.send('250.50', reference);
    await shows(page, 'ended');
    await says(page, EN.paid);
    await says(page, EN.paidFrom('0001'));
    t.false((await page.content()).includes('01900000001'), 'no more of the number');
    await until(page, `document.documentElement.dataset.tone === '${name}'`);
    await shows(page, 'start');
    t.is((await counter.payment()).name, '', 'also in the store');
    t.is(await page.locator('#amount').inputValue(), '');
    t.deepEqual(complaints, []);
  },
);

test.serial(
  'a reload, a broken network and a restart of the daemon come back to the same payment',
  async (t) => {
    const counter = await openCounter(t);
    const { page, context } = await visitAlone(t, await browser(), { ...TABLET, ...ENGLISH });
    await page.goto(counter.url);
    await page.locator('[data-key="7"]').click();
    await page.locator('[data-key="0"]').click();
    await press(page, EN.show);
    await shows(page, 'code');
    const { reference, name } = await counter.payment();
    await page.reload();
    await says(page, reference);
    await context.setOffline(true);
    await says(page, TEXTS.en.offline);
    await context.setOffline(false);
    await counter.checkout.stop();
    await counter.checkout.start();
    await counter.send('70.00', reference);
    await says(page, EN.paid);
    t.is((await counter.payment()).name, name);
  },
);

test.serial('Cancel leads to the start, and the payment is not open any longer', async (t) => {
  const counter = await openCounter(t);
  const { page, complaints } = await visitAlone(t, await browser(), { ...TABLET, ...ENGLISH });
  await page.goto(counter.url);
  await page.locator('[data-key="9"]').click();
  await press(page, EN.show);
  await shows(page, 'code');
  const { name } = await counter.payment();
  await press(page, EN.cancel);
  await shows(page, 'start');
  const rows = await counter.checkout.core.store.read((db) =>
    db.query.selectFrom('sessions').where('gateway_reference', '=', name).select('reason').execute(),
  );
  t.deepEqual(rows, [{ reason: 'cancelled' }]);
  t.deepEqual(complaints, []);
});

test.serial('a program shows and clears an amount, and a muted display makes no sound', async (t) => {
  const counter = await openCounter(t);
  const { page } = await visitAlone(t, await browser(), { ...TABLET, ...ENGLISH });
  await page.goto(counter.url);
  await page.getByRole('button', { name: EN.mute }).click();
  await page.locator('#mute[aria-pressed=true]').waitFor();
  const call = async (path: string, body: object) => {
    const key = { 'brand-key': counter.checkout.shop.brandKey };
    return counter.checkout.daemon().post(`/api/v2/display/${path}`, key, { link: counter.id, ...body });
  };
  t.is((await call('show', { amount: 40, description: 'Table 4' })).status, 200);
  await shows(page, 'code');
  await says(page, 'Table 4');
  t.is((await call('show', { amount: 41 })).status, 409, 'a customer may be paying');
  t.is((await call('clear', {})).status, 200);
  await shows(page, 'start');
  t.is((await call('show', { amount: 42 })).status, 200);
  await says(page, '৳ 42.00');
  await counter.send('42.00', (await counter.payment()).reference);
  await says(page, EN.paid);
  t.is(await page.evaluate('document.documentElement.dataset.tone'), undefined);
  // Of another process, as a command of the operator is.
  const { core } = counter.checkout;
  const link = await requireDisplay(core, counter.id);
  await showOnDisplay(core, { link, amountPaisa: 4_300, publicBase: counter.checkout.daemon().url });
  await says(page, '৳ 43.00');
});

test.serial('the page fits every screen, in both languages, and axe-core finds no fault', async (t) => {
  const counter = await openCounter(t);
  for (const language of ['bn', 'en'] as const) {
    const locale = language === 'bn' ? BANGLA : ENGLISH;
    const { page } = await visitAlone(t, await browser(), { ...PHONE, ...locale, isMobile: false });
    const { display } = TEXTS[language];
    const fits = async (screen: string) => {
      for (const size of SCREENS) {
        await page.setViewportSize(size);
        const box = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]',
        );
        t.true((box[0] ?? 1) <= 0 && (box[1] ?? 1) <= 0, `${screen} ${language} ${size.width}: ${box}`);
      }
    };
    await page.goto(counter.url);
    await fits('start');
    t.deepEqual(await faults(page, [360, 1024]), []);
    await page.fill('#amount', language === 'bn' ? '১২৫০' : '1250');
    await press(page, display.show);
    await shows(page, 'code');
    await until(page, CODE);
    // Numbers of payments are random: the widest letters may need another line.
    await page.evaluate(
      "document.querySelectorAll('.id').forEach((id) => (id.textContent = id.textContent.replace(/./g, 'W')))",
    );
    await fits('code');
    const { code, reference } = await counter.payment();
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      t.deepEqual(await scan(t, await page.screenshot()), [code], `${size.width}`);
    }
    t.deepEqual(await faults(page, [360, 1024]), []);
    await counter.send('1250.00', reference);
    await shows(page, 'ended');
    await fits('ended');
    await press(page, display.next);
    await shows(page, 'start');
  }
});

test.serial(
  'without a code the display gives the number and the reference; without script it says so',
  async (t) => {
    const counter = await openCounter(t, false);
    const device = { ...TABLET, ...ENGLISH, javaScriptEnabled: false };
    const { page, complaints } = await visitAlone(t, await browser(), device);
    await page.goto(counter.url);
    await says(page, EN.noScript);
    await page.fill('#amount', '0');
    await press(page, EN.show);
    await page.getByRole('alert').waitFor();
    await page.fill('#amount', '30');
    await press(page, EN.show);
    await says(page, EN.noCode.title);
    const text = await page.locator('main').innerText();
    const { reference } = await counter.payment();
    for (const words of [WALLET, reference, EN.noCode.text]) t.true(text.includes(words), words);
    await counter.send('30.00', reference);
    await says(page, EN.paid);
    await press(page, EN.next);
    await shows(page, 'start');
    t.deepEqual(complaints, []);
  },
);
