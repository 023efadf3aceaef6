/** The API's reference in a real browser: it loads nothing else, fits a phone, and shuts nobody out. */
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { buildApp } from '../../daemon/http/app.js';
import { openLog } from '../../src/base/io/log.js';
import { faults } from '../helpers/browser/axe.js';
import { browserOf, DESKTOP, PHONE, visitAlone } from '../helpers/browser/browser.js';
import { tlsPair } from '../helpers/network/tls-pair.js';
import { openTestCore } from '../helpers/stores/engines.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

test('the reference is readable at any width, by day and by night, and asks for nothing else', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const app = await buildApp(core, { log: openLog('silent').log, tls: await tlsPair() });
  t.teardown(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = `https://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs`;
  const { page, complaints, requests } = await visitAlone(t, await browser(), {
    ...PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(address);
  t.deepEqual([complaints, requests], [[], [address]]);
  t.false(await page.isVisible('#verifyPayment h4'), 'folded');
  await page.click('a[href="#verifyPayment"]');
  await page.click('#verifyPayment button >> nth=0');
  await page.locator('#verifyPayment button:text-is("Copied")').waitFor();
  t.regex(await page.evaluate<string>('navigator.clipboard.readText()'), /^curl https:[\s\S]*"mfs_a"/);
  for (const name of ['PHP', 'JavaScript', 'Fields', 'Errors'])
    await page.click(`#verifyPayment summary:text-is("${name}")`);
  t.true(await page.isVisible('#verifyPayment >> text=data.amount_usdt'));
  t.true(await page.isVisible('#verifyPayment >> text=already verified and credited'));
  const widths = [320, DESKTOP.viewport.width];
  t.deepEqual(await faults(page, variants(widths), widths), []);
});
