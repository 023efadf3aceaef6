/** The page of a payment link: what it shows, what its button does, and what strangers try on it. */
import test from 'ava';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { disableLink } from '../../../src/actions/links/links.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { pngLogo } from '../../helpers/shop/logos.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { openBrowser, PAGES, stateOf } from './browser.js';
import { FORM, openLinks, target } from './link-page.js';

const FIELDS = ['name*=Your name', 'size=Size'];

test('opening the page creates nothing, whatever the client and however often', async (t) => {
  const { app, create, payments, browser } = await openLinks(t);
  const { path } = await create({ title: 'Red sari', fields: FIELDS });
  for (const method of ['GET', 'HEAD'] as const) {
    for (const agent of ['facebookexternalhit/1.1', 'WhatsApp/2.23', 'Mozilla/5.0']) {
      const answer = await openBrowser(app).visit(path, { method, headers: { 'user-agent': agent } });
      t.is(answer.statusCode, 200);
    }
  }
  t.is(await payments(), 0);
  const { body, headers } = await browser.visit(`${path}?lang=en`);
  for (const text of [
    'Alo Store',
    'Red sari',
    '৳ 500.00',
    'Your name',
    'Size (optional)',
    EN.link.go('৳ 500.00'),
  ]) {
    t.true(body.includes(text), text);
  }
  t.regex(body, /<title>Red sari · Alo Store<\/title>/);
  t.is(headers['cache-control'], 'no-store');
  t.regex(String(headers['content-security-policy']), /default-src 'none'.*form-action 'self'/);
  t.true((await browser.visit(path)).body.includes(EN.link.go('৳ 500.00')), 'the language is remembered');
  t.true((await openBrowser(app).visit(path)).body.includes(BN.link.go('৳ ৫০০.০০')));
});

test('the button opens a payment and leads to its page, in the language that was chosen', async (t) => {
  const { core, browser, create, payments, press } = await openLinks(t);
  const { path, id } = await create({ title: 'Red sari', fields: FIELDS });
  await browser.visit(`${path}?lang=en`);
  const entered = { 'f:name': 'Rahima', 'f:size': 'XL' };
  const pressed = await press(path, entered);
  t.is(pressed.statusCode, 303);
  t.regex(target(pressed), /^\/api\/execute\/[0-9a-f]{32}$/);
  const page = await browser.visit(target(pressed));
  t.is(stateOf(page), 'open');
  for (const text of ['Red sari', 'Rahima', EN.toPay]) t.true(page.body.includes(text), text);
  t.is(target(await press(path, entered)), target(pressed), 'pressed twice');
  t.is(await payments(), 1);
  const payment = await showPayment(core, target(pressed).slice(-32));
  t.like(payment, { link: id, cus_name: 'Rahima', amount: '500.00' });
  t.deepEqual(
    payment.entered.map(({ value }) => value),
    ['Rahima', 'XL'],
  );
});

test('the payer is thanked each time, with the entered values; others see neither', async (t) => {
  const { app, browser, create, press, shop, clock } = await openLinks(t);
  const { path } = await create({ title: 'Red sari', fields: FIELDS });
  await browser.visit(`${path}?lang=en`);
  const page = target(await press(path, { 'f:name': 'Rahima', 'f:size': 'XL' }));
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const claimed = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  for (const at of [target(claimed), page]) {
    const { body } = await browser.visit(at);
    const texts = [EN.link.thanks('Alo Store').title, 'Red sari', 'Rahima', '>XL<', trxId, 'Your name'];
    for (const text of texts) t.true(body.includes(text), `${at}: ${text}`);
    t.false(body.includes('id="back"'), 'there is no shop to go back to');
    t.notRegex(body, /http-equiv="refresh"/);
  }
  const { body } = await openBrowser(app).visit(`${page}?lang=en`);
  // Two letters may stand by chance in an id of the page.
  for (const text of ['Rahima', '>XL<', trxId]) t.false(body.includes(text), text);
  t.true(body.includes(EN.completed.again.title));
});

test('a payment that was cancelled or has run out leads back to the link', async (t) => {
  const { browser, clock, create, press } = await openLinks(t);
  const { path } = await create();
  await browser.visit(`${path}?lang=en`);
  const page = target(await press(path));
  await browser.submit(page, 'cancel');
  const cancelled = await browser.visit(`${page}?now=1`);
  t.is(stateOf(cancelled), 'cancelled');
  const other = target(await press(path));
  t.not(other, page);
  clock.advance(3 * 3_600_000);
  const expired = await browser.visit(other);
  t.is(stateOf(expired), 'expired');
  for (const { body } of [cancelled, expired]) {
    t.true(body.includes(`<a id="back" class="button" href="${path}">${EN.link.again}</a>`));
    t.false(body.includes('seller’s site'));
    t.false(body.includes('data-seconds'));
  }
});

