/** Known ids of wallets: what is learnt, listed, exported without customer data, and imported. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import {
  type ExportedIds,
  exportKnownIds,
  importKnownIds,
  listKnownIds,
} from '../../../src/actions/sms/wallet-ids.js';
import { dhakaIso, dhakaText } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { ROCKET, rocket } from '../../helpers/shop/sms.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;
const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** A shop with Rocket, whose balance grows by what it receives. */
async function rocketShop(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await scene(t, engine);
  const { core, clock, shop } = stage;
  const account = { brand: shop.brand.name, channel: 'mfs_c', type: 'personal', number: WALLET };
  await setAccount(core, { ...account, who: 'test' });
  let balance = 1_000;
  /** @param jump by which the balance is too high. @returns the id, which fits the forecast of its day. */
  const receive = async (n: number, jump = 0) => {
    balance += 100 + jump;
    const [date = '', time = ''] = dhakaText(clock.now()).split(' ');
    const [year = '', month = '', day = ''] = date.split('-');
    const hour = Number(time.slice(0, 2));
    const clockTime = `${String(hour % 12 || 12).padStart(2, '0')}${time.slice(2)}`;
    const at = `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)} ${clockTime} ${hour < 12 ? 'am' : 'pm'}`;
    const days = (clock.now() - Date.parse('2026-08-21T12:35:00+06:00')) / DAY;
    const id = String(6_870_000_000 + Math.round(days * 3_540_000) + n);
    const body = rocket({ id, amount: 'Tk100.00', balance: `Tk${balance}.00`, at });
    const message = { id, sender: ROCKET, body, sim_slot: 1, received_at: dhakaIso(clock.now()) };
    await syncDevice(core, { device: shop.device, messages: [message], health: null });
    clock.advance(60_000);
    return id;
  };
  const pay = async (id: string) =>
    t.is(await answer(core, shop, await shop.order(10_000), id, 'mfs_c'), 'completed');
  const known = async () => (await listKnownIds(core)).find(({ channel }) => channel === 'mfs_c');
  return { ...stage, receive, pay, known };
}

for (const engine of engines) {
  test(`${engine}: the newest credited id of a day is learnt, if its balance follows`, async (t) => {
    const { core, clock, receive, pay, known } = await rocketShop(t, engine);
    const [first, second] = [await receive(1), await receive(2)];
    await receive(3);
    t.is((await known())?.points, 0, 'what was credited to nobody teaches nothing');
    await pay(first);
    t.is((await known())?.points, 0, 'no SMS before it');
    await pay(second);
    t.like(await known(), { newest_id: second, points: 1, balance: 1, approved: 0 });
    await pay(await receive(4));
    t.is((await known())?.newest_id, second, 'not again within an hour');
    clock.advance(3_600_000);
    const later = await receive(5);
    await pay(later);
    t.like(await known(), { newest_id: later, points: 1 });
    clock.advance(2 * DAY);
    await receive(6, 50);
    const next = await receive(7);
    await pay(next);
    t.like(await known(), { newest_id: next, points: 2, ids_per_second: 41 });
    clock.advance(61 * DAY);
    await receive(8, 50);
    await pay(await receive(9));
    t.is((await core.store.read((db) => db.query.selectFrom('wallet_ids').selectAll().execute())).length, 1);
  });

  test(`${engine}: an export names nobody's transaction, and another installation imports it once`, async (t) => {
    const { core, clock, receive, pay } = await rocketShop(t, engine);
    await receive(1);
    const id = await receive(234);
    await pay(id);
    const file = await exportKnownIds(core);
    t.deepEqual(file, {
      wallet_ids: [{ channel: 'mfs_c', id: `${id.slice(0, -3)}000`, at: '2026-08-21T12:36:00+06:00' }],
    });
    const other = await openTestCore(t, engine, { clock: testClock(clock.now()) });
    t.deepEqual(await importKnownIds(other, { file, who: 'test' }), { added: 1, unchanged: 0 });
    t.deepEqual(await importKnownIds(other, { file, who: 'test' }), { added: 0, unchanged: 1 });
    t.is((await rows(other, 'audit')).length, 1);
    const wallets = await listKnownIds(other);
    t.like(
      wallets.find(({ channel }) => channel === 'mfs_c'),
      { points: 1, imported: 1 },
    );
    t.deepEqual(await exportKnownIds(other), { wallet_ids: [] }, 'what others said is not passed on');
    t.like(wallets[0], { channel: 'mfs_a', ids: 'dated', known_until: null });
  });
}

test('an id of a file that cannot be is refused by its name, and nothing is imported', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const good = { channel: 'mfs_c', id: '6870000000', at: '2026-08-21T12:00:00+06:00' };
  const refused = async (bad: object, message: RegExp) => {
    const file = { wallet_ids: [good, { ...good, ...bad }] } as ExportedIds;
    await t.throwsAsync(importKnownIds(core, { file, who: 'test' }), { message });
  };
  await refused({ channel: 'mfs_a' }, /^Id 2 \(mfs_a 6870000000 .*\) is not an id of that wallet's counter/);
  await refused({ id: '75XVT000' }, /^Id 2 .* is not an id of/);
  await refused({ at: '2026-08-21T12:36:00+06:00' }, /^Id 2 .* is in the future/);
  await refused({ at: 'yesterday' }, /^Id 2 .* needs a wallet's channel, an id and a time/);
  await refused({ id: '9870000000' }, /^Id 2 .* is too far from the forecast/);
  await refused({ id: '6970000000' }, /^Id [12] .* does not fit 6[89]70000000 of 2026-08-21T12:00/);
  await t.throwsAsync(importKnownIds(core, { file: [], who: 'test' }), { message: /no list "wallet_ids"/ });
  t.true((await listKnownIds(core)).every(({ points }) => points === 0));
  const old = { ...good, id: '6570000000', at: '2026-06-01T12:00:00+06:00' };
  const file = { wallet_ids: [good, old] };
  t.deepEqual(await importKnownIds(core, { file, who: 'test' }), { added: 1, unchanged: 1 });
});
