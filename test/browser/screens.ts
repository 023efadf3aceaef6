/**
 * Takes the pictures of docs/checkout.md: every state of the checkout page, on a phone in Bangla and on a
 * large screen in English, from the real daemon in a real browser. Run by hand after a build:
 * `node dist/test/browser/screens.js`, or with the names of some states behind it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { BANGLA, DESKTOP, ENGLISH, launchBrowser, PHONE, visitAlone } from '../helpers/browser/browser.js';
import type { Owner } from '../helpers/programs/processes.js';
import { openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES } from '../helpers/shop/checkout-states.js';

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
  await takeAll({ teardown: (end) => endings.push(end) }, process.argv.slice(2));
} finally {
  for (const end of endings.reverse()) await end();
}
