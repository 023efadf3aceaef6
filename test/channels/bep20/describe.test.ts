/** The entry of `methods`, and hashes as customers type and paste them. */
import test from 'ava';
import { bep20Channel } from '../../../src/channels/bep20/describe.js';

const SHOP = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const account = (details: Readonly<Record<string, string>>) => ({
  channel: 'bep20' as const,
  type: 'transfer',
  number: SHOP,
  details,
});
const usdt = { rate: 1_205_000, amount: 41_667 };

test('an entry has the specified format, with rate and amount as plain numbers', (t) => {
  const entry = bep20Channel.describe([account({ chain_id: '56' })], { usdt });
  t.is(
    JSON.stringify(entry),
    '{"name":"bep20","active_payments":{"transfer":true},"network":"BNB Smart Chain (BEP20)",' +
      `"currency":"USDT","receiver_address":"${SHOP}","dollar_rate":120.5,"amount_usdt":4.1667}`,
  );
});

test('returns the network of the account', (t) => {
  const network = (details: Readonly<Record<string, string>>) =>
    bep20Channel.describe([account(details)], { usdt })?.network;
  t.is(network({ chain_id: '97' }), 'BNB Smart Chain Testnet (BEP20)');
  t.is(network({ chain_id: '56', network: 'BSC' }), 'BSC');
});

test('without a rate, or without an account, nobody can pay there', (t) => {
  t.is(bep20Channel.describe([account({ chain_id: '56' })], {}), null);
  t.is(bep20Channel.describe([], { usdt }), null);
});

const HASH = `0x${'0123456789abcdef'.repeat(4)}`;
const read = (text: string) => bep20Channel.readReference(text);
const found = (text: string) => bep20Channel.findReference(text);

test('52: a hash is the same in any case and whatever is around it', (t) => {
  const upper = `0x${HASH.slice(2).toUpperCase()}`;
  const typed = [HASH, upper, `  ${HASH} `, HASH.replace('abc', 'aBc'), `0X${HASH.slice(2)}`];
  for (const text of [...typed, `"${HASH}".`, `(\u200b${HASH})`, `TxHash: ${HASH}`]) {
    t.deepEqual(read(text), { outcome: 'id', reference: HASH }, text);
  }
});

test('51: an invalid hash returns the expected format', (t) => {
  const bare = HASH.slice(2);
  const texts = [
    '',
    bare,
    HASH.slice(0, -1),
    `${HASH}0`,
    `${HASH.slice(0, 30)}\n${HASH.slice(30)}`,
    `${HASH.slice(0, -1)}g`,
    `${HASH.slice(0, -1)}\u0661`,
    'A1B2C3D4E5',
  ];
  for (const text of texts) {
    const answer = read(text);
    t.is(answer.outcome, 'invalid', JSON.stringify(text));
    t.regex(answer.outcome === 'invalid' ? answer.fault : '', /0x and then 64 characters/);
  }
});

test('a hash is found in a pasted message and in the link of an explorer', (t) => {
  const one = { outcome: 'id', reference: HASH };
  t.deepEqual(found(HASH), one);
  t.deepEqual(found(`https://bscscan.com/tx/${HASH}`), one);
  t.deepEqual(found(`https://bscscan.com/tx/${HASH}#eventlog`), one);
  t.deepEqual(found(`I paid!\nTxHash:${HASH.replace('abc', 'ABC')} thanks`), one);
  t.deepEqual(found(`\u200b${HASH.slice(0, 20)}\u200d${HASH.slice(20)}`), one, 'unseen characters');
  t.deepEqual(found(`${HASH} https://bscscan.com/tx/${HASH}`), one, 'the same twice');
});

test('two hashes return several, and an address or a part of a longer text returns none', (t) => {
  t.deepEqual(found(`${HASH} ${HASH.replace('0x0', '0x1')}`), { outcome: 'several' });
  for (const text of ['', SHOP, HASH.slice(2), `${HASH}0`, `a${HASH}`, `${HASH}z`]) {
    t.deepEqual(found(text), { outcome: 'none' }, text);
  }
});
