/** Reports as pages: read by everybody, on a phone and on a large screen, by day, by night and on paper. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { faults } from '../helpers/browser/axe.js';
import { browserOf, visitAlone } from '../helpers/browser/browser.js';
import { openCli } from '../helpers/programs/cli.js';
import { bookDays, HOSTILE } from '../helpers/shop/book-days.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);
const WIDTHS = [390, 1280];

test.serial('no report has a fault, is too wide, runs what a name says or asks for anything', async (t) => {
  const kashbox = await openCli(t);
  await bookDays(t, kashbox.home, 12);
  const { page, complaints, requests } = await visitAlone(t, await browser());
  for (const report of ['daily', 'channels', 'devices', 'balances']) {
    const file = `${kashbox.home}/${report}.html`;
    const made = await kashbox('report', report, '--days', '12', '--html', file);
    t.is(made.code, 0, made.stderr);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.setContent(readFileSync(file, 'utf8'));
    t.deepEqual(await faults(page, variants(WIDTHS), WIDTHS), [], report);
    t.true((await page.innerText('main')).includes(HOSTILE), report);
    t.is(await page.locator('main script').count(), 0, report);
    await page.emulateMedia({ media: 'print' });
    t.true((await page.pdf({ format: 'A4' })).length > 1_000, report);
    t.deepEqual(complaints, [], report);
    t.deepEqual(requests, [], report);
  }
});
