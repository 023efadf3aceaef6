/** What known ids of a wallet say about its counter. */
import test from 'ava';
import {
  aheadOfForecast,
  blockOf,
  expectedUntil,
  type IssuedId,
  judgePoint,
  latestSample,
  measuredSpeed,
} from '../../../src/channels/mfs/index.js';

const DAY = 86_400_000;

const sampleOf = (channel: 'mfs_b' | 'mfs_c'): IssuedId => {
  const sample = latestSample(channel);
  if (sample === null) throw new Error('no counter');
  return sample;
};
const [NAGAD, ROCKET] = [sampleOf('mfs_b'), sampleOf('mfs_c')];

/** The id that Rocket would give out after those days at that pace. */
const rocketAfter = (days: number, pace = 1): IssuedId => ({
  id: String(Number(ROCKET.id) + Math.round(41 * 86_400 * days * pace)),
  atMs: ROCKET.atMs + days * DAY,
});

test('a block ends with zeros, and has the shape of an id', (t) => {
  t.is(blockOf('75XVTP1Z'), '75XVT000');
  t.is(blockOf('6954684481'), '6954684000');
});

test('how far a counter is ahead of its forecast is a time', (t) => {
  const days = (issued: IssuedId) => Math.round((aheadOfForecast('mfs_c', issued) ?? Number.NaN) / DAY);
  t.is(days(ROCKET), 0);
  t.is(days(rocketAfter(10, 1.5)), 5);
  t.is(days(rocketAfter(10, 0.5)), -5);
  t.is(aheadOfForecast('mfs_a', ROCKET), null, 'dated ids have no forecast');
});

test('the speed is measured over a day or more', (t) => {
  t.is(measuredSpeed('mfs_c', [ROCKET, rocketAfter(2), rocketAfter(4, 2)]), 82);
  t.is(measuredSpeed('mfs_c', [ROCKET, rocketAfter(0.9)]), null);
  t.is(measuredSpeed('mfs_c', [ROCKET]), null);
  t.is(measuredSpeed('mfs_a', [ROCKET, rocketAfter(2)]), null);
});

test('ids that follow are expected for a time, those outside the forecast not at all', (t) => {
  t.is(expectedUntil('mfs_b', NAGAD), NAGAD.atMs + 730 * DAY, 'no further than two years');
  const last = { id: '7Z000000', atMs: Date.parse('2041-08-01T00:00:00+06:00') };
  t.is(expectedUntil('mfs_b', last), last.atMs + 138 * DAY, 'the last prefix of the forecast');
  t.is(expectedUntil('mfs_b', { id: '7ZA022AA', atMs: NAGAD.atMs }), null);
});

test('an id from elsewhere must have the shape, be in the past and be possible', (t) => {
  const now = ROCKET.atMs + 200 * DAY;
  const judge = (issued: IssuedId) => judgePoint('mfs_c', issued, now);
  for (const pace of [0.3, 1, 3.5]) t.is(judge(rocketAfter(150, pace)), null);
  for (const pace of [-1, 5]) t.is(judge(rocketAfter(150, pace)), 'impossible');
  t.is(judge(rocketAfter(201)), 'future');
  t.is(judge({ ...ROCKET, id: '75XVT000' }), 'shape');
  t.is(judge({ ...ROCKET, atMs: Number.NaN }), 'future');
  t.is(judgePoint('mfs_a', ROCKET, now), 'shape');
});
