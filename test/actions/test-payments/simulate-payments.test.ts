import { readdirSync } from 'node:fs';
import test from 'ava';
import { setUpShop } from '../../../src/actions/merchants/set-up-shop.js';
import { listPayments } from '../../../src/actions/sessions/list-payments.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { loadShopUnderTest, simulatePayments } from '../../../src/actions/test-payments/simulate-payments.js';
import { MFS_ACCOUNT_TYPES, MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { enginesOfTier, openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';

const NUMBER = '01711000001';

for (const engine of enginesOfTier) {
  test.serial(
    `a payment is played to every kind of account of every wallet, and the shop has none of it (${engine})`,
    async (t) => {
      const core = await openTestCore(t, engine);
      const accounts = MFS_CHANNELS.flatMap((channel) =>
        MFS_ACCOUNT_TYPES[channel].map((type) => ({ channel, type, number: NUMBER })),
      );
      const device = { name: 'counter-1', sims: [`1=${NUMBER}`] };
      await setUpShop(core, { name: 'Alo', accounts, device }, 'test');
      // Other processes play payments in the common folder.
      const folder = await temporaryFolder(t);
      const { TMPDIR } = process.env;
      process.env.TMPDIR = folder;
      t.teardown(() => {
        if (TMPDIR === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = TMPDIR;
      });
      const played = await simulatePayments(await loadShopUnderTest(core, 'Alo'));
      const named = ({ channel, type }: { channel: string; type: string }) => `${channel} ${type}`;
      t.deepEqual(played.map(named).sort(), accounts.map(named).sort());
      t.deepEqual(
        played.filter(({ outcome }) => outcome !== 'completed'),
        [],
      );
      for (const { amount, transaction_id } of played) {
        t.regex(amount, /^\d+\.\d\d$/);
        t.not(transaction_id, '');
      }
      t.deepEqual(await listPayments(core, { limit: 9 }), []);
      t.deepEqual(await listSms(core, { limit: 9 }), []);
      t.deepEqual(readdirSync(folder), []);
    },
  );
}

test.serial('a wallet whose SIM is in no phone cannot detect money', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const accounts = [
    { channel: 'mfs_a', type: 'personal', number: NUMBER },
    { channel: 'mfs_b', type: 'personal', number: '01811000002' },
  ];
  await setUpShop(core, { name: 'Alo', accounts, device: { name: 'c', sims: [`1=${NUMBER}`] } }, 'test');
  const played = await simulatePayments(await loadShopUnderTest(core, 'Alo'));
  t.deepEqual(
    played.map(({ number, outcome }) => [number, outcome]),
    [
      [NUMBER, 'completed'],
      ['01811000002', 'no_sim'],
    ],
  );
});
