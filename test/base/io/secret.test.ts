import { createHmac } from 'node:crypto';
import test from 'ava';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { createMark, createSecretBox, hashKey, keyHint } from '../../../src/base/io/secret.js';
import {
  newBrandKey,
  newGatewayKey,
  newGatewayReference,
  newPairingCode,
  newSessionId,
  newWebhookSecret,
  systemRandom,
} from '../../../src/base/values/ids.js';

const box = () => createSecretBox(new Uint8Array(32).fill(7), systemRandom);

test('a sealed text opens under the same key and purpose and hides its content', (t) => {
  const sealed = box().seal('whsec_canary', 'brand:1:webhook');
  t.false(sealed.includes('canary'));
  t.is(box().open(sealed, 'brand:1:webhook'), 'whsec_canary');
  t.not(sealed, box().seal('whsec_canary', 'brand:1:webhook'), 'each sealing has its own nonce');
});

test('a sealed text opens nowhere else and not when a byte of it changed', (t) => {
  const sealed = box().seal('secret', 'brand:1:webhook');
  const other = createSecretBox(new Uint8Array(32).fill(8), systemRandom);
  const spoilt = Buffer.from(sealed.slice(3), 'base64');
  spoilt[spoilt.length - 1] = (spoilt[spoilt.length - 1] ?? 0) ^ 1;
  const attempts = [
    () => box().open(sealed, 'brand:2:webhook'),
    () => other.open(sealed, 'brand:1:webhook'),
    () => box().open(`v1.${spoilt.toString('base64')}`, 'brand:1:webhook'),
    () => box().open('nonsense', 'brand:1:webhook'),
  ];
  for (const attempt of attempts) {
    t.true(isKashboxError(t.throws(attempt), 'secret_unreadable'));
  }
});

test('a hint shows the ends of a key and no more', (t) => {
  const key = newBrandKey(systemRandom);
  t.is(keyHint(key).length, 12);
  t.false(hashKey(key).includes(key.slice(3, 10)));
});

test('identifiers have the shapes that design and spec fix', (t) => {
  t.regex(newSessionId(systemRandom), /^[0-9a-f]{32}$/);
  t.regex(newGatewayReference(systemRandom), /^[0-9A-Z]{12}$/);
  t.regex(newGatewayKey(systemRandom), /^[0-9A-Za-z]{18}$/);
  t.regex(newPairingCode(systemRandom), /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  t.is(Buffer.from(newWebhookSecret(systemRandom).slice(6), 'base64').length, 32);
});

test('random letters are equally likely: bytes that would favour some are thrown away', (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  let calls = 0;
  const everyByteOnce = (size: number) => {
    calls += 1;
    return bytes.subarray((calls - 1) * size, calls * size);
  };
  const text = Array.from({ length: 4 }, () => newBrandKey(everyByteOnce).slice(3)).join('');
  t.is(text.length, 160);
  t.is(new Set(text).size, 62);
});

test('a derived key is the same under the same key and purpose, and another one under others', (t) => {
  const derived = box().deriveKey('form');
  t.is(derived.length, 32);
  t.deepEqual(box().deriveKey('form'), derived);
  t.notDeepEqual(box().deriveKey('cookie'), derived);
  t.notDeepEqual(createSecretBox(new Uint8Array(32).fill(8), systemRandom).deriveKey('form'), derived);
});

test('a mark is the HMAC of RFC 2104, for keys and texts of every length', (t) => {
  for (const length of [0, 1, 32, 63, 64, 65, 200]) {
    const key = Buffer.alloc(length, 0xa5);
    const mark = createMark(key);
    for (const text of ['', 'session', '৳'.repeat(70)]) {
      t.is(mark(text), createHmac('sha256', key).update(text).digest('base64url'));
    }
  }
});
