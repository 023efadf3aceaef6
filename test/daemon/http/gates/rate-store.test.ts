/** Callers are counted within a minute of a clock that nobody sets. */
import test from 'ava';
import { SteadyStore } from '../../../../daemon/http/gates/rate-stores.js';

const MINUTE = 60_000;

function openStore(cache: number) {
  const clock = { ms: 1_000 };
  const store = new SteadyStore(() => clock.ms, cache);
  const counted = (caller: string) => {
    let seen: { current: number; ttl: number } | undefined;
    store.incr(caller, (_error, result) => (seen = result), MINUTE);
    return seen;
  };
  const peeked = (caller: string) => {
    let seen: { current: number; ttl: number } | undefined;
    store.read(caller, (_error, result) => (seen = result));
    return seen;
  };
  return { clock, counted, peeked };
}

test('a minute begins with the first request and ends a minute later, whatever came meanwhile', (t) => {
  const { clock, counted, peeked } = openStore(10);
  t.deepEqual(peeked('a'), { current: 0, ttl: 0 });
  t.deepEqual(counted('a'), { current: 1, ttl: MINUTE });
  clock.ms += MINUTE - 1;
  t.deepEqual(counted('a'), { current: 2, ttl: 1 });
  t.deepEqual(peeked('a'), { current: 2, ttl: 1 });
  t.deepEqual(counted('b'), { current: 1, ttl: MINUTE });
  clock.ms += 1;
  t.deepEqual(peeked('a'), { current: 0, ttl: 0 });
  t.deepEqual(counted('a'), { current: 1, ttl: MINUTE });
});

test('of more callers than are remembered, the one that has been silent for longest is forgotten', (t) => {
  const { counted, peeked } = openStore(2);
  counted('a');
  counted('b');
  counted('a');
  counted('c');
  t.deepEqual([peeked('a')?.current, peeked('b')?.current, peeked('c')?.current], [2, 0, 1]);
});
