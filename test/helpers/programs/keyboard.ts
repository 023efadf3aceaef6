/** A customer without a mouse, who must always see where the focus is. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';

/** More stops than any page has: whoever has not arrived by then goes round in circles. */
const MAX_STOPS = 60;

interface Stop {
  /** What a screen reader would call it, roughly: its label, or else its text. */
  readonly name: string;
  readonly isRinged: boolean;
  readonly isOnScreen: boolean;
}

/** Run in the page. */
const WHERE = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return {
    name: label.replace(/\\s+/g, ' ').trim(),
    isRinged: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
    isOnScreen: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
})()`;

/** Presses Tab until the focus is on something of that name; it must be visible at every stop. */
export async function tabTo(t: ExecutionContext<unknown>, page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const at: Stop = await page.evaluate(WHERE);
    t.true(at.isRinged && at.isOnScreen, `the focus on "${at.name}" is to be seen`);
    if (at.name.includes(name)) return;
    passed.push(at.name);
  }
  t.fail(`the keyboard does not reach "${name}" past ${passed.join(' | ')}`);
}
