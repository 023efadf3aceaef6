/** What makes the terminal ring, and what its title says. */
import test from 'ava';
import { loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { daemonGone, formatTitle, hasNewActivity, type TimedSnapshot } from '../../src/monitor/news.js';
import { type Phone, type Snapshot, toSnapshot } from '../../src/monitor/snapshot.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { phone } from './frames.js';

const NOW = Date.UTC(2026, 7, 21, 6, 35);
const HOUR = 3_600_000;

const phones = (...changes: Partial<Phone>[]): Snapshot => ({
  phones: changes.map((change) => ({ ...phone, ...change })),
  shop: null,
});
const at = (snapshot: Snapshot, ms = NOW): TimedSnapshot => ({ snapshot, at: ms });

type Shop = NonNullable<Snapshot['shop']>;

test('a phone rings when it goes offline, once, also by time alone; one that was never seen does not', (t) => {
  const well = at(phones({}));
  const later = at(phones({}), NOW + HOUR);
  t.false(hasNewActivity(null, later));
  t.true(hasNewActivity(well, later));
  t.false(hasNewActivity(later, at(phones({}), NOW + 2 * HOUR)));
  t.false(hasNewActivity(later, well));
  t.true(hasNewActivity(well, later));
  t.false(hasNewActivity(well, at(phones({ last_seen_at: null }), NOW + HOUR)));
  t.false(hasNewActivity(well, at(phones({ state: 'REVOKED' }), NOW + HOUR)));
});

test('a review, an alert and a dead notification ring when they appear, and not when they go', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const now = clock.now();
  const snapshot = toSnapshot(await loadDashboard(core));
  const { shop } = snapshot;
  if (shop === null) return t.fail('a store holds a shop');
  const changed = (change: Partial<Shop>) => at({ ...snapshot, shop: { ...shop, ...change } }, now);
  const before = changed({});
  t.false(hasNewActivity(before, before));
  const both = (less: TimedSnapshot, more: TimedSnapshot) => [
    hasNewActivity(less, more),
    hasNewActivity(more, less),
  ];

  const [first, ...oldest] = shop.reviews.oldest;
  const fewer = changed({ reviews: { waiting: oldest.length, oldest } });
  t.deepEqual(both(fewer, before), [true, false]);
  // One was decided while another came.
  const others = [...oldest, { ...oldest[0], ...first, id: 'rev_new' } as Shop['reviews']['oldest'][number]];
  t.true(hasNewActivity(before, changed({ reviews: { waiting: others.length, oldest: others } })));
  // Of many only some are read: those that come into sight are old.
  const many = (ids: number, waiting: number) =>
    changed({
      reviews: { waiting, oldest: others.map((one) => ({ ...one, id: `rev_${ids}_${one.id}` })) },
    });
  t.deepEqual(
    [hasNewActivity(many(1, 60), many(2, 59)), hasNewActivity(many(1, 60), many(1, 61))],
    [false, true],
  );

  const { notifications } = shop;
  const dead = notifications.failing.filter(({ state }) => state === 'FAILED');
  const rest = notifications.failing.slice(1);
  const one = changed({ notifications: { ...notifications, failed: dead.length - 1, failing: rest } });
  t.deepEqual(both(one, before), [true, false]);

  const [latest] = shop.alerts.latest;
  const raised = (kind: 'sms.gap' | 'device.offline' | 'device.recovered', after: number) => {
    const alert = { ...latest, id: 'alr_new', kind, at: dhakaIso(now + after) };
    return changed({ alerts: { open: 3, latest: [alert as typeof latest, ...shop.alerts.latest] as never } });
  };
  t.true(hasNewActivity(before, raised('sms.gap', 5_000)));
  t.false(hasNewActivity(raised('sms.gap', 5_000), raised('sms.gap', 5_000)));
  // What only comes into sight is not new, and of phones their state tells.
  t.false(hasNewActivity(before, raised('sms.gap', -HOUR)));
  t.false(hasNewActivity(before, raised('device.offline', 5_000)));
  t.false(hasNewActivity(before, raised('device.recovered', 5_000)));
});

test('the title counts what waits, in ASCII, and says when the store is away', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const read = at(toSnapshot(await loadDashboard(core)), clock.now());
  t.is(
    formatTitle(read, false, clock.now()),
    '(6) Kashbox: 2 reviews, 1 phone offline, 1 alert, 2 notifications failed',
  );
  t.is(formatTitle(read, true, clock.now()), 'Kashbox: store away');
  t.is(formatTitle(null, false, NOW), 'Kashbox');
  t.is(formatTitle(at(phones({})), false, NOW), 'Kashbox');
  t.is(
    formatTitle(at(phones({ name: 'ফোন' }, {}), NOW + HOUR), false, NOW + HOUR),
    '(2) Kashbox: 2 phones offline',
  );
});

test('a daemon without a sign for 90 seconds rings once and is shown in the title', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const snapshot = toSnapshot(await loadDashboard(core));
  t.deepEqual(daemonGone(snapshot, NOW), { lastAt: null }, 'none has run yet');
  const jobs = snapshot.shop?.jobs.map((job) => ({ ...job, last_at: dhakaIso(NOW) })) ?? [];
  const ran: Snapshot = { ...snapshot, shop: { ...(snapshot.shop as Shop), jobs } };
  const sign = NOW;
  t.is(daemonGone(ran, NOW + 90_000), null);
  t.deepEqual(daemonGone(ran, NOW + 91_000), { lastAt: sign });
  t.is(daemonGone(ran, NOW - 1_000), null, 'the clock was set back, so nobody knows');
  t.true(hasNewActivity(at(ran, NOW + 88_000), at(ran, NOW + 91_000)));
  t.false(hasNewActivity(at(ran, NOW + 91_000), at(ran, NOW + 94_000)));
  t.is(formatTitle(at(ran), false, NOW + 90_000), 'Kashbox');
  t.is(formatTitle(at(ran), false, NOW + 91_000), 'Kashbox: no daemon');
});
