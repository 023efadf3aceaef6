/** What a link's pages say where strangers have used up a day, and its card of USDT, without a script. */
import test from 'ava';
import { useFacts } from '../../../src/domain/strangers/budget.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { openBrowser } from './browser.js';
import { openLinks, target } from './link-page.js';

test('the card of USDT is opened by a form: then it shows address and amount, and keeps them', async (t) => {
  const { core, shop, browser, create, press } = await openLinks(t);
  await takeUsdt(core, { brand: shop.brand.name, nodes: [] });
  const { path } = await create({ amount: '600' });
  const page = target(await press(path));
  const { body } = await browser.visit(page);
  t.true(body.includes(`action="${page}/quote"`));
  t.false(body.includes('5.0000 USDT'));
  t.true((await browser.visit(`${page}?lang=en`)).body.includes('Show address and amount'));
  const opened = await browser.submit(page, 'quote', { method: 'bep20' });
  t.deepEqual([opened.statusCode, target(opened)], [303, page]);
  const shown = (await browser.visit(page)).body;
  t.true(shown.includes('5.0000 USDT') || shown.includes('5 USDT'));
  t.regex(shown, /<details class="card bep20" open>/);
  t.false(shown.includes(`action="${page}/quote"`));
  t.is((await browser.visit(`${page}/quote`)).headers.location, page);
});

test('a form for an amount that is of another browser, or names nothing, holds nothing', async (t) => {
  const { app, core, shop, browser, create, press } = await openLinks(t);
  await takeUsdt(core, { brand: shop.brand.name, nodes: [] });
  const page = target(await press((await create({ amount: '600' })).path));
  const token = await browser.tokenOf(page);
  t.is((await openBrowser(app).submit(page, 'quote', { method: 'bep20', token })).statusCode, 403);
  t.is(target(await browser.submit(page, 'quote', { method: 'nothing' })), page);
  t.is((await browser.submit(page, 'quote', { method: 'mfs_a' })).statusCode, 422);
  t.deepEqual(await core.store.read((db) => db.query.selectFrom('quotes').select('channel').execute()), []);
});

test('above the limit of the day a press is answered with 429, when to come again, and words', async (t) => {
  const { core, browser, create, press, payments } = await openLinks(t, {
    env: { KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '100000' },
  });
  const { path } = await create({ fields: ['order=Order'] });
  const most = useFacts('payments').limits.address ?? 0;
  for (let n = 0; n < most; n += 1) t.is((await press(path, { 'f:order': `${n}` })).statusCode, 303);
  const known = await payments();
  const refused = await press(`${path}?lang=en`, { 'f:order': 'one more' });
  t.is(refused.statusCode, 429);
  t.true(Number(refused.headers['retry-after']) > 0);
  t.true(refused.body.includes('Too many payments were started here today'));
  t.is(await payments(), known);
  t.true((await browser.visit(path)).statusCode === 200, 'the page itself can be read');
  t.truthy(core);
});
