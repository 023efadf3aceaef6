/**
 * Nobody is shut out: every state in both languages and sizes is judged by axe-core, by day and by night, and
 * none is wider than the screen.
 */

import test from 'ava';
import { faults, violations } from '../helpers/browser/axe.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { ownerOf } from '../helpers/programs/processes.js';
import { type Checkout, openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES } from '../helpers/shop/checkout-states.js';

const browser = browserOf(test);
const owner = ownerOf(test);
let opened: Promise<Checkout> | undefined;

function checkout(): Promise<Checkout> {
  opened ??= openCheckout(owner, { everything: true });
  return opened;
}

const LANGUAGES = [
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const;
const SIZES = [PHONE.viewport.width, DESKTOP.viewport.width];
/** The narrowest phone that is still sold, and the two of the tests. */
const WIDTHS = [320, 360, 1280];

// A test for each state: AVA takes a test without an answer for five minutes for one that hangs.
for (const [language, locale] of LANGUAGES) {
  for (const name of STATE_NAMES) {
    test.serial(`${name} in ${language} has no fault at 360x640 or 1280x800, and fits`, async (t) => {
      const { page } = await visit(t, await browser(), { ...PHONE, ...locale });
      await reach(name, await checkout(), page, language);
      t.is(await page.getAttribute('html', 'lang'), language);
      t.deepEqual(await faults(page, SIZES, WIDTHS), []);
    });
  }
}

test.serial('axe-core finds what is wrong where something is', async (t) => {
  const { page } = await visit(t, await browser());
  await page.setContent('<html lang="en"><title>T</title><main><h1>T</h1><button></button></main></html>');
  t.deepEqual(await violations(page), ['button-name: <button></button>']);
});
