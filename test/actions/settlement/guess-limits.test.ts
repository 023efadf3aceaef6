/** How many ids of one price may be claimed in vain, and how long each of them counts. */
import test from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { keepClaim } from '../../../src/actions/settlement/record-claim.js';
import { checkForGuessing, typedNumbers } from '../../../src/actions/settlement/weak-evidence.js';
import type { PayChannel } from '../../../src/domain/accounts/channels.js';
import { scene } from '../../helpers/shop/scene.js';
import { openShop, type Shop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;
const UNPAID = { fees: null, paid_paisa: 0, paid_fee_paisa: 0 };

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const base = await scene(t, engine);
  const { core, shop } = base;
  let claimed = 0;
  const claim = async (channel: PayChannel, times: number, { paisa = 50_000, of = shop as Shop } = {}) => {
    const price = { status: 'PENDING', reason: 'initiated', expires_at: 0, ...UNPAID } as const;
    const session = { ...price, id: await of.order(paisa), amount_paisa: paisa };
    await core.store.write(async (db) => {
      for (let n = 0; n < times; n += 1) {
        claimed += 1;
        const reference = String(1_000 + claimed);
        const key = { merchant: of.merchantId, channel, reference };
        await keepClaim(core, db, session, { ...key, reason: 'not_seen_yet', block: null });
      }
    });
  };
  /** @returns what was told since it was asked last. */
  let known = 0;
  const told = async (channel: PayChannel, misses = 0) => {
    const session = { amount_paisa: 50_000, ...UNPAID, misses };
    await core.store.write((db) =>
      checkForGuessing(core, db, session, { merchant: shop.merchantId, channel }),
    );
    const alerts = await listAlerts(core, { open: false, limit: 100 });
    const fresh = alerts.slice(0, alerts.length - known);
    known = alerts.length;
    return fresh.map(({ event, merchant_id, detail }) => ({ event, merchant_id, detail }));
  };
  const alert = (channel: string, guesses: number) => ({
    event: 'security.transaction_id_guessing',
    merchant_id: shop.merchantId,
    detail: { channel, amount: '500.00', guesses },
  });
  return { ...base, claim, told, alert };
}

for (const engine of engines) {
  for (const [channel, limit] of [
    ['qr_interbank', 10],
    ['mfs_b', 40],
    ['mfs_c', 40],
    ['mfs_d', 40],
  ] as const) {
    test(`${engine}, ${channel}: the ${limit}th id of a price within an hour raises one guessing alert an hour`, async (t) => {
      const { clock, claim, told, alert } = await stage(t, engine);
      await claim(channel, limit - 1);
      await claim(channel, limit, { paisa: 50_001 });
      t.deepEqual(await told(channel), []);
      clock.advance(HOUR);
      await claim(channel, 1);
      t.deepEqual(await told(channel), [alert(channel, limit)], 'an hour later they count still');
      t.deepEqual(await told(channel), [], 'nobody is told twice');
      clock.advance(1);
      t.deepEqual(await told(channel, 9), [], 'nor in this hour for another reason');
      clock.advance(HOUR);
      t.deepEqual(await told(channel), [], 'then they are forgotten');
      t.deepEqual(await told(channel, 9), [alert(channel, 0)]);
    });
  }

  test(`${engine}: ten ids of one session are guesses, nine are not, and on a wallet whose ids are random neither`, async (t) => {
    const { told, alert } = await stage(t, engine);
    t.deepEqual(await told('mfs_c', 8), []);
    t.deepEqual(await told('mfs_c', 9), [alert('mfs_c', 0)]);
    t.deepEqual(
      await told('qr_interbank', 9),
      [alert('qr_interbank', 0)],
      'each channel is told of by itself',
    );
    for (const channel of ['mfs_a', 'bep20', 'exchange_pay'] as const)
      t.deepEqual(await told(channel, 30), [], channel);
  });

  test(`${engine}: numbers that were typed for a bank's amount count for a day, at this merchant and for it`, async (t) => {
    const { clock, core, shop, claim } = await stage(t, engine);
    const other = await openShop(core, 'Other Store', '01911000009');
    const start = clock.now();
    await claim('qr_interbank', 2);
    await claim('qr_interbank', 1, { paisa: 50_001 });
    await claim('qr_interbank', 1, { of: other });
    await claim('mfs_c', 1);
    const typed = () =>
      core.store.read((db) =>
        typedNumbers(core, db, { merchant: shop.merchantId, channel: 'qr_interbank', paisa: 50_000 }),
      );
    const both = ['1001', '1002'].map((number) => ({ typed: number, claimedAt: start }));
    const sorted = async () => (await typed()).toSorted((one, two) => (one.typed < two.typed ? -1 : 1));
    t.deepEqual(await sorted(), both);
    clock.advance(24 * HOUR);
    t.deepEqual(await sorted(), both);
    clock.advance(1);
    t.deepEqual(await sorted(), []);
  });
}
