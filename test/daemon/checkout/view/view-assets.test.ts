/** What the page is made of besides its words: style, script, and how much of it a phone must load. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { loadAsset, SCRIPT, SCRIPT_HASH, STYLE_HASH } from '../../../../daemon/checkout/assets.js';
import { renderCheckout, renderNotice } from '../../../../daemon/checkout/view.js';
import { languages, pageOf, STATES } from './view-pages.js';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('style and script are those that the policy allows by their hashes, and nothing else is inline', (t) => {
  const page = renderCheckout(pageOf('open'));
  const notice = renderNotice({ language: 'bn', notice: 'not_found', retryPath: null });
  for (const html of [page, notice]) {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    t.is(hashOf(style), STYLE_HASH);
    t.notRegex(html.replace(SCRIPT, ''), / style=| on[a-z]+=/);
  }
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script));
  t.deepEqual(scripts, [SCRIPT_HASH]);
  t.false(notice.includes('<script'));
});

test('the page loads codes from the same place and nothing else', (t) => {
  for (const state of STATES) {
    const html = renderCheckout(pageOf(state));
    const loaded = [...html.matchAll(/<(?:script|img|link)[^>]*? (?:src|href)="(.*?)"/g)].map(([, at]) => at);
    for (const at of loaded) t.regex(at ?? '', /^(\/api\/execute\/|data:image\/svg\+xml,)/);
  }
});

test('the page of five ways to pay is 52 KiB at most, and 15 KiB as it travels', (t) => {
  for (const { language } of languages) {
    const html = renderCheckout(pageOf('open', { language }));
    const bytes = Buffer.byteLength(html);
    t.true(bytes <= 52 * 1024, `${language}: ${bytes}`);
    const packed = gzipSync(html).length;
    t.true(packed <= 15 * 1024, `${language}: ${packed}`);
  }
});

test('the script speaks no newer language than old phones', (t) => {
  t.notRegex(SCRIPT, /\?\.[a-z]|\?\?|console\.|sourceMappingURL|<\/script|<!--/);
});

test('starting without a built page says what to run', (t) => {
  const error = t.throws(() => loadAsset('client/absent.js'));
  t.is(error?.message, 'The checkout page\'s client/absent.js is not built. Run "npm run build".');
});
