/** What axe-core finds in a page, by day and by night, and whether it is wider than the screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nobody reads here what is right with a page, nor the selectors that axe-core would look for. */
const CHEAP = { resultTypes: ['violations'], selectors: false } as const satisfies axe.RunOptions;

/** @param rules all where none is named. @returns a line for each that is broken, with what breaks it. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(AXE);
  const options = { ...CHEAP, ...(rules.length === 0 ? {} : { runOnly: rules }) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * @param judged widths at which every rule is tried. @param fitting those at which it must not be wider.
 * @param isAlsoDark whether its colours are judged by night, too.
 * @returns everything that is wrong with a page as it stands, in words.
 */
export async function faults(
  page: Page,
  judged: readonly number[],
  fitting: readonly number[] = judged,
  isAlsoDark = true,
): Promise<string[]> {
  const found: string[] = [];
  for (const width of judged) {
    await page.setViewportSize({ width, height: 800 });
    for (const line of await violations(page)) found.push(`at ${width}: ${line}`);
  }
  if (isAlsoDark) {
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const line of await violations(page, ['color-contrast'])) found.push(`in the dark: ${line}`);
  }
  for (const width of fitting) {
    await page.setViewportSize({ width, height: 640 });
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (excess > 0) found.push(`too wide for ${width} by ${excess}`);
  }
  return found;
}
