import test from 'ava';
import {
  allocateCapacity,
  answersWell,
  type Traffic,
  toDestination,
} from '../../../src/domain/notifications/fair-share.js';

/** @param asked from the one that was asked longest ago to the last. */
function traffic(
  underWay: Readonly<Record<string, number>>,
  good: readonly string[] = [],
  asked: readonly string[] = [],
): Traffic {
  return {
    underWay: new Map(Object.entries(underWay)),
    isGood: (lane) => good.includes(lane),
    lastAsked: (lane) => asked.indexOf(lane) + 1,
  };
}

const due = (...names: readonly string[]) => names.map((lane, at) => ({ lane, next_at: at }));
/** Lanes of as many brands. */
const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at} https://shop.example:443`);
const totalOf = (rooms: readonly { readonly room: number }[]) =>
  rooms.reduce((sum, { room }) => sum + room, 0);

test('an endpoint that nobody has asked yet is sent one at a time', (t) => {
  t.deepEqual(allocateCapacity(due('a https://a'), 10, traffic({})), [{ lane: 'a https://a', room: 1 }]);
  t.deepEqual(allocateCapacity(due('a https://a'), 10, traffic({ 'a https://a': 1 })), []);
});

test('an endpoint that answers well is sent four at a time, one that does not is sent one', (t) => {
  t.deepEqual(
    allocateCapacity(due('a https://a', 'b https://b'), 10, traffic({ 'a https://a': 1 }, ['a https://a'])),
    [
      { lane: 'a https://a', room: 3 },
      { lane: 'b https://b', room: 1 },
    ],
  );
});

test('a notification due later gets no room now', (t) => {
  const later = [{ lane: 'a https://a', next_at: 11 }];
  t.deepEqual(allocateCapacity(later, 10, traffic({})), []);
  t.deepEqual(allocateCapacity(later, 11, traffic({})), [{ lane: 'a https://a', room: 1 }]);
});

test('endpoints that hang never take the room of those that answer', (t) => {
  const hanging = names(100, 'slow');
  const rooms = allocateCapacity(due(...hanging, 'good b'), 1_000, traffic({}, ['good b']));
  t.is(rooms.find(({ lane }) => lane === 'good b')?.room, 4);
  t.is(totalOf(rooms), 64 + 4);
  const underWay = Object.fromEntries(rooms.map(({ lane, room }) => [lane, room]));
  t.deepEqual(allocateCapacity(due(...hanging), 1_000, traffic(underWay, ['good b'])), []);
});

test('capacity is shared: one for each first, the longest due first, then more', (t) => {
  const good = names(100, 'e');
  const rooms = allocateCapacity(due(...good), 1_000, traffic({}, good));
  t.is(totalOf(rooms), 128);
  t.deepEqual(
    rooms.map(({ room }) => room),
    [...Array(28).fill(2), ...Array(72).fill(1)],
  );
  const many = names(200, 'e');
  const few = allocateCapacity(due(...many), 1_000, traffic({}, many));
  t.deepEqual(
    few.map(({ lane }) => lane),
    many.slice(0, 128),
  );
});

test('a backlog of endpoints that hang or are slow goes after who was asked longer ago or never', (t) => {
  const backlog = names(200, 'old');
  for (const good of [[], backlog]) {
    const rooms = allocateCapacity(
      due(...backlog, 'again b', 'new b'),
      1_000,
      traffic({}, good, ['again b', ...backlog]),
    );
    t.deepEqual(
      rooms.slice(0, 3).map(({ lane }) => lane),
      ['new b', 'again b', 'old0 https://shop.example:443'],
    );
  }
});

test('of the endpoints of one brand that hang eight are tried at once, and others wait for none of them', (t) => {
  const ofOne = Array.from({ length: 50 }, (_, at) => `bad https://${at}.example:443`);
  const rooms = allocateCapacity(due(...ofOne, 'other https://shop.example:443'), 1_000, traffic({}));
  t.deepEqual(
    rooms.map(({ lane }) => lane),
    [...ofOne.slice(0, 8), 'other https://shop.example:443'],
  );
  const underWay = Object.fromEntries(rooms.map(({ lane, room }) => [lane, room]));
  t.deepEqual(allocateCapacity(due(...ofOne), 1_000, traffic(underWay)), []);
});

test('attempts under way count: of 128 attempts no more than are free begin', (t) => {
  const busy = names(32, 'e');
  const underWay = Object.fromEntries(busy.map((lane, at) => [lane, at === 0 ? 3 : 4]));
  const all = [...busy, 'new b'];
  t.deepEqual(allocateCapacity(due(...all), 1_000, traffic(underWay, all, busy)), [
    { lane: 'new b', room: 1 },
  ]);
  const full = { ...underWay, 'e0 https://shop.example:443': 4 };
  t.deepEqual(allocateCapacity(due(...all), 1_000, traffic(full, all, busy)), []);
});

test('endpoints that are answered well take no room of those that nobody knows yet', (t) => {
  const busy = names(16, 'e');
  const underWay = Object.fromEntries(busy.map((lane) => [lane, 4]));
  const rooms = allocateCapacity(due(...names(100, 'new')), 1_000, traffic(underWay, busy));
  t.is(totalOf(rooms), 64);
  const ofOne = { 'a https://one': 4, 'a https://two': 4 };
  const next = allocateCapacity(due('a https://new'), 1_000, traffic(ofOne, Object.keys(ofOne)));
  t.deepEqual(next, [{ lane: 'a https://new', room: 1 }]);
});

test('of those that were asked at the same time the one goes first whose notification is due first', (t) => {
  const lanes = [3, 1, 2].map((next_at) => ({ lane: `b${next_at} https://a`, next_at }));
  const rooms = allocateCapacity(lanes, 1_000, traffic({}));
  t.deepEqual(
    rooms.map(({ lane }) => lane),
    ['b1 https://a', 'b2 https://a', 'b3 https://a'],
  );
});

test('a lane is a brand and an endpoint, so that brands at one host do not wait for each other', (t) => {
  const url = 'https://shop.example/hook?a=b';
  const endpoint = 'https://shop.example:443';
  t.deepEqual(toDestination('brd_1', url), { url, endpoint, lane: `brd_1 ${endpoint}` });
});

test('only an endpoint that delivers within 2 s may be sent several at once', (t) => {
  t.true(answersWell({ outcome: 'delivered', ms: 2_000 }));
  t.false(answersWell({ outcome: 'delivered', ms: 2_001 }));
  t.false(answersWell({ outcome: 'refused', ms: 5 }));
});