test('an error is shown at its field, and typed text is kept', async (t) => {
  const { browser, create, payments, press } = await openLinks(t);
  const { path } = await create({ amount: undefined, min: '100', max: '5000', fields: FIELDS });
  await browser.visit(`${path}?lang=en`);
  const long = 'x'.repeat(201);
  const answer = await press(path, { amount: '1e3', 'f:name': '', 'f:size': long });
  t.is(answer.statusCode, 422);
  for (const text of [
    EN.link.amountFaults.unreadable(),
    EN.link.valueFaults.empty,
    EN.link.valueFaults.too_long,
    'value="1e3"',
    `value="${long}"`,
    'href="#amount"',
  ]) {
    t.true(answer.body.includes(text), text);
  }
  t.is(answer.body.match(/aria-invalid="true"/g)?.length, 3);
  t.is(answer.body.match(/ autofocus/g)?.length, 1);
  t.true((await press(path, { amount: '50', 'f:name': 'R' })).body.includes('at least ৳ 100.00'));
  t.true((await press(path, { amount: '9999', 'f:name': 'R' })).body.includes('at most ৳ 5,000.00'));
  t.is(await payments(), 0);
  const paid = await press(path, { amount: '১,২৫০', 'f:name': 'R' });
  t.is(paid.statusCode, 303);
  t.true((await browser.visit(target(paid))).body.includes('৳ 1,250.00'));
});

test('a link that takes no payment says so, and says to ask the shop', async (t) => {
  const { core, clock, browser, create, payments, press, shop } = await openLinks(t);
  const until = clock.now() + 60_000;
  const [ended, disabled, plain] = [await create({ until }), await create(), await create()];
  const tokens = await Promise.all([ended, disabled, plain].map(({ path }) => browser.tokenOf(path)));
  await browser.visit(`${plain.path}?lang=en`);
  clock.advance(60_000);
  await disableLink(core, { link: disabled.id, base: '', who: 'test' });
  await changeMerchantStatus(core, { merchant: shop.brand.name, status: 'SUSPENDED', who: 'test' });
  const says = [
    [ended, 410, EN.link.closed.ENDED],
    [disabled, 410, EN.link.closed.DISABLED],
    [plain, 403, EN.link.closed.SUSPENDED],
  ] as const;
  for (const [at, [{ path }, code, { title, text }]] of says.entries()) {
    const token = tokens[at] ?? '';
    for (const answer of [await browser.visit(path), await press(path, { token })]) {
      t.is(answer.statusCode, code);
      t.true(answer.body.includes(title) && answer.body.includes(text), title);
      t.false(answer.body.includes('<form'));
    }
  }
  t.is(await payments(), 0);
});

