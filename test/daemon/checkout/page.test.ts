/** The page of a payment: who gets it, in which language, with which headers, and where it leads. */
import test from 'ava';
import qrcode from 'qrcode';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import { ADDRESS } from '../../helpers/shop/checkout.js';
import { personalPayload, printedPayload } from '../../helpers/shop/qr.js';
import { openBrowser, openCheckout, PAGES, stateOf } from './browser.js';

test('4.2 a link opens the page of its payment, by GET and by HEAD, and neither changes anything', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  const tables = ['sessions', 'claims', 'audit'] as const;
  const all = () =>
    Promise.all(
      tables.map((table) => core.store.read((db) => db.query.selectFrom(table).selectAll().execute())),
    );
  const before = await all();
  const got = await browser.visit(page);
  t.is(got.statusCode, 200);
  t.is(stateOf(got), 'open');
  t.true(got.body.includes('Alo Store'));
  t.is((await browser.visit(`${page}?now=1&late=1`)).statusCode, 200);
  const head = await browser.visit(page, { method: 'HEAD' });
  t.deepEqual([head.statusCode, head.body], [200, '']);
  t.deepEqual(await all(), before);
});

test('4.2 every wrong link gets the same answer, byte for byte', async (t) => {
  const { browser, shop } = await openCheckout(t);
  const headless = await shop.order(500);
  const wrong = [headless, '0'.repeat(32), 'x', `${'a'.repeat(32)}b`, 'A'.repeat(31), '%00', '__proto__'];
  const answers = await Promise.all(
    [...wrong, `${'0'.repeat(32)}/x/y`, 'f'.repeat(500), '..%2f..%2fsecret.key'].map((ref) =>
      browser.visit(`${PAGES}/${ref}`),
    ),
  );
  for (const answer of answers) {
    t.is(answer.statusCode, 404);
    t.is(answer.headers['content-type'], 'text/html; charset=utf-8');
    t.is(answer.body, answers[0]?.body ?? 'no answer');
  }
  for (const path of ['state', 'events', 'qr/bank/main']) {
    t.is((await browser.visit(`${PAGES}/${'0'.repeat(32)}/${path}`)).statusCode, 404, path);
  }
});

test('the policy of every page lets in its own style and script and nothing else, and nobody frames it', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  for (const path of [page, `${PAGES}/nobody`]) {
    const { headers } = await browser.visit(path);
    t.regex(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    t.like(headers, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': undefined,
    });
  }
});

test('a shop that wants its parameters by POST gets a form, and may send the browser on from there', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open({ hosted: { returnType: 'POST' } });
  await browser.submit(page, 'cancel');
  const { body, headers } = await browser.visit(`${page}?now=1`);
  t.regex(body, /<form[^>]* action="https:\/\/shop\.example\.com\/cart"/);
  t.regex(body, /name="status" value="failed"/);
  t.regex(String(headers['content-security-policy']), /form-action 'self' https:;/);
});

test("the language is that of the link, else the earlier choice, else the browser's, else Bangla", async (t) => {
  const { app, browser, open } = await openCheckout(t);
  const page = await open();
  const speaks = async (path: string, from = browser, wanted = 'fr, en-GB;q=0.8, bn;q=0.3') =>
    /<html lang="(\w+)"/.exec((await from.visit(path, { headers: { 'accept-language': wanted } })).body)?.[1];
  t.is(await speaks(page), 'en');
  t.is(await speaks(page, browser, 'de, fr'), 'bn');
  t.is(await speaks(`${page}?lang=xx`), 'en');
  t.is(await speaks(`${page}?lang=bn`), 'bn');
  t.is(await speaks(page), 'bn', 'remembered');
  t.is(await speaks(`${PAGES}/nobody`), 'bn', 'also where there is no payment');
  t.is(await speaks(page, openBrowser(app)), 'en');
});

test('a page is compressed for those who take it, and is the same page', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const plain = await browser.visit(page);
  t.is(plain.headers['content-encoding'], undefined);
  const { brotliDecompressSync: br, gunzipSync: gzip } = await import('node:zlib');
  for (const [coding, unpacked] of Object.entries({ br, gzip })) {
    const packed = await browser.visit(page, { headers: { 'accept-encoding': coding } });
    t.is(packed.headers['content-encoding'], coding);
    t.is(unpacked(packed.rawPayload).toString('utf8'), plain.body);
    t.true(packed.rawPayload.length * 2 < plain.rawPayload.length);
  }
});

test('a page that just ended redirects to the shop automatically; opening the link later does not', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  await cancelSession(core, page.slice(-32));
  const cart = 'https://shop.example.com/cart?paymentMethod=&amp;transactionId=';
  t.true((await browser.visit(`${page}?now=1`)).body.includes(`url=${cart}`));
  const later = await browser.visit(page);
  t.false(later.body.includes('http-equiv="refresh"'));
  t.true(later.body.includes(`href="${cart}`));
});

test('nothing in the query decides where a customer is sent', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  await cancelSession(core, page.slice(-32));
  const evil = 'https://evil.example.org/';
  for (const name of ['success_url', 'cancel_url', 'return', 'next', 'url', 'lang', 'now', 'late']) {
    const { body, headers } = await browser.visit(`${page}?now=1&${name}=${encodeURIComponent(evil)}`);
    t.false(body.includes('evil.example.org'), name);
    t.is(headers.location, undefined);
  }
});

