/** Signatures against other people's programs: OpenSSL, and the published package of Standard Webhooks. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../../src/base/values/ids.js';
import {
  type CheckOf,
  checkSignature,
  checkStandardSignature,
  signatureHeaders,
} from '../../src/notify/signature.js';

const AT = 1_790_000_000_999;
const T = '1790000000';
const ID = 'ntf_000000000000000000000001';
const NEW = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OLD = 'whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=';
const CONTENT = '{"event":"payment.completed","cus_name":"রহিম","amount":"500.00"}';

/** What `openssl dgst -sha256` says with these options. */
function openssl(text: string, ...options: readonly string[]): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', '-binary', ...options], { input: text });
}

const VECTORS = [
  ...[
    '',
    '{}',
    'a=b&c=%E0%A6%95',
    CONTENT,
    '{"a":1}\n',
    '\r\n',
    '\u0000',
    '.',
    '1790000000.{}',
    'é',
    'e\u0301',
  ],
  ...[
    '💸',
    '\ufeff{}',
    '"\\u0995"',
    ' {} ',
    'x'.repeat(63),
    'x'.repeat(64),
    'x'.repeat(65),
    'ক'.repeat(5_000),
  ],
  ...['{"n":9007199254740993.10}', '\u2028', 'ZWJ\u200dক্‍ষ'],
];

test(`both headers are what OpenSSL computes, of ${VECTORS.length} bodies`, (t) => {
  t.true(VECTORS.length >= 20);
  const keyHex = Buffer.from(NEW.slice('whsec_'.length), 'base64').toString('hex');
  for (const content of VECTORS) {
    const headers = signatureHeaders({ id: ID, at: AT, content, secrets: [NEW] });
    const own = openssl(`${T}.${content}`, '-hmac', NEW);
    const standard = openssl(`${ID}.${T}.${content}`, '-mac', 'HMAC', '-macopt', `hexkey:${keyHex}`);
    t.deepEqual(headers, {
      'x-service-signature': `t=${T},v1=${own.toString('hex')}`,
      'webhook-id': ID,
      'webhook-timestamp': T,
      'webhook-signature': `v1,${standard.toString('base64')}`,
    });
  }
});

test('the published package of Standard Webhooks verifies any body, with either of two secrets', (t) => {
  const now = Date.now();
  const bodies = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.json());
  fc.assert(
    fc.property(bodies, (content) => {
      const secrets = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
      const headers = signatureHeaders({ id: ID, at: now, content, secrets });
      for (const secret of secrets) {
        new Webhook(secret).verify(content, headers, { jsonParse: false });
        const check = { body: Buffer.from(content), secrets: [secret], now, toleranceS: 300 };
        t.is(checkSignature(headers['x-service-signature'], check).result, 'valid');
        t.is(checkStandardSignature(headers, check).result, 'valid');
      }
      const stranger = newWebhookSecret(randomBytes);
      t.throws(() => new Webhook(stranger).verify(content, headers, { jsonParse: false }));
    }),
  );
});

const headers = signatureHeaders({ id: ID, at: AT, content: CONTENT, secrets: [NEW, OLD] });
const header = headers['x-service-signature'] ?? '';
const check: CheckOf = { body: CONTENT, secrets: [NEW], now: AT, toleranceS: 300 };

