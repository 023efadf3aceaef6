/** What is left behind by `db copy`: a store that must not be used beside its copy. */
import { join } from 'node:path';
import test from 'ava';
import { openCore } from '../../../src/actions/core/core.js';
import { copyStore } from '../../../src/actions/db/copy-store.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { systemRandom } from '../../../src/base/values/ids.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';

test('on a store that was copied everybody reads, no command writes, no daemon starts, and doctor says why', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await openShop(core);
  const { folder } = core.home;
  const file = core.home.storeFile;
  const place = { engine: 'sqlite', folder, file, databaseUrl: null, isInSettings: false } as const;
  const order = {
    target: { engine: 'sqlite', file: join(await temporaryFolder(t), 'copy.db') },
    random: (size: number) => systemRandom(size),
    clock: core.clock,
    signal: new AbortController().signal,
    pause: async () => {},
    onWait: () => {},
    onRows: () => {},
  } as const;
  await copyStore(place, order);
  const refused = { code: 'state_refused', message: /^This store was copied to .*copy\.db at 20/ };
  await t.throwsAsync(openCore({ folder, env: {}, onDamage: () => {} }), refused);
  const command = await openCore({ folder, env: {}, mustExist: true });
  t.teardown(() => command.close());
  t.is((await command.store.read((db) => db.execute('SELECT id FROM merchants', []))).length, 1);
  await t.throwsAsync(createMerchant(command, { name: 'Alo', allowIps: [], who: 'test' }), refused);
  const checks = await examine(folder, async () => command);
  t.like(
    checks.find(({ name }) => name === 'writing'),
    { state: 'fail' },
  );
  t.regex(checks.find(({ name }) => name === 'writing')?.message ?? '', refused.message);

  const forced = await openCore({ folder, env: {}, onDamage: () => {}, force: true });
  await forced.close();
  const daemon = await openCore({ folder, env: {}, onDamage: () => {} });
  t.teardown(() => daemon.close());
  await t.notThrowsAsync(createMerchant(daemon, { name: 'Alo', allowIps: [], who: 'test' }));
});
