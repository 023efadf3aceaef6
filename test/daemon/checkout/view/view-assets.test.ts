/** What the page is made of besides its words: style, script, and how much of it a phone must load. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { readBuilt, SCRIPT, STYLE_HASH } from '../../../daemon/checkout/assets.js';
import { renderCheckout, renderNotice } from '../../../daemon/checkout/view.js';
import { languages, pageOf, STATES } from './view-pages.js';

test('the style is the one that the policy allows by its hash, and nothing else is inline', (t) => {
  for (const html of [
    renderCheckout(pageOf('open')),
    renderNotice({ language: 'bn', notice: 'not_found', retryPath: null }),
  ]) {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    t.is(`'sha256-${createHash('sha256').update(style).digest('base64')}'`, STYLE_HASH);
    t.notRegex(html, / style=| on[a-z]+=|<script>/);
  }
});

test('the page loads its script and codes from the same place and nothing else', (t) => {
  for (const state of STATES) {
    const html = renderCheckout(pageOf(state));
    const loaded = [...html.matchAll(/<(?:script|img|link)[^>]*? (?:src|href)="(.*?)"/g)].map(([, at]) => at);
    for (const at of loaded) t.regex(at ?? '', /^(\/api\/execute\/|data:,$)/);
  }
});

test('page, style and script of five ways to pay fit into 30 KiB, and into 10 KiB as they travel', (t) => {
  t.true(SCRIPT.body.length <= 6 * 1024, String(SCRIPT.body.length));
  for (const { language } of languages) {
    const html = renderCheckout(pageOf('open', { language }));
    const bytes = Buffer.byteLength(html) + SCRIPT.body.length;
    t.true(bytes <= 30 * 1024, `${language}: ${bytes}`);
    const packed = gzipSync(html).length + gzipSync(SCRIPT.body).length;
    t.true(packed <= 10 * 1024, `${language}: ${packed}`);
  }
});

test('the script is named by its content and speaks no newer language than old phones', (t) => {
  const hash = createHash('sha256').update(SCRIPT.body).digest('hex');
  t.true(SCRIPT.name.includes(hash.slice(0, 16)));
  t.notRegex(SCRIPT.body.toString(), /\?\.[a-z]|\?\?|console\.|sourceMappingURL/);
});

test('who starts the page without having built it is told what to run', (t) => {
  const error = t.throws(() => readBuilt('client/absent.js'));
  t.is(error?.message, 'The checkout page\'s client/absent.js is not built. Run "npm run build".');
});
