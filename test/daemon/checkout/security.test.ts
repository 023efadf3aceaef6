/** What strangers try on the checkout page, and what they get. */
import test from 'ava';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { openBrowser, openCheckout, PAGES, stateOf } from './browser.js';
import { withoutScript } from './view/view-pages.js';

const FORMS = ['claim', 'cancel', 'bank'] as const;
const CLAIM = { method: 'mfs_a', transaction_id: 'DHL1000001' };

test('a form of another site is refused, whatever it carries, and nothing happens', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const signs = [
    { origin: 'https://evil.example.org' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://pay.example.com', 'sec-fetch-site': 'same-site' },
    { origin: 'http://pay.example.com' },
  ];
  for (const form of FORMS) {
    for (const headers of signs) {
      const answer = await browser.submit(page, form, CLAIM, headers as Record<string, string>);
      t.is(answer.statusCode, 403);
      t.regex(answer.body, /^<!doctype html>/i);
      t.true(answer.body.includes(`href="${page}"`), 'says where to try again');
    }
  }
  t.is(stateOf(await browser.visit(page)), 'open');
  const own = { origin: 'https://pay.example.com', 'sec-fetch-site': 'same-origin' };
  t.is((await browser.submit(page, 'cancel', {}, own)).statusCode, 303);
});

test('a form needs the token of this page and the cookie of this browser', async (t) => {
  const { app, browser, open } = await openCheckout(t);
  const [page, other] = [await open(), await open()];
  const token = await browser.tokenOf(page);
  const stranger = openBrowser(app);
  await stranger.visit(page);
  const refused = async (who: typeof browser, at: string, value: string) => {
    for (const form of FORMS)
      t.is((await who.submit(at, form, { ...CLAIM, token: value })).statusCode, 403, form);
  };
  await refused(browser, page, '');
  await refused(browser, page, `${token.slice(0, -2)}AA`);
  await refused(browser, other, token);
  await refused(stranger, page, token);
  await refused(openBrowser(app), page, token);
  await refused(browser, `${PAGES}/${'0'.repeat(32)}`, token);
  t.is(stateOf(await browser.visit(page)), 'open');
});

test('nobody becomes the payer by claiming what somebody else has paid', async (t) => {
  const { app, browser, open, shop, clock } = await openCheckout(t);
  const page = await open();
  const stranger = openBrowser(app);
  const token = await stranger.tokenOf(page);
  const trxId = bkashId(clock.now(), 5);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  const late = await stranger.submit(page, 'claim', { ...CLAIM, token });
  t.is(late.statusCode, 303);
  t.false((await stranger.visit(`${page}?now=1`)).body.includes(trxId));
});

test('rejects a body that is not a form before any lookup', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  const send = async (payload: string | Buffer, type = 'application/x-www-form-urlencoded') =>
    (await browser.visit(`${page}/claim`, { method: 'POST', payload, headers: { 'content-type': type } }))
      .statusCode;
  t.is(await send(JSON.stringify({ token, ...CLAIM }), 'application/json'), 415);
  t.is(await send('x', 'text/plain'), 415);
  t.is(await send(`token=${token}&method=mfs_a&transaction_id=%ff%fe`), 400);
  t.is(await send(Buffer.from([0x74, 0x3d, 0xff])), 400);
  t.is(await send(`token=${token}&transaction_id=A&transaction_id=B&method=mfs_a`), 400);
  t.is(await send(`token=${token}&x=${'a'.repeat(65_536)}`), 413);
  t.is(await send(''), 403);
  t.is(await send('__proto__=x&constructor=y&__proto__[token]=z'), 403);
  t.is(await send(`__proto__[method]=mfs_a&token=${token}&transaction_id[]=DHL1000001`), 422);
  t.is(({} as Record<string, unknown>).method, undefined);
});

test('odd ids come back as what they are: harmless text', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  const odd = [
    '</textarea><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' OR 1=1--",
    '{{7*7}}<%= 7*7 %>',
    'a\0b\u0007c',
    '\u202e৳৳৳',
    '<%= process.exit() %>',
    'A'.repeat(5_000),
  ];
  for (const text of odd) {
    const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: text });
    t.is(answer.statusCode, 422, text.slice(0, 20));
    t.notRegex(withoutScript(answer.body), /<script>alert|<img src=x|[\0\x07]|\b49\b<%/);
  }
  for (const method of ['', 'mfs_b', 'bank', 'bep20', '__proto__', '<script>']) {
    const answer = await browser.submit(page, 'claim', { method, transaction_id: 'DHL1000001' });
    t.is(answer.statusCode, 422, method);
    t.false(withoutScript(answer.body).includes('<script>"'));
  }
  const claims = await core.store.read((db) => db.query.selectFrom('claims').selectAll().execute());
  t.deepEqual(claims, []);
});

