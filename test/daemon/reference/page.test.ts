/** GET /docs: the document for people, complete without its script, on any screen. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { renderReference } from '../../../daemon/http/reference/page.js';
import { openApi } from '../api.js';
import { getOpenApi, operationsOf } from './documented.js';

const PAGE = { method: 'GET' } as const;

test('every operation has its place, with what is sent and what is answered', async (t) => {
  const api = await openApi(t);
  const { statusCode, body, headers } = await api.callBare('/docs', PAGE);
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'text/html; charset=utf-8');
  const document = await getOpenApi(api);
  for (const { operation } of operationsOf(document)) {
    const { operationId, summary, responses } = operation;
    t.true(body.includes(`<a href="#${operationId}">${summary} <small>`), operationId);
    const [, place = ''] = body.split(`id="${operationId}"`);
    const [article = ''] = place.split('</article>');
    t.true(article.includes(summary), operationId);
    t.regex(article, /<pre><code>curl (&#39;)?https:\/\/pay\.example\.com\//);
    for (const status of Object.keys(responses)) {
      t.regex(article, new RegExp(`<(b|code)>${status}</`), `${operationId} ${status}`);
    }
  }
});

test('the other names of a field are listed with it and not as separate fields', async (t) => {
  const { body } = await (await openApi(t)).callBare('/docs', PAGE);
  const names = ['customer_name', 'c_name', 'name', 'fullname'].map((name) => `<code>${name}</code>`);
  t.true(body.includes(`Also called ${names.join(', ')}.`));
  t.false(body.includes('<dt><code>customer_name</code>'));
});

test('it speaks of authentication, required fields, responses and errors, each operation folded', async (t) => {
  const { body } = await (await openApi(t)).callBare('/docs', PAGE);
  const [, place = ''] = body.split('id="createPayment"');
  const [article = ''] = place.split('</article>');
  t.regex(article, /^>\s*<details>\s*<summary><h3>Open a payment session<\/h3>/);
  t.true(article.includes('Authentication: <code>BRAND-KEY</code> or <code>Bearer</code>'));
  t.true(article.includes('<dt><code>cus_name</code> <span class="soft">string, required</span></dt>'));
  t.regex(article, /<h4>Responses<\/h4>[\s\S]*<summary>Errors<\/summary>/);
  t.notRegex(body, /needed<\/span>|Answers|Refusals/);
});

test('it is one answer that loads nothing, runs only its own script and cannot be framed', async (t) => {
  const { body, headers } = await (await openApi(t)).callBare('/docs', PAGE);
  t.notRegex(body, /<script |<img|<iframe|<form|style="|\son\w+=|url\(|@import/);
  const policy = String(headers['content-security-policy']);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
  const [, script = '', ...others] = body.split(/<\/?script>/);
  t.is(others.length, 1);
  for (const [name, text] of [
    ['style-src', style],
    ['script-src', script],
  ] as const) {
    t.true(policy.includes(`${name} 'sha256-${createHash('sha256').update(text).digest('base64')}'`));
  }
  t.regex(policy, /default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/);
  t.notRegex(policy, /unsafe|https:|\*/);
  t.is(headers['cache-control'], 'public, max-age=300');
  t.is(headers['referrer-policy'], 'no-referrer');
});

test('headings go down step by step', async (t) => {
  const { body } = await (await openApi(t)).callBare('/docs', PAGE);
  const levels = [...body.matchAll(/<h(\d)>/g)].map(([, level]) => Number(level));
  t.is(levels.filter((level) => level === 1).length, 1);
  t.is(levels[0], 1);
  t.true(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1));
});

test('the examples call the address of the installation where there is a setting for it', async (t) => {
  const api = await openApi(t, {
    env: { KASHBOX_PUBLIC_URL: 'https://pay.shop.example', KASHBOX_BASE_PATH: '/pay' },
  });
  const { body } = await api.callBare('/pay/docs', PAGE);
  t.true(body.includes('curl https://pay.shop.example/pay/api/v2/payment/verify'));
  t.false(body.includes('pay.example.com/pay'));
});

test('the content of the document is shown as text, whatever it contains', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const evil = '<script>`<b>`</script>"';
  const html = renderReference({
    ...document,
    info: { title: evil, description: evil },
    tags: document.tags.map((tag) => ({ ...tag, description: evil })),
  });
  t.is(html.split('<script').length, 2, 'its own alone');
  t.notRegex(html, /<b>`/);
  t.true(html.includes('&lt;script&gt;<code>&lt;b&gt;</code>'));
});

test('a browser that takes it packed gets it so, and HEAD the same headers', async (t) => {
  const { callBare } = await openApi(t);
  const plain = await callBare('/docs', PAGE);
  const packed = await callBare('/docs', { ...PAGE, headers: { 'accept-encoding': 'br, gzip' } });
  t.is(packed.headers['content-encoding'], 'br');
  t.is(brotliDecompressSync(packed.rawPayload).toString('utf8'), plain.body);
  t.true(packed.rawPayload.length < 24_000);
  const head = await callBare('/docs', { method: 'HEAD' });
  t.deepEqual([head.statusCode, head.body], [200, '']);
});
