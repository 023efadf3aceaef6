/**
 * Nobody is shut out: every state in both languages and sizes is judged by axe-core, by day and by night, and
 * none is wider than the screen.
 */

import test from 'ava';
import type { Page } from 'playwright-core';
import type { Language } from '../../daemon/checkout/page.js';
import { faults, violations } from '../helpers/browser/axe.js';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  type Visitor,
  visitAlone,
} from '../helpers/browser/browser.js';
import { ownerOf } from '../helpers/programs/processes.js';
import { type Checkout, openCheckout } from '../helpers/shop/checkout.js';
import { reach, STATE_NAMES, type StateName } from '../helpers/shop/checkout-states.js';
import { isSoak, variants } from '../helpers/tiers.js';

const browser = browserOf(test);
const owner = ownerOf(test);
let opened: Promise<Checkout> | undefined;

function checkout(): Promise<Checkout> {
  opened ??= openCheckout(owner, { everything: true });
  return opened;
}

const LOCALES = { bn: BANGLA, en: ENGLISH } as const;
const SIZES = [PHONE.viewport.width, DESKTOP.viewport.width];
/** The narrowest phone that is still sold, and the two of the tests. */
const WIDTHS = [320, 360, 1280];

/** These have all colours of the page among them; the others are judged by night in the soak. */
const BY_NIGHT: readonly StateName[] = [
  'method',
  'problem',
  'waiting',
  'differs',
  'success',
  'review',
  'cancelled',
];

/** The page of the state before must not lead to the shop while the next one loads. */
const NO_TIMERS = 'for (let id = setTimeout(() => {}); id > 0; id -= 1) clearTimeout(id)';

/** One page for all states of a language: axe-core takes twice as long in each new process of Chromium. */
const visitors: Partial<Record<Language, Promise<Visitor>>> = {};

/** @returns it as a phone shows it by day, to a customer who has not been here. */
async function pageIn(language: Language): Promise<Page> {
  visitors[language] ??= visitAlone(owner, await browser(), { ...PHONE, ...LOCALES[language] });
  const { page, context } = await visitors[language];
  await page.evaluate(NO_TIMERS);
  await page.unrouteAll();
  await context.clearCookies();
  await page.setViewportSize(PHONE.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
  return page;
}

// A test for each state: AVA takes a test without an answer for five minutes for one that hangs.
for (const language of variants(['bn', 'en'] as const)) {
  for (const name of STATE_NAMES) {
    test.serial(`${name} in ${language} has no fault, and fits at 320, 360 and 1280`, async (t) => {
      const page = await pageIn(language);
      await reach(name, await checkout(), page, language);
      t.is(await page.getAttribute('html', 'lang'), language);
      t.deepEqual(await faults(page, variants(SIZES), WIDTHS, isSoak || BY_NIGHT.includes(name)), []);
    });
  }
}

test.serial('axe-core finds what is wrong where something is', async (t) => {
  const { page } = await visitAlone(t, await browser());
  await page.setContent('<html lang="en"><title>T</title><main><h1>T</h1><button></button></main></html>');
  t.deepEqual(await violations(page), ['button-name: <button></button>']);
});