test('a form needs the token of this link and the cookie of this browser', async (t) => {
  const { app, browser, create, open, payments, press } = await openLinks(t);
  const [{ path }, other] = [await create({ fields: FIELDS }), await create()];
  const fields = { 'f:name': '<b>Rahima</b>' };
  const stranger = openBrowser(app);
  await stranger.visit(path);
  const checkoutPage = await open();
  const wrong = [
    [browser, ''],
    [browser, 'x'],
    [browser, await browser.tokenOf(other.path)],
    [browser, await browser.tokenOf(checkoutPage)],
    [stranger, await browser.tokenOf(path)],
    [openBrowser(app), await browser.tokenOf(path)],
  ] as const;
  for (const [by, token] of wrong) {
    const answer = await press(path, { ...fields, token }, by, { 'accept-language': 'en' });
    t.is(answer.statusCode, 403);
    t.true(answer.body.includes(EN.problems.stale_form) || answer.body.includes(BN.problems.stale_form));
    t.true(answer.body.includes('value="&lt;b&gt;Rahima&lt;/b&gt;"'), 'what was typed is kept');
  }
  for (const headers of [
    { origin: 'https://evil.example.org' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ] as const) {
    t.is((await press(path, fields, browser, headers as Record<string, string>)).statusCode, 403);
  }
  t.is(await payments(), 1, 'the checkout page that was opened above');
});

test('fields of another link count for nothing, nor does an amount where it is fixed', async (t) => {
  const { core, create, press } = await openLinks(t);
  const { path, id } = await create({ fields: ['size=Size'] });
  const extra = { amount: '1', 'f:name': 'Mallory', 'f:constructor': 'x', f: 'y', size: 'z', name: 'q' };
  const pressed = await press(path, { ...extra, 'f:size': 'M' });
  t.is(pressed.statusCode, 303);
  const session = target(pressed).slice(-32);
  t.like(await showPayment(core, session), { amount: '500.00', cus_name: 'Default Name' });
  const [row] = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.deepEqual(JSON.parse(row?.meta_data ?? ''), { link: id, fields: { size: 'M' } });
});

test('bodies that are too large or no form are refused', async (t) => {
  const { browser, create, payments } = await openLinks(t);
  const { path } = await create({ fields: FIELDS });
  const token = await browser.tokenOf(path);
  const send = async (payload: string, type = FORM['content-type']) =>
    (await browser.visit(path, { method: 'POST', payload, headers: { 'content-type': type } })).statusCode;
  t.is(await send(`token=${token}&f%3Aname=${'a'.repeat(65_536)}`), 413);
  t.is(await send(`token=${token}&f%3Aname=A&f%3Aname=B`), 400);
  t.is(await send(`token=${token}&${Array.from({ length: 10 }, (_, n) => `x${n}=1`).join('&')}`), 400);
  t.is(await send(`token=${token}&f%3Aname=%ff`), 400);
  t.is(await send(JSON.stringify({ token }), 'application/json'), 415);
  t.is(await send(`token=${token}&f%3Aname=a%0Ab`), 422);
  t.is(await send(`token=${token}&f%3Aname=a%00b`), 422);
  t.is(await payments(), 0);
});

test('markup in title, label and value is text on every page', async (t) => {
  const { browser, create, press, shop, clock } = await openLinks(t);
  const evil = '"><script>alert(1)</script>';
  const { path } = await create({ title: evil, fields: [`size=${evil}`] });
  const page = target(await press(path, { 'f:size': evil }));
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const bodies = [await browser.visit(path), await press(path, { 'f:size': `${evil}\tx` })];
  bodies.push(await browser.visit(page));
  await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  const paid = await browser.visit(`${page}?now=1`);
  t.is(stateOf(paid), 'completed');
  bodies.push(paid);
  for (const { body } of bodies) {
    t.false(body.includes('<script>alert'));
    t.true(body.includes('&lt;script&gt;alert'));
  }
});

test('links that are spoiled lead to the right one, unknown ones to nothing, many to a limit', async (t) => {
  const { browser, create } = await openLinks(t, {
    env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '5', KASHBOX_BASE_PATH: '/shop' },
  });
  const { path } = await create();
  t.is((await browser.visit(path)).statusCode, 200);
  for (const spoiled of [
    `${path.slice(0, -12)}${path.slice(-12).toUpperCase()}`,
    `${path})`,
    `${path}&x=1`,
  ]) {
    const answer = await browser.visit(spoiled);
    t.deepEqual([answer.statusCode, answer.headers.location], [302, path], spoiled);
  }
  t.is((await browser.visit(`${path}?fbclid=x`)).statusCode, 200);
  const codes: number[] = [];
  for (const id of ['2'.repeat(12), 'x', '0'.repeat(12), 'a/b', '%00', '3'.repeat(12), '4'.repeat(12)]) {
    codes.push((await browser.visit(`/shop/pay/${id}`)).statusCode);
  }
  t.deepEqual(codes, [404, 404, 404, 404, 404, 429, 429]);
  t.is((await browser.visit(path)).statusCode, 200);
});

test('the button is pressed so often from one address and no more', async (t) => {
  const { app, create, press, payments } = await openLinks(t, {
    env: { KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '3' },
  });
  const { path } = await create();
  const codes: number[] = [];
  for (let n = 0; n < 5; n += 1) codes.push((await press(path, {}, openBrowser(app))).statusCode);
  t.deepEqual(codes, [303, 303, 303, 429, 429]);
  t.is(await payments(), 3);
});

test('neither link nor what was entered is in the log, and other methods are refused', async (t) => {
  const { browser, create, press, logLines } = await openLinks(t);
  const { path, id } = await create({ fields: FIELDS });
  await press(path, { 'f:name': 'CANARY' });
  await press(path, { 'f:name': 'CANARY', token: 'x' });
  for (const method of ['PUT'] as const) t.is((await browser.visit(path, { method })).statusCode, 405);
  const log = logLines.join('');
  t.true(log.includes('"route":"/pay/:ref"'));
  for (const secret of [id, 'CANARY']) t.false(log.includes(secret), secret);
  t.is(PAGES, '/api/execute');
});

test('the preview of a link shows item and price, that of a payment only the name of the shop', async (t) => {
  const { browser, core, create, open, shop } = await openLinks(t);
  await updateBrand(core, { brand: shop.brand.name, logo: pngLogo(), who: 'test' });
  const { path } = await create({ title: 'Red sari' });
  const metaOf = (html: string, name: string) =>
    new RegExp(`<meta (?:property|name)="${name}" content="(.*?)">`).exec(html)?.[1];
  const link = (await browser.visit(`${path}?lang=en`)).body;
  t.is(metaOf(link, 'og:title'), 'Red sari');
  for (const name of ['description', 'og:description'])
    t.is(metaOf(link, name), '৳ 500.00 · Red sari · Alo Store');
  t.is(metaOf(link, 'og:url'), `https://pay.example.com${path}`);
  t.is(metaOf(link, 'og:locale'), 'en_US');
  t.regex(metaOf(link, 'og:image') ?? '', /^https:\/\/pay\.example\.com\/api\/picture\/\w+\.png$/);
  const payment = (await browser.visit(`${await open()}?lang=en`)).body;
  t.is(metaOf(payment, 'og:title'), 'Payment to Alo Store');
  t.is(metaOf(payment, 'og:site_name'), 'Alo Store');
  t.notRegex(metaOf(payment, 'og:description') ?? '', /500|Customer/);
});
