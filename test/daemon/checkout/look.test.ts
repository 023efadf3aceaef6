/** A brand's look over HTTP: what its pages may load and how they are styled, and how its logo is served. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { jpegLogo, pngLogo, webpLogo } from '../../helpers/shop/logos.js';
import { openCheckout } from './browser.js';

const who = 'test';
const LOGO = /<img src="(\/api\/picture\/[0-9a-f]{32}\.\w+)" alt="" decoding="async">/;
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policyOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  String(headers['content-security-policy']);
const stylesOf = (html: string) =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);

test('a page has its brand’s own style and logo, allowed by hash and from here alone', async (t) => {
  const { core, shop, browser, open } = await openCheckout(t);
  const page = await open();
  const plain = await browser.visit(page);
  t.is(stylesOf(plain.body).length, 1);
  t.notRegex(plain.body, /<img src="\/api\/picture/);
  const brand = shop.brand.name;
  await updateBrand(core, { brand, colour: '#0a7', logo: pngLogo(256, 128), website: 'alo.example', who });
  const looks = await browser.visit(page);
  const styles = stylesOf(looks.body);
  t.is(styles.length, 2);
  t.true(policyOf(looks).includes(`style-src ${styles.map(hashOf).join(' ')}; script-src 'sha256-`));
  t.notRegex(policyOf(looks), /unsafe|https:/);
  const parts = (policy: string) => policy.split('; ').filter((part) => !part.startsWith('style-src'));
  t.deepEqual(parts(policyOf(looks)), parts(policyOf(plain)), 'nothing else is allowed');
  t.regex(looks.body, LOGO);
  t.true(looks.body.includes('You pay: <b>alo.example</b>') || looks.body.includes('<b>alo.example</b>'));
  t.regex(styles[1] ?? '', /\.shop span\{flex:none;width:96px;height:48px/);

  await browser.submit(page, 'cancel');
  const cancelled = await browser.visit(`${page}?now=1`);
  t.regex(cancelled.body, LOGO, 'the last page is the same shop’s');
  t.true(policyOf(cancelled).includes(stylesOf(cancelled.body).map(hashOf).join(' ')));
  await updateBrand(core, { brand, colour: '', logo: null, website: '', who });
  t.is(stylesOf((await browser.visit(page)).body).length, 1);
});

test('a change of look is on the next page, also where pages are kept ready', async (t) => {
  const { core, shop, browser, open } = await openCheckout(t);
  const brand = shop.brand.name;
  const page = await open();
  const seen = async () => {
    const { rawPayload, headers } = await browser.visit(page, { headers: { 'accept-encoding': 'gzip' } });
    t.is(headers['content-encoding'], 'gzip');
    const html = gunzipSync(rawPayload).toString('utf8');
    t.true(policyOf({ headers }).includes(stylesOf(html).map(hashOf).join(' ')));
    return [stylesOf(html)[1]?.slice(0, 21), LOGO.exec(html)?.[1]?.slice(-4), html.includes('alo.example')];
  };
  t.deepEqual(await seen(), [undefined, undefined, false]);
  await updateBrand(core, { brand, colour: '#00664b', who });
  t.deepEqual(await seen(), [':root{--main:#00664b;', undefined, false]);
  await updateBrand(core, { brand, colour: '#123456', logo: webpLogo(), who });
  t.deepEqual(await seen(), [':root{--main:#123456;', 'webp', false]);
  await updateBrand(core, { brand, logo: pngLogo(), website: 'alo.example', who });
  t.deepEqual(await seen(), [':root{--main:#123456;', '.png', true]);
});

test('a shop that wants its parameters by POST keeps its form and its style', async (t) => {
  const { core, shop, browser, open } = await openCheckout(t);
  await updateBrand(core, { brand: shop.brand.name, returnType: 'POST', colour: '#0a7', who });
  const page = await open({ hosted: { returnType: 'POST' } });
  await browser.submit(page, 'cancel');
  const answer = await browser.visit(page);
  t.regex(policyOf(answer), /form-action 'self' https:;/);
  t.true(policyOf(answer).includes(stylesOf(answer.body).map(hashOf).join(' ')));
});

test('a logo is served only as a picture, cached permanently under its own address', async (t) => {
  const { core, shop, browser, open } = await openCheckout(t);
  const page = await open();
  for (const [logo, type] of [
    [pngLogo(), 'image/png'],
    [webpLogo(), 'image/webp'],
    [jpegLogo(), 'image/jpeg'],
  ] as const) {
    await updateBrand(core, { brand: shop.brand.name, logo, who });
    const [, path = ''] = LOGO.exec((await browser.visit(page)).body) ?? [];
    const answer = await browser.visit(path);
    t.is(answer.statusCode, 200);
    t.like(answer.headers, {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    t.is(answer.headers['set-cookie'], undefined);
    const hash = createHash('sha256').update(answer.rawPayload).digest('hex');
    t.true(path.startsWith(`/api/picture/${hash.slice(0, 32)}.`));
    t.deepEqual(answer.rawPayload, logo);
    t.is((await browser.visit(path, { method: 'POST' })).statusCode, 405);
    // Another ending would be another type for the same bytes.
    const other = path.replace(/\w+$/, type === 'image/png' ? 'jpg' : 'png');
    t.is((await browser.visit(other)).statusCode, 404);
  }
});

test('guessing addresses of logos returns 404, then 429', async (t) => {
  const { browser } = await openCheckout(t, { env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '4' } });
  const wrong = [`${'0'.repeat(32)}.png`, 'x', '..%2f..%2fsecret.key', `${'0'.repeat(32)}.html`, 'a', 'b'];
  const codes: number[] = [];
  for (const file of wrong) codes.push((await browser.visit(`/api/picture/${file}`)).statusCode);
  t.deepEqual(codes, [404, 404, 404, 404, 429, 429]);
});

test('marks are served as logos are, and only while a brand has them', async (t) => {
  const { core, shop, browser } = await openCheckout(t);
  const brand = shop.brand.name;
  const [png, jpeg] = [pngLogo(), jpegLogo(64, 64)];
  const marks = new Map([['mfs_a', png] as const, ['bank', jpeg] as const]);
  await updateBrand(core, { brand, logo: webpLogo(), marks, who });
  const pathOf = (content: Buffer, ending: string) =>
    `/api/picture/${createHash('sha256').update(content).digest('hex').slice(0, 32)}.${ending}`;
  for (const [content, ending, type] of [
    [png, 'png', 'image/png'],
    [jpeg, 'jpg', 'image/jpeg'],
  ] as const) {
    const answer = await browser.visit(pathOf(content, ending));
    t.is(answer.statusCode, 200);
    t.deepEqual(answer.rawPayload, content);
    t.like(answer.headers, {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  }
  await updateBrand(core, { brand, marks: new Map([['mfs_a', null]]), who });
  t.is((await browser.visit(pathOf(png, 'png'))).statusCode, 404);
});

test('a payment’s page has the questions, the video and the holders of its brand', async (t) => {
  const { core, shop, browser, open } = await openCheckout(t);
  const brand = shop.brand.name;
  const page = await open();
  t.false((await browser.visit(page)).body.includes('id="questions"'));
  await updateBrand(core, { brand, questions: ['<i>?=&'], video: 'https://video.example/1', who });
  const { body } = await browser.visit(page);
  t.true(body.includes('<details><summary>&lt;i&gt;?</summary><p>&amp;</p></details>'));
  t.true(body.includes('(video.example)</a>'));
  const account = {
    channel: 'mfs_a',
    type: 'personal',
    number: '01711000099',
    details: { holder: 'Alo Ltd' },
  };
  await setAccount(core, { brand, ...account, who });
  const checkout = await loadCheckout(core, page.slice(page.lastIndexOf('/') + 1));
  const accounts = checkout?.methods.find(({ channel }) => channel === 'mfs_a')?.accounts ?? [];
  t.is(accounts.find(({ number }) => number === account.number)?.details.holder, 'Alo Ltd');
});
