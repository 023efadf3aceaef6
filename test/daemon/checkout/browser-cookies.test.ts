/** What the daemon believes of a browser: its cookies, its language, its forms. */
import test from 'ava';
import {
  findCookie,
  isOwnForm,
  negotiateLanguage,
  openBrowserCookies,
} from '../../../daemon/checkout/browser-cookies.js';
import { createSecretBox } from '../../../src/base/io/secret.js';
import { systemRandom } from '../../../src/base/values/ids.js';

const visitors = (key = 7) =>
  openBrowserCookies(createSecretBox(new Uint8Array(32).fill(key), systemRandom), systemRandom);
const A = 'a'.repeat(32);
const B = 'b'.repeat(32);

test('a token is good for one visitor, one payment and one installation', (t) => {
  const { token, isToken } = visitors();
  const good = token('nonce', A);
  t.regex(good, /^[\w-]{43}$/);
  t.true(isToken(good, 'nonce', A));
  t.true(visitors().isToken(good, 'nonce', A), 'any daemon with the same key file takes it');
  const changed = (good.startsWith('A') ? 'B' : 'A') + good.slice(1);
  for (const wrong of ['', changed, `${good}A`, good.slice(1), 'é'.repeat(43)])
    t.false(isToken(wrong, 'nonce', A));
  t.false(isToken(good, 'other', A));
  t.false(isToken(good, 'nonce', B));
  t.false(visitors(8).isToken(good, 'nonce', A));
  t.false(isToken(token(`nonce\n${A}`, B), 'nonce', `${A}\n${B}`.slice(0, 32)));
});

test('a claim is proved by the cookie of the browser that made it, and no other claim by it', (t) => {
  const { claimCookie, hasClaimed } = visitors();
  const claimed = { channel: 'mfs_a', reference: 'DHL1000001' } as const;
  const header = claimCookie(undefined, A, claimed, `/api/execute/${A}`);
  t.regex(
    header,
    /^__Secure-kashbox-claim=[\w-]{43}; Path=\/api\/execute\/a{32}; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
  );
  const cookies = header.split(';')[0];
  t.true(hasClaimed(cookies, A, claimed));
  t.false(hasClaimed(cookies, B, claimed));
  t.false(hasClaimed(cookies, A, { ...claimed, reference: 'DHL1000002' }));
  t.false(hasClaimed(cookies, A, { ...claimed, channel: 'mfs_b' }));
  t.false(hasClaimed(undefined, A, claimed));
  t.false(hasClaimed(`__Secure-kashbox-claim=${visitors().token('nonce', A)}`, A, claimed));
});

test('the cookie proves the last five claims, whatever else it is filled with', (t) => {
  const { claimCookie, hasClaimed } = visitors();
  const claims = [1, 2, 3, 4, 5, 6].map((n) => ({ channel: 'mfs_a', reference: `DHL100000${n}` }) as const);
  const pairOf = (header: string) => header.split(';')[0] ?? '';
  let cookies = '__Secure-kashbox-claim=x.."; other=1';
  for (const claimed of claims) cookies = pairOf(claimCookie(cookies, A, claimed, '/'));
  const known = () => claims.map((claimed) => hasClaimed(cookies, A, claimed));
  t.deepEqual(known(), [false, true, true, true, true, true]);
  t.regex(cookies, /^[^=]+=[\w-]{43}(\.[\w-]{43}){4}$/);
  const again = claims[3] ?? { channel: 'mfs_a', reference: '' };
  cookies = pairOf(claimCookie(cookies, A, again, '/'));
  t.deepEqual(known(), [false, true, true, true, true, true], 'what is claimed twice takes one place');
  t.false(claims.some((claimed) => hasClaimed(cookies, B, claimed)));
});

test("a visitor's text is random, kept by a cookie of this host alone, and read strictly", (t) => {
  const { recognise, nonceOf } = visitors();
  const { nonce, cookie } = recognise();
  t.not(nonce, recognise().nonce);
  t.regex(cookie, /^__Host-kashbox-visitor=[\w-]{22}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/);
  t.is(nonceOf(`x=1; ${cookie.split(';')[0]}; y=2`), nonce);
  for (const wrong of [undefined, '', 'x', '__Host-kashbox-visitor=', `__Host-kashbox-visitor="${nonce}"`]) {
    t.is(nonceOf(wrong), null);
  }
  t.is(nonceOf(`__host-kashbox-visitor=${nonce}`), null);
  t.is(nonceOf(`__Host-kashbox-visitor=${nonce}${nonce}`), null);
});

test('cookies are found by their whole name, the first one counts', (t) => {
  t.is(findCookie('ab=1; b=2;b=3', 'b'), '2');
  t.is(findCookie('b', 'b'), null);
  t.is(findCookie('=2; b=a=b', 'b'), 'a=b');
  t.is(findCookie(undefined, 'b'), null);
  t.is(findCookie('__proto__=1', 'constructor'), null);
});

test('a form is its own by what browsers say of it', (t) => {
  const hosts = ['pay.example.com', ''];
  const own = (origin?: string, site?: string) => isOwnForm({ origin, 'sec-fetch-site': site }, hosts);
  t.true(own());
  t.true(own('https://pay.example.com', 'same-origin'));
  t.true(own('null', 'same-origin'), 'what browsers send under no-referrer');
  t.true(own('null'), 'and older ones');
  t.true(isOwnForm({ origin: 'https://pay.example.com:8443' }, ['PAY.example.com:8443']));
  for (const [origin, site] of [
    ['https://evil.example.org', undefined],
    ['http://pay.example.com', undefined],
    ['https://pay.example.com:444', undefined],
    ['https://pay.example.com.evil.example.org', undefined],
    ['file://', undefined],
    ['x', undefined],
    ['', undefined],
    ['null', 'cross-site'],
    [undefined, 'cross-site'],
    [undefined, 'same-site'],
    ['https://pay.example.com', 'cross-site'],
  ] as const) {
    t.false(own(origin, site), `${origin} ${site}`);
  }
});

test('of what a browser wants, Bangla and English count, the higher weight first, and Bangla otherwise', (t) => {
  const wants = (header: string) => negotiateLanguage(undefined, { 'accept-language': header });
  const table: [header: string, language: 'bn' | 'en'][] = [
    ['', 'bn'],
    ['*', 'bn'],
    ['de', 'bn'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['bn-BD,bn;q=0.9,en;q=0.8', 'bn'],
    ['en-US,en;q=0.9,bn;q=0.8', 'en'],
    ['en;q=0.2, bn;q=0.9', 'bn'],
    ['en;q=0', 'bn'],
    ['en;q=x', 'bn'],
    ['english', 'bn'],
    [`${'x,'.repeat(5_000)}en`, 'bn'],
  ];
  for (const [header, language] of table) t.is(wants(header), language, header.slice(0, 40));
  t.is(negotiateLanguage('en', {}), 'en');
  t.is(negotiateLanguage(['en'], {}), 'bn');
  t.is(negotiateLanguage(undefined, { cookie: '__Secure-kashbox-language=en' }), 'en');
  t.is(negotiateLanguage(undefined, { cookie: '__Secure-kashbox-language=<script>' }), 'bn');
});
