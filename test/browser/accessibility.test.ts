/**
 * Nobody is shut out: every state in both languages and sizes is judged by axe-core, by day and by night, and
 * none is wider than the screen.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'ava';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES } from '../helpers/shop/checkout-states.js';

const browser = browserOf(test);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const LANGUAGES = [
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const;
const SIZES = [PHONE.viewport, DESKTOP.viewport];
/** The narrowest phone that is still sold, and the two of the tests. */
const WIDTHS = [320, 360, 1280];

/** @param rules all where none is named. @returns a line for each that is broken, with what breaks it. */
async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(AXE);
  const options = rules.length === 0 ? {} : { runOnly: rules };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Everything that is wrong with a page as it stands, in words. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const line of await violations(page)) found.push(`at ${size.width}: ${line}`);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const line of await violations(page, ['color-contrast'])) found.push(`in the dark: ${line}`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (excess > 0) found.push(`too wide for ${width} by ${excess}`);
  }
  return found;
}

for (const [language, locale] of LANGUAGES) {
  test.serial(`in ${language} no state has a fault at 360x640 or 1280x800, or is too wide`, async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    for (const name of STATE_NAMES) {
      const { context, page } = await visit(t, await browser(), { ...PHONE, ...locale });
      await reach(name, checkout, page, language);
      t.is(await page.getAttribute('html', 'lang'), language, name);
      t.deepEqual(await faults(page), [], name);
      await context.close();
    }
  });
}

test.serial('axe-core finds what is wrong where something is', async (t) => {
  const { page } = await visit(t, await browser());
  await page.setContent('<html lang="en"><title>T</title><main><h1>T</h1><button></button></main></html>');
  t.deepEqual(await violations(page), ['button-name: <button></button>']);
});
