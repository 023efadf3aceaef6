/**
 * Takes the pictures of docs/development/checkout-states.md: every state of the checkout page, on a phone in
 * Bangla and on a large screen in English, from the real daemon in a real browser. Run by hand after a build:
 * `node dist/test/browser/screens.js`, or with the names of some states behind it; `display` for
 * the pictures of docs/counter-display.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { BANGLA, DESKTOP, ENGLISH, launchBrowser, PHONE, visitAlone } from '../helpers/browser/browser.js';
import type { Owner } from '../helpers/programs/processes.js';
import { openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES } from '../helpers/shop/checkout-states.js';
import { openCounter } from '../helpers/shop/counter.js';

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url));

const QUALITY = 70;

const VIEWS = [
  { language: 'bn', size: 'phone', device: { ...PHONE, ...BANGLA } },
  { language: 'en', size: 'desktop', device: { ...DESKTOP, ...ENGLISH } },
] as const;

/** @returns the whole page as WebP: a third of a PNG, and no letter less sharp. */
async function take(context: BrowserContext, page: Page): Promise<Buffer> {
  const cdp = await context.newCDPSession(page);
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { ...cssContentSize, scale: 1 },
  });
  return Buffer.from(data, 'base64');
}

/** How the pages of a counter display are shown: on a tablet, and on a phone held upright. */
const DISPLAYS = [
  { language: 'bn', size: 'phone', device: { ...PHONE, ...BANGLA, isMobile: false } },
  { language: 'en', size: 'tablet', device: { ...ENGLISH, viewport: { width: 1024, height: 600 } } },
] as const;

async function takeDisplays(owner: Owner): Promise<void> {
  const browser = await launchBrowser();
  owner.teardown(() => browser.close());
  const { checkout, url, payment, send } = await openCounter(owner);
  for (const { language, size, device } of DISPLAYS) {
    const { context, page } = await visitAlone(owner, browser, { ...device, reducedMotion: 'reduce' });
    const save = async (name: string) => {
      await page.waitForTimeout(500);
      writeFileSync(join(folder, `display-${name}-${language}-${size}.webp`), await take(context, page));
    };
    await page.goto(url);
    await page.fill('#amount', language === 'bn' ? '২৫০' : '250');
    await save('start');
    await page.locator('form button:not([type])').click();
    await page.locator('main.code figure').waitFor();
    await save('code');
    await send('250.00', (await payment()).reference);
    await page.locator('main.ended').waitFor();
    await save('paid');
    await page.locator('#done button').click();
    await page.locator('main.start').waitFor();
    await context.close();
  }
  await checkout.stop();
}

async function takeAll(owner: Owner, wanted: readonly string[]): Promise<void> {
  const browser = await launchBrowser();
  owner.teardown(() => browser.close());
  const profile = { whatsapp: '01711000099', fees: ['mfs_c=1.85%'] };
  const checkout = await openCheckout(owner, { everything: true, profile });
  for (const { language, size, device } of VIEWS) {
    for (const name of STATE_NAMES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
      const { context, page } = await visitAlone(owner, browser, { ...device, reducedMotion: 'reduce' });
      await reach(name, checkout, page, language);
      const picture = await take(context, page);
      writeFileSync(join(folder, `${name}-${language}-${size}.webp`), picture);
      console.log(`${name}-${language}-${size}: ${picture.length} bytes`);
      await context.close();
    }
  }
}

mkdirSync(folder, { recursive: true });
const endings: (() => unknown)[] = [];
try {
  const owner: Owner = { teardown: (end) => void endings.push(end) };
  const wanted = process.argv.slice(2);
  if (wanted.length === 0 || wanted.includes('display')) await takeDisplays(owner);
  if (wanted.join() !== 'display') await takeAll(owner, wanted);
} finally {
  for (const end of endings.reverse()) await end();
}
