/** A pressed page is the page that would have been rendered, to the last sign, whoever was there before. */
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { fillCachedPage } from '../../../daemon/checkout/cached-page.js';
import { LANGUAGES } from '../../../daemon/checkout/page.js';
import { renderCheckout } from '../../../daemon/checkout/view.js';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { NOW, pageOf } from './view/view-pages.js';

const unpacked = (packed: Buffer | null) => (packed === null ? null : gunzipSync(packed).toString('utf8'));

const words = fc.string({ unit: 'grapheme', maxLength: 40 });
const signs = fc.constantFrom('', '"><script>&\'', '\ue000token\ue001', '\ue000', 'মরিয়ম', '$& $1 ৳');
const name = fc.oneof(words, signs);
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);

const LOGO = JSON.stringify({ file: 'a.png', width: 64, height: 32, bytes: 90 });

const method = fc.record({
  channel: fc.constantFrom(...PAY_CHANNELS),
  feePaisa: fc.oneof(fc.constant(0), fc.nat(1_000_000)),
  usdt: fc.option(
    fc.record({ rate: fc.integer({ min: 1, max: 20_000_000 }), amount: fc.integer({ min: 1, max: 1e10 }) }),
  ),
  accounts: fc.array(
    fc.record({
      type: fc.constantFrom('personal', 'agent', 'payment'),
      number: fc.stringMatching(/^01\d{9}$/),
      details: fc.oneof(fc.constant({}), fc.record({ qr: words, bank_name: name })),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

const page = fc
  .record({
    language: fc.constantFrom(...LANGUAGES),
    session: hex,
    token: fc.stringMatching(/^[\w-]{43}$/),
    brand: fc.record({ name, mobile: fc.constantFrom('', '01711000001'), whatsapp: words, email: name }),
    look: fc.record({
      website: fc.option(fc.constantFrom('alo.example', 'xn--94b2g5c.example')),
      colour: fc.option(fc.constantFrom('#00aa77', '#ffcc00')),
      logo: fc.option(fc.constantFrom(LOGO, LOGO.replace('a.png', 'b.svg'))),
    }),
    cusName: name,
    gatewayReference: fc.stringMatching(/^[A-Z0-9]{12}$/),
    amountPaisa: fc.integer({ min: 100, max: 100_000_000 }),
    methods: fc.uniqueArray(method, { selector: ({ channel }) => channel, maxLength: 4 }),
    leftMs: fc.integer({ min: 1, max: 90_000_000 }),
  })
  .map(({ language, session, token, leftMs, ...checkout }) => {
    const { now } = pageOf('open');
    const methods = checkout.methods.map((item) => ({
      ...item,
      totalPaisa: checkout.amountPaisa + item.feePaisa,
    }));
    const path = `/api/execute/${session}`;
    const open = { ...checkout, methods, id: session, expiresAt: now + leftMs, claim: null };
    return pageOf('open', { language, token, path }, open);
  });

test('every page of an open payment is pressed to the very text that it renders to', (t) => {
  fc.assert(
    fc.property(page, (one) => {
      const isMarked = JSON.stringify([one.checkout.brand, one.checkout.methods]).includes('\ue000');
      t.is(unpacked(fillCachedPage(one)), isMarked ? null : renderCheckout(one));
    }),
    { numRuns: 400 },
  );
});

test('customers of one shop have one plate, and none sees a figure of another', (t) => {
  const shared = { brand: { name: 'Alo Store', mobile: '', whatsapp: '', email: '' }, claim: null };
  const pages = Array.from({ length: 50 }, (_, n) =>
    pageOf(
      'open',
      { token: `token-of-${n}`, path: `/api/execute/path-of-${n}` },
      { ...shared, cusName: `Customer ${n}.`, gatewayReference: `REF${n}.`, amountPaisa: 100_000 + n },
    ),
  );
  for (const one of [...pages, ...pages]) t.is(unpacked(fillCachedPage(one)), renderCheckout(one));
});

test('a page on which somebody has claimed something is not pressed', (t) => {
  t.is(fillCachedPage(pageOf('waiting')), null);
  t.is(fillCachedPage(pageOf('completed')), null);
  const claim = {
    channel: 'mfs_a',
    reference: 'DH15ABC1K7',
    at: NOW,
    isWaiting: true,
    refusedFor: null,
    camePaisa: null,
  } as const;
  t.is(fillCachedPage(pageOf('open', { isPayer: true }, { claim })), null);
  const problem = { kind: 'no_reference', channel: 'mfs_a', typed: 'x' } as const;
  t.is(fillCachedPage(pageOf('open', { problem }, { claim: null })), null);
});
