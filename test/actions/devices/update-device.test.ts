import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { enrollDevice, revokeDevice } from '../../../src/actions/devices/enroll-device.js';
import { updateDevice } from '../../../src/actions/devices/update-device.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { bkashId, bkashText, openShop, WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const who = 'cli:tester';
const OTHER = '01711000009';

for (const engine of enginesOfTier) {
  test(`${engine}: money counts on the new number from the change on, and older SMS name no number`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await setAccount(core, { brand: 'Alo Store', channel: 'mfs_b', type: 'personal', number: OTHER, who });
    const receivedBefore = clock.now();
    clock.advance(60_000);
    await updateDevice(core, { device: shop.deviceId, sims: [`1=${OTHER}`], who });
    clock.advance(60_000);
    const sms = (n: number, at: number) => ({
      id: `m${n}`,
      sender: 'bKash',
      body: bkashText({ taka: '500.00', trxId: bkashId(at, n), at }),
      received_at: dhakaIso(at),
      sim_slot: 1,
    });
    const messages = [sms(1, receivedBefore), sms(2, clock.now())];
    await syncDevice(core, { device: shop.device, messages, health: null });
    const [newer, older] = await listSms(core, { limit: 5 });
    t.deepEqual(
      [older, newer].map((row) => [row?.trx_id, row?.recipient]),
      [
        [bkashId(receivedBefore, 1), null],
        [bkashId(clock.now(), 2), OTHER],
      ],
    );
  });

  test(`${engine}: keys and pairing stay, and the audit has both states`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const updated = await updateDevice(core, {
      device: shop.deviceId,
      sims: [`2=${OTHER}`],
      name: 'counter',
      who,
    });
    t.like(updated, { id: shop.deviceId, name: 'counter' });
    t.deepEqual(updated.sims, [
      { slot: 1, number: WALLET },
      { slot: 2, number: OTHER },
    ]);
    const rows = (await auditOf(core, shop.deviceId)).filter(({ action }) => action === 'device.update');
    t.is(rows.length, 1);
    t.like(rows[0], { who });
    t.deepEqual(JSON.parse(rows[0]?.before ?? ''), {
      name: 'Alo Store phone',
      sims: [{ slot: 1, number: WALLET }],
    });
    await updateDevice(core, { device: 'counter', sims: [`2=${OTHER}`], who });
    const again = (await auditOf(core, shop.deviceId)).filter(({ action }) => action === 'device.update');
    t.is(again.length, 1, 'what changes nothing is not audited');
    await syncDevice(core, { device: shop.device, messages: [], health: null });
  });

  test(`${engine}: the answer names brands whose wallet no phone reads and numbers that no brand uses`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const open = await shop.order(100);
    t.is((await showPayment(core, open)).status, 'PENDING');
    const moved = await updateDevice(core, { device: shop.deviceId, sims: [`1=${OTHER}`], who });
    const [late, unread, unused, ...rest] = moved.notes;
    t.deepEqual(rest, []);
    t.regex(late ?? '', /SIM 1 .* review/);
    t.regex(unread ?? '', new RegExp(`No phone reads the SMS of ${WALLET}.*'Alo Store'.*1 payment is open`));
    t.regex(unused ?? '', new RegExp(`No brand receives payments at ${OTHER} yet`));
    const second = { merchant: 'Alo Store', name: 'spare', sims: [`1=${OTHER}`], who };
    await enrollDevice(core, second);
    await setAccount(core, { brand: 'Alo Store', channel: 'mfs_a', type: 'personal', number: OTHER, who });
    const back = await updateDevice(core, { device: shop.deviceId, sims: [`1=${WALLET}`], who });
    t.is(back.notes.filter((note) => note.startsWith('No phone')).length, 0, 'the spare phone reads it');
    t.is(back.notes.filter((note) => note.startsWith('No brand')).length, 1);
  });

  test(`${engine}: unusable SIMs, taken names and revoked phones are refused, and nothing changes`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const device = shop.deviceId;
    await enrollDevice(core, { merchant: 'Alo Store', name: 'spare', sims: [`1=${OTHER}`], who });
    const invalid = [
      {},
      { sims: ['1=0171'] },
      { sims: [`0=${OTHER}`] },
      { sims: [`1=${OTHER}`, `1=${WALLET}`] },
      { sims: [`1=${OTHER}`], removedSlots: ['1'] },
      { removedSlots: ['1'] },
      { removedSlots: ['2'] },
      { removedSlots: ['x'] },
    ];
    for (const given of invalid) {
      await t.throwsAsync(updateDevice(core, { device, ...given, who }), { code: 'invalid_input' });
    }
    const taken = updateDevice(core, { device, name: 'spare', sims: [`1=${OTHER}`], who });
    await t.throwsAsync(taken, { code: 'already_exists' });
    const same = await updateDevice(core, { device, sims: [`1=${WALLET}`], who });
    t.deepEqual([same.sims, same.notes], [[{ slot: 1, number: WALLET }], []]);
    await revokeDevice(core, { device, who });
    await t.throwsAsync(updateDevice(core, { device, sims: [`1=${OTHER}`], who }), { code: 'state_refused' });
  });
}
