import test from 'ava';
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { disableAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { listKeys, revokeKey, rotateKey } from '../../../src/actions/keys/keys.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { databaseWithTables } from '../../helpers/stores/postgres.js';
import { auditOf, everyRow } from '../../helpers/stores/rows.js';

const who = 'cli:tester';
const HOUR_MS = 3_600_000;

const opens = (core: Core, key: string) => authenticateBrand(core, { credentials: [key], ip: '203.0.113.7' });

async function methods(core: Core) {
  const session = await createSession(core, {
    brand: await brandContext(core, 'Alo'),
    hosted: null,
    cusName: 'Customer',
    cusEmail: '',
    amountPaisa: 50_000,
    metaJson: null,
  });
  return session.methods.map(({ name, personal }) => ({ name, personal }));
}

for (const engine of engines) {
  test(`on ${engine}, a rotation ends the old key at once, with an overlap only when that is over`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const first = (await createMerchant(core, { name: 'Alo', allowIps: [], who })).brand_key;
    const second = (await rotateKey(core, { brand: 'Alo', overlapMs: 0, who })).brand_key;
    await t.throwsAsync(opens(core, first), { code: 'key_invalid' });
    await t.notThrowsAsync(opens(core, second));
    const third = await rotateKey(core, { brand: 'Alo', overlapMs: HOUR_MS, who });
    clock.advance(HOUR_MS - 1);
    await t.notThrowsAsync(opens(core, second));
    clock.advance(1);
    await t.throwsAsync(opens(core, second), { code: 'key_invalid' });
    await t.notThrowsAsync(opens(core, third.brand_key));
    t.false((await everyRow(core)).includes(third.brand_key));
  });

  test(`on ${engine}, a rotation without overlap also ends a key that an earlier one let overlap`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const first = (await createMerchant(core, { name: 'Alo', allowIps: [], who })).brand_key;
    await rotateKey(core, { brand: 'Alo', overlapMs: HOUR_MS, who });
    await t.notThrowsAsync(opens(core, first));
    await rotateKey(core, { brand: 'Alo', overlapMs: 0, who });
    await t.throwsAsync(opens(core, first), { code: 'key_invalid' });
  });

  test(`on ${engine}, after many rotations at the same moment one key is left`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const rotate = () => rotateKey(core, { brand: 'Alo', overlapMs: 0, who });
    await Promise.all(Array.from({ length: 6 }, rotate));
    const keys = await listKeys(core, { brand: 'Alo' });
    t.is(keys.length, 7);
    t.is(keys.filter((key) => key.state === 'ACTIVE').length, 1);
  });

  test(`on ${engine}, a revoked key is refused and stays revoked from its first time`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const made = await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const [key] = await listKeys(core, {});
    const revoked = await revokeKey(core, { id: key?.id ?? '', who });
    await t.throwsAsync(opens(core, made.brand_key), { code: 'key_invalid' });
    clock.advance(HOUR_MS);
    t.deepEqual(await revokeKey(core, { id: key?.id ?? '', who }), revoked);
    t.is((await auditOf(core, key?.id ?? '')).length, 1);
    await t.throwsAsync(revokeKey(core, { id: 'key_none', who }), { code: 'not_found' });
  });

  test(`on ${engine}, a new number replaces the old one in the next session, the same one changes nothing`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const set = (number: string) =>
      setAccount(core, { brand: 'Alo', channel: 'mfs_a', type: 'personal', number, who });
    const first = await set('01711000001');
    t.deepEqual(await methods(core), [{ name: 'mfs_a', personal: '01711000001' }]);
    t.deepEqual(await set('+880 1711-000001'), first);
    const second = await set('01711000002');
    t.deepEqual(await methods(core), [{ name: 'mfs_a', personal: '01711000002' }]);
    const all = await listAccounts(core, { brand: 'Alo', disabledToo: true });
    t.deepEqual(
      all.map(({ id, active }) => ({ id, active })).sort((a, b) => Number(a.active) - Number(b.active)),
      [
        { id: first.id, active: false },
        { id: second.id, active: true },
      ],
    );
    await disableAccount(core, { id: second.id, who });
    t.deepEqual(await methods(core), []);
    await set('01711000002');
    t.deepEqual(await methods(core), [{ name: 'mfs_a', personal: '01711000002' }]);
  });

  test(`on ${engine}, what another process does to accounts holds from the next request, also undone`, async (t) => {
    const folder = await temporaryFolder(t);
    const env = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await databaseWithTables(t) } : {};
    const [daemon, cli] = await Promise.all([openCore({ folder, env }), openCore({ folder, env })]);
    t.teardown(() => Promise.all([daemon.close(), cli.close()]));
    await createMerchant(cli, { name: 'Alo', allowIps: [], who });
    t.deepEqual(await methods(daemon), []);
    const account = { brand: 'Alo', channel: 'mfs_a', type: 'personal', who };
    for (const number of ['01711000001', '01811000002', '01711000001']) {
      const { id } = await setAccount(cli, { ...account, number });
      t.deepEqual(await methods(daemon), [{ name: 'mfs_a', personal: number }]);
      await disableAccount(cli, { id, who });
      t.deepEqual(await methods(daemon), []);
    }
  });

  test(`on ${engine}, of many numbers set at the same moment one is active`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const set = (at: number) =>
      setAccount(core, { brand: 'Alo', channel: 'mfs_b', type: 'agent', number: `0171100000${at}`, who });
    await Promise.all([1, 2, 3, 4, 5].map(set));
    t.is((await listAccounts(core, { disabledToo: false })).length, 1);
    t.is((await listAccounts(core, { disabledToo: true })).length, 5);
  });
}