test('with a base path, page, forms and cookies are below it', async (t) => {
  const { browser, open } = await openCheckout(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  const page = await open();
  const { body } = await browser.visit(page);
  t.true(body.includes(`action="${page}/cancel"`));
  await browser.visit(`${page}?lang=en`);
  t.true(browser.cookies.has('__Secure-kashbox-language /pay/api/execute'));
  t.is((await browser.submit(page, 'cancel')).headers.location, `${page}?now=1`);
});

test('an unreachable store shows a page that asks to try again', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const page = await open();
  await browser.visit(page);
  await core.close();
  const answer = await browser.visit(page);
  t.true(answer.statusCode >= 500);
  t.regex(answer.body, /^<!doctype html>/i);
  t.true(answer.body.includes(`href="${page}"`));
  t.false(answer.body.includes('SQLite'));
});

test('the QR code of an account is a picture that the browser may keep for minutes; others have none', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const account = {
    brand: 'Alo Store',
    channel: 'mfs_b',
    type: 'personal',
    number: '01711000002',
    who: 'test',
  };
  await setAccount(core, { ...account, details: { qr: 'https://qr.example/"><script>' } });
  const page = await open();
  t.true((await browser.visit(page)).body.includes(`${page}/qr/mfs_b/personal`));
  const picture = await browser.visit(`${page}/qr/mfs_b/personal`);
  t.is(picture.headers['content-type'], 'image/svg+xml');
  t.is(picture.headers['cache-control'], 'private, max-age=600');
  t.is(picture.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  t.regex(picture.body, /^<svg [\s\S]*<\/svg>\s*$/);
  t.false(picture.body.includes('<script>'));
  for (const wrong of ['mfs_a/personal', 'mfs_b/agent', 'constructor/name', 'mfs_b/__proto__']) {
    t.is((await browser.visit(`${page}/qr/${wrong}`)).statusCode, 404, wrong);
  }
});

test('the code of a payment is a picture to keep, and is shown no more when the payment is over', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const code = { channel: 'qr_interbank', details: { qr: printedPayload } };
  await setAccount(core, { brand: 'Alo Store', ...code, who: 'test' });
  const page = await open({ paisa: 125_050 });
  const { rawPayload, headers } = await browser.visit(`${page}/qr/qr_interbank/qr.png`);
  t.is(headers['content-type'], 'image/png');
  const named = /^inline; filename="bangla-qr-([A-Z0-9]{12})\.png"$/.exec(
    `${headers['content-disposition']}`,
  );
  const read = await decodeQrImage(rawPayload);
  t.true(read.ok && read.text.includes('54071250.50') && read.text.includes(`0512${named?.[1]}`));
  t.is((await browser.visit(`${page}/qr/qr_interbank/qr`)).headers['content-type'], 'image/svg+xml');
  await browser.submit(page, 'cancel');
  for (const name of ['qr', 'qr.png']) {
    t.is((await browser.visit(`${page}/qr/qr_interbank/${name}`)).statusCode, 404, name);
  }
});

test('the code of a personal wallet account is that of the payment, as a picture to keep', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  const wallet = { brand: 'Alo Store', channel: 'mfs_b', type: 'personal', number: '01811000002' };
  await setAccount(core, {
    ...wallet,
    details: { qr: personalPayload(wallet.number, 'KARIM') },
    who: 'test',
  });
  const page = await open({ paisa: 64_000 });
  const { rawPayload, headers } = await browser.visit(`${page}/qr/mfs_b/personal.png`);
  t.regex(`${headers['content-disposition']}`, /^inline; filename="bangla-qr-[A-Z0-9]{12}\.png"$/);
  const read = await decodeQrImage(rawPayload);
  t.true(read.ok && read.text.includes('5406640.00') && read.text.startsWith('000201010212'));
  const form = { method: 'mfs_b', by: 'code', transaction_id: 'I have paid' };
  const { statusCode, body } = await browser.submit(page, 'claim', form);
  t.is(statusCode, 422);
  t.regex(body, /id="id-qr_interbank"[^>]*aria-invalid="true"/);
  t.notRegex(body, /id="id-mfs_b"[^>]*aria-invalid/);
});

test('of a chain the bare address is the code', async (t) => {
  const { browser, open, core } = await openCheckout(t);
  await setRate(core, { brand: null, rate: '120', who: 'test' });
  const account = { brand: 'Alo Store', channel: 'bep20', number: ADDRESS };
  await setAccount(core, { ...account, who: 'test' });
  const { rawPayload } = await browser.visit(`${await open()}/qr/bep20/transfer.png`);
  t.deepEqual(await decodeQrImage(rawPayload), { ok: true, text: ADDRESS });
});

test('the code for the phone is a picture of the page’s address, below any base path', async (t) => {
  for (const base of ['', '/pay']) {
    const env = { KASHBOX_BASE_PATH: base, KASHBOX_PUBLIC_URL: 'https://pay.example.com' };
    const { browser, open } = await openCheckout(t, { env });
    const page = await open();
    t.true((await browser.visit(page)).body.includes(`<img src="${page}/qr" `));
    const picture = await browser.visit(`${page}/qr`);
    t.is(picture.headers['content-type'], 'image/svg+xml');
    const drawn = { type: 'svg', errorCorrectionLevel: 'M' } as const;
    t.is(picture.body, await qrcode.toString(`https://pay.example.com${page}`, drawn));
    t.is((await browser.visit(`${page.slice(0, -32)}${'0'.repeat(32)}/qr`)).statusCode, 404);
    await browser.submit(page, 'cancel');
    t.false((await browser.visit(page)).body.includes(`${page}/qr"`));
  }
});