test('while a secret is rotated there are two signatures, and one that is known is enough', (t) => {
  t.regex(header, /^t=1790000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  t.regex(headers['webhook-signature'] ?? '', /^v1,\S{44} v1,\S{44}$/);
  const stranger = 'whsec_c3RyYW5nZXI=';
  for (const secrets of [[NEW], [OLD], [stranger, OLD], [NEW, OLD]]) {
    t.deepEqual(checkSignature(header, { ...check, secrets }), { result: 'valid', ageS: 0 });
    t.deepEqual(checkStandardSignature(headers, { ...check, secrets }), { result: 'valid', ageS: 0 });
  }
  for (const secrets of [[stranger], []]) {
    t.deepEqual(checkSignature(header, { ...check, secrets }), { result: 'wrong' });
    t.deepEqual(checkStandardSignature(headers, { ...check, secrets }), { result: 'wrong' });
  }
});

test('a changed body, time, id or signature is wrong', (t) => {
  const [first = ''] = header.split(',').slice(1);
  t.is(checkSignature(header, { ...check, body: `${CONTENT} ` }).result, 'wrong');
  t.is(checkSignature(header.replace(T, '1790000001'), check).result, 'wrong');
  const spoilt = first.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  t.is(checkSignature(`t=${T},${spoilt}`, check).result, 'wrong');
  for (const change of [{ 'webhook-id': 'ntf_2' }, { 'webhook-timestamp': '1790000001' }]) {
    t.is(checkStandardSignature({ ...headers, ...change }, check).result, 'wrong');
  }
  t.is(checkStandardSignature(headers, { ...check, body: '' }).result, 'wrong');
});

test('the tolerance counts both ways, to the second, and Infinity takes any time', (t) => {
  const at = (s: number, toleranceS = 300) => {
    const late = { ...check, now: (Number(T) + s) * 1_000, toleranceS };
    t.deepEqual(checkSignature(header, late), checkStandardSignature(headers, late));
    return checkSignature(header, late);
  };
  t.deepEqual(at(300), { result: 'valid', ageS: 300 });
  t.deepEqual(at(301), { result: 'too_old', ageS: 301 });
  t.deepEqual(at(-300), { result: 'valid', ageS: -300 });
  t.deepEqual(at(-301), { result: 'in_the_future', ageS: -301 });
  t.deepEqual(at(9_000_000, Number.POSITIVE_INFINITY), { result: 'valid', ageS: 9_000_000 });
});

test('distinguishes a missing or malformed header from a wrong one', (t) => {
  const hex = 'a'.repeat(64);
  for (const none of [undefined, '', '  ']) t.is(checkSignature(none, check).result, 'no_header');
  for (const text of [
    ...['nonsense', `v1=${hex}`, `t=${T}`, `t=,v1=${hex}`, `t=now,v1=${hex}`, `t=Infinity,v1=${hex}`],
    ...[`t=${T},t=${T},v1=${hex}`, `t=-1,v1=${hex}`, `t=1.5,v1=${hex}`, `t=${T},v1=${hex}0`, `t=${T},v1=`],
    ...[
      `t=${T},v0=${hex}`,
      `t=${T} v1=${hex}`,
      `t=${T}${`,v1=${hex}`.repeat(100)}`,
      `t=${T},v1=${'é'.repeat(64)}`,
    ],
  ]) {
    t.is(checkSignature(text, check).result, 'malformed', text.slice(0, 100));
  }
  t.is(checkSignature(`v0=old, ${header.split(',').reverse().join(', ')}`, check).result, 'valid');
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    t.is(checkStandardSignature({ ...headers, [name]: undefined }, check).result, 'no_header');
    for (const value of ['', '.', ['a', 'b']]) {
      t.is(checkStandardSignature({ ...headers, [name]: value }, check).result, 'malformed', name);
    }
  }
});

test('checking never throws, whatever the headers contain', (t) => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(header), fc.constant(T));
  fc.assert(
    fc.property(text, text, text, (one, two, three) => {
      checkSignature(`${one},${two}`, check);
      const given = { 'webhook-id': one, 'webhook-timestamp': two, 'webhook-signature': three };
      return checkStandardSignature(given, check).result !== 'valid';
    }),
  );
  t.pass();
});

test('receivers of NagorikPay find the same signature under their names, one at a time', (t) => {
  const signed = { id: ID, at: AT, content: CONTENT, also: 'nagorikpay' } as const;
  const hex = (secret: string) => openssl(`${T}.${CONTENT}`, '-hmac', secret).toString('hex');
  const headers = signatureHeaders({ ...signed, secrets: [NEW] });
  t.is(headers['x-nagorikpay-timestamp'], T);
  t.is(headers['x-nagorikpay-signature'], `sha256=${hex(NEW)}`);
  t.is(headers['x-service-signature'], `t=${T},v1=${hex(NEW)}`, 'beside ours');
  const turns = [0, 1, 2].map(
    (tries) => signatureHeaders({ ...signed, secrets: [NEW, OLD], tries })['x-nagorikpay-signature'],
  );
  t.deepEqual(
    turns,
    [NEW, OLD, NEW].map((secret) => `sha256=${hex(secret)}`),
  );
  const names = Object.keys(signatureHeaders({ id: ID, at: AT, content: CONTENT, secrets: [NEW] }));
  t.deepEqual(
    names.filter((name) => name.includes('nagorikpay')),
    [],
  );
});
