/** Spec 4.1: the addresses of an order, those that a shop gives and the one that it gets. */
import test from 'ava';
import { type Api, HOSTED_CREATE, openApi, refusal } from '../api.js';
import { countSessions, ORDER, RETURNS, referenceOf, sessionOf } from './orders.js';

const URL_LIMIT = 2_048;

/** An order that differs from the plain one in some fields; undefined leaves a field out. */
const post = ({ call }: Api, change: object = {}) => call(HOSTED_CREATE, { body: { ...ORDER, ...change } });

for (const field of ['success_url', 'cancel_url'] as const) {
  test(`4.1 ${field}: required`, async (t) => {
    const api = await openApi(t);
    for (const value of [undefined, null, '', ' ']) {
      t.is(refusal(await post(api, { [field]: value })), `422 The ${field} field is required`);
    }
  });

  test(`4.1 ${field}: an absolute HTTPS URL, kept as a browser reads it`, async (t) => {
    const api = await openApi(t);
    const kept: [typed: string, href: string][] = [
      ['https://shop.example', 'https://shop.example/'],
      ['HTTPS://Shop.Example:443/A?b=c&d=e#f', 'https://shop.example/A?b=c&d=e#f'],
      ['https://shop.example:8443/paid?next=https://x.example/@y', ''],
      ['https://127.0.0.1/paid', ''],
      ['https://[::1]/paid', ''],
      ['https://দোকান.বাংলা/', 'https://xn--p5b7ah1gxc.xn--54b7fta0cc/'],
      ['https://shop.example/"><script>', 'https://shop.example/%22%3E%3Cscript%3E'],
    ];
    for (const [typed, href] of kept) {
      const response = await post(api, { [field]: typed });
      t.is(response.statusCode, 200, typed);
      t.is((await sessionOf(api, response))[field], href || typed, typed);
    }
  });

  test(`4.1 ${field}: whatever could lead elsewhere is refused`, async (t) => {
    const api = await openApi(t);
    const wrong = [
      ...['javascript:alert(1)', 'data:text/html,x', '//evil', '/paid', 'paid', 'shop.example/paid', 'https'],
      ...[
        'http://shop.example/',
        'https:',
        'https:/',
        'https://',
        'https:///evil',
        'https:evil',
        'https:/evil',
      ],
      ...['https:\\\\evil', 'https://good\\@evil', 'https://good@evil', 'https://a:b@evil', 'https://@evil'],
      ...[' https://shop.example', 'https://shop.example ', 'https://shop.example/a b', 'ht\ttps://evil'],
      ...['https://shop.example/\r\nSet-Cookie: a=b', 'https://shop.example/\u0000', 'https://sh\u007fop'],
      ...['https://?x', 'https://#x', 'https://shop.example:99999/', 'https://[::1', 'https://a b/'],
    ];
    for (const url of wrong) {
      const answer = refusal(await post(api, { [field]: url }));
      t.is(answer, `422 The ${field} must be an absolute HTTPS URL`, JSON.stringify(url));
    }
    t.is(refusal(await post(api, { [field]: 5 })), `422 The ${field} must be an absolute HTTPS URL`);
    t.is(refusal(await post(api, { [field]: [RETURNS[field]] })), `422 The ${field} must be a text`);
    t.is(await countSessions(api), 0);
  });

  test(`4.1 ${field}: at most ${URL_LIMIT} characters`, async (t) => {
    const api = await openApi(t);
    const long = (length: number) => 'https://shop.example/'.padEnd(length, 'x');
    t.is((await post(api, { [field]: long(URL_LIMIT) })).statusCode, 200);
    const answer = refusal(await post(api, { [field]: long(URL_LIMIT + 1) }));
    t.is(answer, `422 The ${field} may be at most ${URL_LIMIT} characters long`);
  });
}

test('4.1 webhook_url: a public https URL; without one that of the brand is used', async (t) => {
  const api = await openApi(t);
  const kept: [sent: unknown, kept: string | null][] = [
    [undefined, null],
    [null, null],
    ['', null],
    ['https://shop.example/hook', 'https://shop.example/hook'],
    [' https://Shop.example:8443/hook?a=b ', 'https://shop.example:8443/hook?a=b'],
  ];
  for (const [webhook_url, url] of kept) {
    t.is((await sessionOf(api, await post(api, { webhook_url }))).webhook_url, url);
  }
  const sessions = await countSessions(api);
  for (const webhook_url of [
    ...['ftp://shop.example/', '//shop.example', 'hook', 'https://a:b@shop.example/', 'http://shop.example/'],
    ...['https:\\\\shop.example', 'https:///shop.example', 'https://shop.ex\nample/'],
  ]) {
    const answer = refusal(await post(api, { webhook_url }));
    t.is(answer, '422 The webhook_url must be an absolute HTTPS URL without a user name');
  }
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '127.1',
    '①②⑦.⓪.⓪.①',
    'localhost',
    'shop',
    'db.internal',
    '[fd00::1]',
  ]) {
    const answer = refusal(await post(api, { webhook_url: `https://${host}/` }));
    t.regex(answer, /^422 The webhook_url must be public; /, host);
  }
  t.regex(refusal(await post(api, { webhook_url: 'https://localhost./' })), /^422 The webhook_url must not/);
  t.regex(
    refusal(await post(api, { webhook_url: 'https://shop.example:6379/' })),
    /^422 .* must not use port/,
  );
  t.is(refusal(await post(api, { webhook_url: {} })), '422 The webhook_url must be a text');
  t.is(await countSessions(api), sessions);
});

test('4.1 webhook_url: for development also http and private addresses', async (t) => {
  const api = await openApi(t, { given: { allowPrivateWebhooks: 'true' } });
  const webhook_url = 'http://127.0.0.1:9000/hook';
  t.is((await sessionOf(api, await post(api, { webhook_url }))).webhook_url, webhook_url);
  t.is((await post(api, { webhook_url: 'ftp://127.0.0.1/' })).statusCode, 422);
});

test('4.1 payment_url: the public address where one is set, else a sane host that was called', async (t) => {
  const linkOf = async (api: Api, headers: Record<string, string>) => {
    const response = await api.call(HOSTED_CREATE, { headers, body: ORDER });
    return response.json().payment_url.replace(referenceOf(response), 'REF');
  };
  const plain = await openApi(t);
  t.is(await linkOf(plain, { host: 'pay.example.com' }), 'https://pay.example.com/api/execute/REF');
  t.is(await linkOf(plain, { host: 'Pay.Example.com:8443' }), 'https://pay.example.com:8443/api/execute/REF');
  t.is(await linkOf(plain, { host: '[::1]:8443' }), 'https://[::1]:8443/api/execute/REF');
  for (const host of ['good@evil', 'evil/x', 'a b', 'evil?x', '', 'x:99999', '"><script>']) {
    t.regex(await linkOf(plain, { host }), /^https:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/api\/execute\/REF$/);
  }
  const forwarded = { host: 'inner', 'x-forwarded-host': 'pay.example.com' };
  t.is(await linkOf(plain, forwarded), 'https://inner/api/execute/REF');
  const proxied = await openApi(t, { env: { KASHBOX_TRUST_PROXY: '127.0.0.1' } });
  t.is(await linkOf(proxied, forwarded), 'https://pay.example.com/api/execute/REF');
  const fixed = await openApi(t, { env: { KASHBOX_PUBLIC_URL: 'https://Pay.Example.org/' } });
  t.is(await linkOf(fixed, { host: 'evil.example' }), 'https://pay.example.org/api/execute/REF');
});
