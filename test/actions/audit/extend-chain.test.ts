/** Every row gets one entry in the chain, whatever clocks and other processes do meanwhile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ChainExtender, chainOwnRows, SCAN_WINDOWS_MS } from '../../../src/actions/audit/extend-chain.js';
import { openCore } from '../../../src/actions/core/core.js';
import { acceptKey } from '../../../src/actions/installation/accept-key.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { writeAudit } from '../../../src/store/tables/audit.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';
import { aCredit, type ChainedShop, chainedShop, extend, pay, tamper, verify } from './ground.js';

const HOUR = 3_600_000;

/** Audit entries of one moment. */
async function entries({ core }: Pick<ChainedShop, 'core'>, count: number): Promise<void> {
  await core.store.write(async (db) => {
    for (let n = 0; n < count; n += 1) {
      await writeAudit(db, core.random, {
        at: core.clock.now(),
        who: 'test',
        action: 'a.b',
        subject: `${n}`,
      });
    }
  });
}

for (const engine of engines) {
  test(`${engine}: a store of before is taken in by small rounds, and nothing twice`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    await entries({ core }, 250);
    t.deepEqual(await extend(core), [100, 100, 50]);
    t.deepEqual(await extend(core), []);
    await entries({ core }, 3);
    t.deepEqual(await extend(core, SCAN_WINDOWS_MS.near), [3]);
    t.like(await verify(core), { ok: true, rows: 253, pending: 0 });
  });

  test(`${engine}: several processes at once leave no gap, and each row has one entry`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    await entries({ core }, 450);
    await Promise.all(Array.from({ length: 4 }, () => extend(core)));
    await extend(core);
    t.like(await verify(core), { ok: true, rows: 450, head: { number: 450 } });
  });

  test(`${engine}: rows that a clock left in the future or far behind are taken in, and those after them`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core, clock } = scene;
    for (const step of [48 * HOUR, -48 * HOUR, -72 * HOUR, 72 * HOUR]) {
      clock.advance(step);
      await pay(scene, Math.abs(step) / HOUR + (step > 0 ? 1 : 0));
      await extend(core, SCAN_WINDOWS_MS.near);
      t.like(await verify(core), { ok: true, pending: 0 }, `${step}`);
    }
    // Nothing of the future hides what a daemon that was killed has left behind.
    await pay(scene, 8);
    clock.advance(5 * HOUR);
    await pay(scene, 9);
    await extend(core, SCAN_WINDOWS_MS.far);
    t.like(await verify(core), { ok: true, pending: 0 });
  });

  test(`${engine}: a row that was committed late is taken in within the hour, and later it is unknown`, async (t) => {
    const { core, clock } = await chainedShop(t, engine);
    const late = (ms: number, subject: string) =>
      core.store.write((db) =>
        writeAudit(db, core.random, { at: clock.now() - ms, who: 'test', action: 'a.b', subject }),
      );
    clock.advance(2 * HOUR);
    await entries({ core }, 1);
    await extend(core);
    await late(HOUR - 60_000, 'in time');
    t.deepEqual(await extend(core, SCAN_WINDOWS_MS.near), []);
    t.deepEqual(await extend(core, SCAN_WINDOWS_MS.far), [1]);
    await late(HOUR + 60_000, 'too late');
    t.deepEqual(await extend(core, SCAN_WINDOWS_MS.far), []);
    const { findings } = await verify(core);
    t.deepEqual(
      findings.map(({ finding }) => finding),
      ['row_unknown'],
    );
  });

  test(`${engine}: an extender that has seen the end of the chain detects its loss and re-adds nothing`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core } = scene;
    const extender = new ChainExtender(core);
    await extender.round(SCAN_WINDOWS_MS.near);
    const { number } = extender.head;
    const { id } = await aCredit(core);
    await tamper(
      core,
      'DELETE FROM audit_chain WHERE number > 1',
      `UPDATE transactions SET scope = 'x' WHERE id = '${id}'`,
    );
    await t.throwsAsync(extender.round(SCAN_WINDOWS_MS.near), {
      code: 'state_refused',
      message: `Entry ${number} of the audit chain is missing or changed: someone has modified the store`,
    });
    await extend(core);
    t.is(new Set((await verify(core)).findings).size, 0, 'another one would take them for new');
    await t.throwsAsync(extender.round(SCAN_WINDOWS_MS.near), { code: 'state_refused' });
  });

  test(`${engine}: a store that takes no writes is checked, and says how many rows are not in the chain`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core } = scene;
    await entries(scene, 2);
    const write = () => Promise.reject(new KashboxError('store_read_only'));
    const asleep = { ...core, store: { ...core.store, read: core.store.read, write } };
    t.like(await verify(asleep), { ok: true, pending: 2 });
    await t.notThrowsAsync(chainOwnRows(asleep));
    await chainOwnRows(core);
    t.like(await verify(asleep), { ok: true, pending: 0 });
  });

  test(`${engine}: when the key was replaced, rows count from then on, and that cannot be said by others`, async (t) => {
    const first = await chainedShop(t, engine);
    const { folder } = first.core.home;
    const before = await verify(first.core);
    const env: Record<string, string> =
      engine === 'sqlite' ? {} : { KASHBOX_DATABASE_URL: first.core.settings.databaseUrl };
    const again = async () => {
      const core = await openCore({ folder, env, clock: first.clock });
      t.teardown(() => core.close());
      return core;
    };
    writeFileSync(join(folder, 'secret.key'), `${'ab'.repeat(32)}\n`);
    const shut = await again();
    await t.throwsAsync(verify(shut), { code: 'secret_unreadable' });
    await chainOwnRows(shut);
    const at = first.clock.now();
    await acceptKey(shut, { who: 'test' });

    const core = await again();
    const after = await verify(core);
    t.like(after, { ok: true, since: dhakaIso(at), unchecked: before.rows, rows: before.rows + 1 });
    t.like(await verify(core, { expected: before.head }), { ok: true });
    const { id } = await aCredit(core);
    const newest = (
      await core.store.read((db) => db.query.selectFrom('audit').selectAll().orderBy('id', 'desc').execute())
    )[0];
    t.is(newest?.action, 'secret_key.accept');
    await tamper(core, `UPDATE audit SET who = 'nobody' WHERE id = '${newest?.id}'`);
    await tamper(core, `DELETE FROM transactions WHERE id = '${id}'`);
    t.deepEqual(
      (await verify(core)).findings.map(({ finding }) => finding),
      ['row_deleted', 'row_changed', 'credit_missing', 'paid_wrong'],
      'of old rows at least whether they are there',
    );
    for (const value of [`{"after":${after.head.number},"at":${at},"mark":"x"}`, 'null', '']) {
      await tamper(core, `UPDATE installation SET value = '${value}' WHERE name = 'chain_start'`);
      const { findings, since } = await verify(core);
      t.is(since, null);
      t.is(findings[0]?.finding, 'start_changed', value);
      t.true(findings.length > before.rows);
    }
  });

  test(`${engine}: nothing of a round and of a check scans a table`, async (t) => {
    const { core } = await chainedShop(t, engine);
    await entries({ core }, 2);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const extender = new ChainExtender(watched);
    while (!(await extender.round(SCAN_WINDOWS_MS.far)).isOver);
    await verify(watched, { expected: extender.head });
    t.true(statements.size > 10, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });
}
