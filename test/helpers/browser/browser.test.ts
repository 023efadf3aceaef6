/** The browser of the tests sees what it is there to see: without this, its silence would prove nothing. */
import test from 'ava';
import { newTlsPair } from '../network/tls-pair.js';
import { openShopSite } from '../shop/shop-site.js';
import { browserOf, visit, visitAlone } from './browser.js';

const browser = browserOf(test);

test.serial('a page that stays here and runs clean is not complained of', async (t) => {
  const site = await openShopSite(t);
  const { page, complaints } = await visit(t, await browser());
  await page.goto(site.url);
  t.is(await page.title(), 'Shop');
  t.deepEqual(complaints, []);
});

test.serial('a request that leaves this machine is noticed and reaches nobody', async (t) => {
  const site = await openShopSite(t);
  const { page, complaints } = await visit(t, await browser());
  await page.goto(site.url);
  const failed = page.waitForEvent('requestfailed');
  await page.evaluate("fetch('https://elsewhere.example/pixel.png').catch(() => 0)");
  t.is((await failed).failure()?.errorText, 'net::ERR_NAME_NOT_RESOLVED');
  t.is(complaints[0], 'asked for https://elsewhere.example/pixel.png');
});

test.serial('an uncaught error, a broken policy and an error on the console are noticed', async (t) => {
  const { page, complaints } = await visitAlone(t, await browser());
  await page.setContent('<script>console.error("bad"); throw new Error("thrown")</script>');
  await page.setContent(
    `<meta http-equiv="content-security-policy" content="script-src 'self'"><script>ran = 1</script>`,
  );
  t.true(complaints.includes('error: bad'));
  t.true(complaints.includes('uncaught: thrown'));
  t.true(complaints.some((line) => line.includes('Content Security Policy')));
});

test.serial('a server with a key of its own is not trusted', async (t) => {
  const { page } = await visit(t, await browser());
  const site = await openShopSite(t, newTlsPair());
  await t.throwsAsync(page.goto(site.url), { message: /ERR_CERT/ });
});
