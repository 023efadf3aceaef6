/** The receipt of an answer to a relay phone, held against what the documentation tells script writers. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';

const KEY = 'dk_0123456789abcdef0123456789abcdef01234567';

test('the receipt is the one that docs/relay.md computes with openssl', (t) => {
  const page = readFileSync(new URL('../../../../docs/relay.md', import.meta.url), 'utf8');
  t.true(page.includes(`kashbox-relay-receipt-v1\\n[["1","stored"]]`));
  t.true(page.includes(`-hmac ${KEY}`));
  t.true(page.includes(relayReceipt(KEY, [{ id: '1', state: 'stored' }])));
});

test('another key, id, state, order or number of results makes another receipt', (t) => {
  const one = { id: 'a', state: 'stored' };
  const two = { id: 'b', state: 'duplicate' };
  const receipts = [
    relayReceipt(KEY, [one, two]),
    relayReceipt(`${KEY}x`, [one, two]),
    relayReceipt(KEY, [two, one]),
    relayReceipt(KEY, [one]),
    relayReceipt(KEY, []),
    relayReceipt(KEY, [one, { ...two, state: 'rejected' }]),
    relayReceipt(KEY, [one, { ...two, id: null }]),
    relayReceipt(KEY, [one, { ...two, id: 'null' }]),
    relayReceipt(KEY, [{ id: 'a","stored"],["b', state: 'duplicate' }]),
  ];
  t.is(new Set(receipts).size, receipts.length);
  for (const receipt of receipts) t.regex(receipt, /^[0-9a-f]{64}$/);
});
