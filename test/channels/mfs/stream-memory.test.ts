/** What a stream remembers of the transactions that it has told of. */
import test from 'ava';
import { parseSms, type Settle, StreamMemory } from '../../../src/channels/mfs/index.js';
import { BKASH, bkash, engine, NAGAD, nagad } from '../../helpers/shop/sms.js';

function settles(...texts: readonly (readonly [sender: string, body: string])[]): Settle[] {
  const memory = new StreamMemory();
  return texts.map(([sender, body]) => {
    const sms = { sender, body, receivedAtMs: null };
    return memory.judge(sms, parseSms(engine, sms)).settle;
  });
}

test('a text that is delivered again counts once', (t) => {
  t.deepEqual(settles([BKASH, bkash({})], [BKASH, bkash({})], [BKASH, `${bkash({})}\n`]), [
    'auto',
    'never',
    'never',
  ]);
});

test('a different text with the same id needs manual review', (t) => {
  t.deepEqual(settles([BKASH, bkash({})], [BKASH, bkash({ amount: 'Tk 60.00' })]), ['auto', 'review']);
});

test('a copy from a weak sender does not use up the real one, but needs manual review', (t) => {
  t.deepEqual(settles(['16247', bkash({})], [BKASH, bkash({})]), ['review', 'review']);
});

test('a forgery is not remembered', (t) => {
  t.deepEqual(settles(['bKash24', bkash({})], [BKASH, bkash({})]), ['never', 'auto']);
});

test('two wallets may give out the same id', (t) => {
  t.deepEqual(settles([BKASH, bkash({})], [NAGAD, nagad({})]), ['auto', 'auto']);
});

test('a reservation and its completion share an id and stay what they are', (t) => {
  const stamp = 'Balance Tk 211.97. TrxID DHA0LE41LG at 10/08/2026 18:05';
  const reserved = `Payment of Tk 564.11 is being reserved for Example Ride Ltd. ${stamp}`;
  const completed = `Payment of Tk 564.11 to Example Ride Ltd is successful. ${stamp}`;
  t.deepEqual(settles([BKASH, reserved], [BKASH, completed]), ['never', 'never']);
});

test('incoming money under the id of outgoing money needs manual review', (t) => {
  const out = bkash({}).replace(
    'You have received Tk 50.00 from 01711000081.',
    'Send Money Tk 50.00 to 01711000081 successful.',
  );
  t.deepEqual(settles([BKASH, out], [BKASH, bkash({})]), ['never', 'review']);
});