test('names and addresses of a shop are shown as text and never end up in a header', async (t) => {
  const { core, browser, open } = await openCheckout(t);
  const name = '"><script>alert(1)</script>';
  await core.store.write((db) => db.query.updateTable('brands').set({ name }).execute());
  const successUrl = 'https://shop.example.com/"><script>alert(2)</script>?a=\r\nset-cookie:x=1';
  const page = await open({ hosted: { successUrl, cancelUrl: successUrl } });
  await browser.submit(page, 'cancel');
  for (const path of [page, `${page}?now=1`]) {
    const { body, headers } = await browser.visit(path);
    t.false(body.includes('<script>alert'));
    t.false(JSON.stringify(headers).includes('alert'));
    t.is(headers['set-cookie'], undefined);
  }
});

test('too many wrong ids close the form of that payment, also for the right id', async (t) => {
  const { browser, open, shop, clock } = await openCheckout(t, {
    env: { KASHBOX_MISSES_PER_SESSION: '3' },
  });
  const page = await open();
  for (let n = 1; n <= 3; n += 1) {
    await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: bkashId(clock.now(), n) });
  }
  const trxId = bkashId(clock.now(), 9);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  t.is(answer.statusCode, 429);
  t.is(answer.headers['retry-after'], '60');
  t.true(answer.body.includes(trxId), 'what was typed stays in the field');
});

test('an address with too many failures gets 429, and its neighbour who pays does not', async (t) => {
  const { browser, open, shop, clock } = await openCheckout(t, {
    env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '5' },
  });
  const page = await open();
  const codes: number[] = [];
  for (let n = 0; n < 8; n += 1) codes.push((await browser.visit(`${PAGES}/${n}`)).statusCode);
  t.deepEqual(codes, [404, 404, 404, 404, 404, 429, 429, 429]);
  const refused = await browser.visit(`${PAGES}/x`);
  t.true(Number(refused.headers['retry-after']) > 0);
  t.regex(refused.body, /^<!doctype html>/i);
  t.is((await browser.visit(page)).statusCode, 200);
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const paid = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  t.is(paid.statusCode, 303);
  const elsewhere = { remoteAddress: '192.0.2.9' };
  t.is((await browser.visit(`${PAGES}/x`, elsewhere)).statusCode, 404);
});

test("ids that are not found count as failures; what was claimed is kept and still known as the customer's", async (t) => {
  const { browser, open, shop, clock } = await openCheckout(t, {
    env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '2' },
  });
  const claimed: [code: number, page: string, trxId: string][] = [];
  for (let n = 1; n <= 3; n += 1) {
    const [page, trxId] = [await open(), bkashId(clock.now(), n)];
    const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
    claimed.push([answer.statusCode, page, trxId]);
    if (n === 3) t.true(Number(answer.headers['retry-after']) > 0);
  }
  t.deepEqual(
    claimed.map(([code]) => code),
    [303, 303, 429],
  );
  const [, page = '', trxId = ''] = claimed[2] ?? [];
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const done = await browser.visit(page);
  t.is(stateOf(done), 'completed');
  t.true(done.body.includes(trxId));
});

test('forms of one link come so often from one address and no more, others are not held up by it', async (t) => {
  const { browser, open } = await openCheckout(t, {
    env: { KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '3' },
  });
  const [page, other] = [await open(), await open()];
  const codes: number[] = [];
  for (let n = 0; n < 5; n += 1) codes.push((await browser.submit(page, 'claim', CLAIM)).statusCode);
  t.deepEqual(codes, [303, 303, 303, 429, 429]);
  t.is((await browser.submit(other, 'claim', CLAIM)).statusCode, 303);
  t.is((await browser.visit(page)).statusCode, 200, 'the page can always be looked at');
});

test('the log names neither link nor token nor id', async (t) => {
  const { browser, open, logLines } = await openCheckout(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  await browser.submit(page, 'claim', { ...CLAIM, token });
  await browser.submit(page, 'claim', { ...CLAIM, token: 'x' });
  await browser.visit(`${page}?now=1&secret=CANARY`);
  const log = logLines.join('');
  t.true(log.includes('"route":"/api/execute/:ref/claim"'));
  for (const secret of [page.slice(-32), token, CLAIM.transaction_id, 'CANARY'])
    t.false(log.includes(secret));
});

test('other methods are refused, and do nothing', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  t.is((await browser.visit(page, { method: 'PUT' })).statusCode, 405);
  t.is((await browser.visit(page, { method: 'POST', payload: `token=${token}` })).statusCode, 405);
  for (const form of FORMS)
    t.is((await browser.visit(`${page}/${form}?token=${token}`, { method: 'PUT' })).statusCode, 405, form);
  t.is(stateOf(await browser.visit(page)), 'open');
});
