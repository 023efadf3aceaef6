import test from 'ava';
import { answersWell, shareOut, type Traffic } from '../../src/domain/delivery.js';

/** @param asked from the one that was asked longest ago to the last. */
function traffic(
  underWay: Readonly<Record<string, number>>,
  good: readonly string[] = [],
  asked: readonly string[] = [],
): Traffic {
  const counts = Object.entries(underWay);
  const sum = (list: readonly [string, number][]) => list.reduce((total, [, count]) => total + count, 0);
  return {
    underWay: (endpoint) => underWay[endpoint] ?? 0,
    isGood: (endpoint) => good.includes(endpoint),
    lastAsked: (endpoint) => asked.indexOf(endpoint) + 1,
    total: sum(counts),
    doubtful: sum(counts.filter(([endpoint]) => !good.includes(endpoint))),
  };
}

const due = (...names: readonly string[]) => names.map((endpoint, at) => ({ endpoint, next_at: at }));
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const totalOf = (rooms: readonly { readonly room: number }[]) =>
  rooms.reduce((sum, { room }) => sum + room, 0);

test('an endpoint that nobody has asked yet is sent one at a time', (t) => {
  t.deepEqual(shareOut(due('a'), 10, traffic({})), [{ endpoint: 'a', room: 1 }]);
  t.deepEqual(shareOut(due('a'), 10, traffic({ a: 1 })), []);
});

test('an endpoint that answers well is sent four at a time, one that does not is sent one', (t) => {
  t.deepEqual(shareOut(due('a', 'b'), 10, traffic({ a: 1 }, ['a'])), [
    { endpoint: 'a', room: 3 },
    { endpoint: 'b', room: 1 },
  ]);
});

test('what is due later has no room now', (t) => {
  const later = [{ endpoint: 'a', next_at: 11 }];
  t.deepEqual(shareOut(later, 10, traffic({})), []);
  t.deepEqual(shareOut(later, 11, traffic({})), [{ endpoint: 'a', room: 1 }]);
});

test('endpoints that hang never take the room of those that answer', (t) => {
  const hanging = names(100, 'slow');
  const rooms = shareOut(due(...hanging, 'good'), 1_000, traffic({}, ['good']));
  t.is(rooms.find(({ endpoint }) => endpoint === 'good')?.room, 4);
  t.is(totalOf(rooms), 64 + 4);
  const underWay = Object.fromEntries(rooms.map(({ endpoint, room }) => [endpoint, room]));
  t.deepEqual(shareOut(due(...hanging), 1_000, traffic(underWay, ['good'])), []);
});

test('what there is is shared: one for each first, the longest due first, then more', (t) => {
  const good = names(100, 'e');
  const rooms = shareOut(due(...good), 1_000, traffic({}, good));
  t.is(totalOf(rooms), 128);
  t.deepEqual(
    rooms.map(({ room }) => room),
    [...Array(28).fill(2), ...Array(72).fill(1)],
  );
  const many = names(200, 'e');
  const few = shareOut(due(...many), 1_000, traffic({}, many));
  t.deepEqual(
    few.map(({ endpoint }) => endpoint),
    many.slice(0, 128),
  );
});

test('a backlog of endpoints that hang or are slow goes after who was asked longer ago or never', (t) => {
  const backlog = names(200, 'old');
  for (const good of [[], backlog]) {
    const rooms = shareOut(due(...backlog, 'again', 'new'), 1_000, traffic({}, good, ['again', ...backlog]));
    t.deepEqual(
      rooms.slice(0, 3).map(({ endpoint }) => endpoint),
      ['new', 'again', 'old0'],
    );
  }
});

test('only an endpoint that delivers within 2 s may be sent several at once', (t) => {
  t.true(answersWell({ outcome: 'delivered', ms: 2_000 }));
  t.false(answersWell({ outcome: 'delivered', ms: 2_001 }));
  t.false(answersWell({ outcome: 'refused', ms: 5 }));
});
