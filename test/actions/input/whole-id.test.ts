/** The beginning of an identifier names a row where no other begins so. */
import test from 'ava';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { isBeginning, wholeId as wholeIn } from '../../../src/actions/input/whole-id.js';
import { newRowId } from '../../../src/base/values/ids.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

const wholeId = (core: Core, typed: string, ofPayments: boolean) =>
  core.store.read((db) => wholeIn(db, typed, ofPayments));

const KINDS = ['mer', 'brd', 'key', 'acc', 'dev', 'rev', 'ntf', 'nod', 'acq', 'dsp', 'tgt', 'gap'];

const referenceOf = async (core: Core, id: string) => {
  const row = await core.store.read((db) =>
    db.query
      .selectFrom('sessions')
      .where('id', '=', id)
      .select('gateway_reference')
      .executeTakeFirstOrThrow(),
  );
  return row.gateway_reference;
};

for (const engine of engines) {
  test(`${engine}: a unique prefix resolves to its id, an ambiguous one is rejected`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const first = await openShop(core, 'Alo');
    // Eleven digits of an identifier are its time.
    clock.advance(60_000);
    const second = await openShop(core, 'Bina', '01711000002');
    const shared = first.deviceId.slice(0, 8);
    t.true(second.deviceId.startsWith(shared));
    t.is(await wholeId(core, first.deviceId.slice(0, 20), false), first.deviceId);
    t.is(await wholeId(core, ` ${second.deviceId.slice(0, -1)} `, false), second.deviceId);
    const error = await t.throwsAsync(wholeId(core, shared, false), { code: 'invalid_input' });
    for (const id of [first.deviceId, second.deviceId]) t.true(error?.message.includes(id), error?.message);
    t.is(await wholeId(core, 'dev_ffff', false), 'dev_ffff');
    t.is(await wholeId(core, 'xyz_0123', false), 'xyz_0123');
  });

  test(`${engine}: an id prefix never matches the merchant of a test brand`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const { merchantId: merchant } = await openShop(core);
    await createBrand(core, { merchant, name: 'Trial', test: true, who: 'test' });
    // Both were made in one moment, which the first digits tell.
    t.is(await wholeId(core, merchant.slice(0, 12), false), merchant);
  });

  test(`${engine}: of a payment the number or the session may be begun, in any case`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const ids = [await shop.order(100), await shop.order(100), await shop.link(100)];
    for (const id of ids) {
      const reference = await referenceOf(core, id);
      t.is(await wholeId(core, reference.slice(0, 10).toLowerCase(), true), reference);
      t.is(await wholeId(core, id.slice(0, 16).toUpperCase(), true), reference);
      t.is(await wholeId(core, reference.slice(0, 10), false), reference.slice(0, 10), 'no payment is meant');
      t.is(await wholeId(core, reference.slice(0, 3), true), reference.slice(0, 3), 'too short');
    }
  });

  test(`${engine}: of very many that begin alike ten are named`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const shop = await openShop(core);
    await core.store.write(async (db) => {
      const device = await db.query.selectFrom('devices').selectAll().executeTakeFirstOrThrow();
      for (let at = 0; at < 12; at += 1) {
        const id = newRowId(core.random, core.clock.now(), 'device');
        const row = { ...device, id, name: id, key_hash: id, gateway_key_hash: id };
        await db.query.insertInto('devices').values(row).execute();
      }
    });
    const error = await t.throwsAsync(wholeId(core, shop.deviceId.slice(0, 10), false));
    t.is(error?.message.match(/dev_[0-9a-f]{24}/g)?.length, 10);
    t.regex(error?.message ?? '', /, and more$/);
  });

  test(`${engine}: each question is answered by an index`, async (t) => {
    const core = await openTestCore(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    for (const kind of KINDS) await wholeId(watched, `${kind}_0123`, false);
    await wholeId(watched, 'abcd', true);
    t.is(statements.size, KINDS.length + 2);
    await findByIndex(t, core, statements);
  });
}

test('names, complete identifiers and payment numbers do not count as prefixes', (t) => {
  for (const typed of ['Alo', 'counter-1', 'dev_0123456789abcdef01234567', 'dev_012', 'Amar Dokan']) {
    t.false(isBeginning(typed, false), typed);
  }
  t.false(isBeginning('K7Q2M9XW4TZB', true));
  t.false(isBeginning('0123456789abcdef0123456789abcdef', true));
  t.true(isBeginning('K7Q2', true));
  t.true(isBeginning('dev_0123', false));
});
