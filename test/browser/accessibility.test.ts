/**
 * Nobody is shut out: every state in both languages and sizes is judged by axe-core, by day and by night, and
 * none is wider than the screen.
 */

import test from 'ava';
import { faults, violations } from '../helpers/browser/axe.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES } from '../helpers/shop/checkout-states.js';

const browser = browserOf(test);

const LANGUAGES = [
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const;
const SIZES = [PHONE.viewport.width, DESKTOP.viewport.width];
/** The narrowest phone that is still sold, and the two of the tests. */
const WIDTHS = [320, 360, 1280];

for (const [language, locale] of LANGUAGES) {
  test.serial(`in ${language} no state has a fault at 360x640 or 1280x800, or is too wide`, async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    for (const name of STATE_NAMES) {
      const { context, page } = await visit(t, await browser(), { ...PHONE, ...locale });
      await reach(name, checkout, page, language);
      t.is(await page.getAttribute('html', 'lang'), language, name);
      t.deepEqual(await faults(page, SIZES, WIDTHS), [], name);
      await context.close();
    }
  });
}

test.serial('axe-core finds what is wrong where something is', async (t) => {
  const { page } = await visit(t, await browser());
  await page.setContent('<html lang="en"><title>T</title><main><h1>T</h1><button></button></main></html>');
  t.deepEqual(await violations(page), ['button-name: <button></button>']);
});
