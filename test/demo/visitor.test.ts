/** A person who watches the demo pays by hand: a real browser on the link that it prints. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { browserOf, ENGLISH, visit } from '../helpers/browser/browser.js';
import { kashboxProgram, startNode, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const browser = browserOf(test);

test('pasting the SMS that demo prints on the page that it prints ends at the shop, paid', async (t) => {
  const folder = await temporaryFolder(t);
  const demo = startNode(t, [kashboxProgram, 'demo', '--json', '--port', '0'], { TMPDIR: folder });
  await demo.printed(/"steps":/);
  while (!demo.stderr().includes('Ctrl-C ends it')) await sleep(50);
  const [, paymentUrl = ''] = /^(https:\S+\/api\/execute\/\w+)$/m.exec(demo.stderr()) ?? [];
  const [paste = ''] = /^Send Money Tk 300\.00 .*$/m.exec(demo.stderr()) ?? [];

  const { page } = await visit(t, await browser(), { ...ENGLISH, ignoreHTTPSErrors: true });
  await page.goto(paymentUrl);
  await page.locator('summary', { hasText: 'bKash' }).click();
  const form = page.locator('form[action$="/claim"]').first();
  await form.locator('[name="transaction_id"]').fill(paste);
  await form.locator('button:not([type="button"])').click();
  await page.waitForURL(/\/thanks\?/);
  const { searchParams } = new URL(page.url());
  t.is(searchParams.get('status'), 'completed');
  t.is(searchParams.get('paymentAmount'), '300.00');
  t.true(paste.includes(`TrxID ${searchParams.get('transactionId')} `));
  t.true((await page.textContent('h1'))?.includes('Thank you'));

  const heard = "The shop's server hears of it: payment.completed, 300.00 taka, signature checked.";
  while (!demo.stderr().includes(heard)) await sleep(50);
  demo.kill('SIGINT');
  t.is((await withinTime(demo)).code, 0, demo.stderr());
  t.regex(demo.stderr(), /✓ Paid: your browser is at the shop's thank-you page:\n {2}status=completed, /);
});
