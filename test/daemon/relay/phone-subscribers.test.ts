/** The room of listening phones by itself: its breath, its one query, and its cost when nobody listens. */
import test, { type ExecutionContext } from 'ava';
import {
  openPhoneSubscribers,
  type PhoneListener,
  type PhoneSubscriberOptions,
} from '../../../daemon/relay/phone-subscribers.js';
import type { Core } from '../../../src/actions/core/core.js';
import { openLog } from '../../../src/base/io/log.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { recorded } from '../../helpers/stores/plans.js';
import { until } from '../../helpers/until.js';

async function openRoom(t: ExecutionContext<unknown>, options: Partial<PhoneSubscriberOptions> = {}) {
  const core = await openTestCore(t, 'sqlite');
  const shops = [];
  for (const n of [1, 2, 3]) shops.push(await openShop(core, `Shop ${n}`, `0171100000${n}`));
  const phones = shops.map(({ device }) => device);
  const [phone] = phones;
  if (phone === undefined) throw new TypeError('there is no phone');
  let looks = 0;
  let underWay = 0;
  const read: Core['store']['read'] = (work) => {
    looks += 1;
    underWay += 1;
    return core.store.read(work).finally(() => {
      underWay -= 1;
    });
  };
  const { log } = openLog('silent');
  const watched = { ...core, store: { ...core.store, read } };
  const room = openPhoneSubscribers(watched, log, { maxListeners: 100, ...options });
  t.teardown(() => room.endAll());
  return { core, room, phone, phones, looks: () => looks, isLooking: () => underWay > 0 };
}

function listener() {
  const said: string[] = [];
  const hears: PhoneListener = {
    wake: (reason) => said.push(reason),
    heartbeat: () => said.push('breath'),
    end: () => said.push('end'),
  };
  return { said, ...hears };
}

/** Lets so many rounds of a room that looks every 20 ms go by: a slow machine slows both down alike. */
async function rounds(count: number): Promise<number> {
  let passed = 0;
  const timer = setInterval(() => {
    passed += 1;
  }, 20);
  await until(() => passed >= count);
  clearInterval(timer);
  return passed;
}

test('every listener is breathed at once a round, however many there are', async (t) => {
  const { room, phones } = await openRoom(t, { pollMs: 5, heartbeatMs: 20 });
  const all = phones.map((phone) => {
    const own = listener();
    room.subscribe(phone, own);
    return own.said;
  });
  await until(() => all.every((said) => said.length >= 3));
  const counts = all.map((said) => said.length);
  t.true(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(' '));
  t.true(all.flat().every((word) => word === 'breath'));
});

test('one query asks for all phones, and none is made once the last has gone', async (t) => {
  const { room, phones, looks, isLooking } = await openRoom(t, { pollMs: 20 });
  const leaves = phones.map((phone) => room.subscribe(phone, listener()));
  await until(() => looks() > 1);
  const before = looks();
  const passed = await rounds(5);
  t.true(looks() - before <= passed + 1, `${looks() - before} looks in ${passed} rounds`);
  for (const leave of leaves) leave();
  for (const leave of leaves) leave();
  await until(() => !isLooking());
  const last = looks();
  await rounds(5);
  t.is(looks(), last);
});

test('the query finds each phone and its queue by an index, on both engines', async (t) => {
  const { findByIndex } = await import('../../helpers/stores/plans.js');
  const { callsFor } = await import('../../../src/store/tables/devices.js');
  for (const engine of ['sqlite', 'postgres'] as const) {
    const core = await openTestCore(t, engine);
    const { deviceId } = await openShop(core);
    const statements = new Map<string, readonly unknown[]>();
    const calls = await recorded(core, statements).store.read((db) => callsFor(db, [deviceId, 'x', 'y']));
    t.deepEqual([...calls.keys()], [deviceId]);
    t.is(statements.size, 1);
    await findByIndex(t, core, statements);
  }
});

test('a store that is away for a moment loses no call', async (t) => {
  const { core, phone } = await openRoom(t);
  let isAway = true;
  let tries = 0;
  const read: Core['store']['read'] = (work) => {
    tries += 1;
    return isAway ? Promise.reject(new Error('away')) : core.store.read(work);
  };
  const { log } = openLog('silent');
  const away = { ...core, store: { ...core.store, read } };
  const room = openPhoneSubscribers(away, log, { maxListeners: 1, pollMs: 5, heartbeatMs: 1_000_000 });
  t.teardown(() => room.endAll());
  const own = listener();
  room.subscribe({ ...phone, keyHash: 'another' }, own);
  await until(() => tries > 2);
  t.deepEqual(own.said, []);
  isAway = false;
  await until(() => own.said.length > 0);
  t.deepEqual(own.said, ['revoked']);
  t.true(room.hasRoom(), 'whoever is shut out has left');
});

test('at the end all subscribers are released, and new ones refused', async (t) => {
  const { room, phones } = await openRoom(t);
  const all = phones.map((phone) => {
    const own = listener();
    room.subscribe(phone, own);
    return own.said;
  });
  room.endAll();
  t.deepEqual(all, [['end'], ['end'], ['end']]);
  t.false(room.hasRoom());
});
