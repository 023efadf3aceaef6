/** Pushes that were kept under a wrong map, read again by the right one: what counts, and what does not. */
import test, { type ExecutionContext } from 'ava';
import { revokeAcquirer, updateAcquirer } from '../../../src/actions/acquirers/acquirers.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import { reparsePushes } from '../../../src/actions/pushes/reparse-pushes.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { rows } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;
const WRONG = { reference: 'id', amount: 'amount' };
const RIGHT = { reference: 'tran', amount: 'total', payer: 'from', status: 'state', success: ['OK'] };

async function scene(t: ExecutionContext<unknown>, engine: Engine, map: object = WRONG) {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  const bank = await openBank(core, shop, { map });
  const told = { tran: 'T1', total: '500.00', from: PAYER, state: 'OK' };
  return {
    clock,
    core,
    shop,
    bank,
    /** The bank tells of something in its own words, a second after what it told before. */
    tell: (change: object = {}) => {
      clock.advance(1_000);
      return bank.take(JSON.stringify({ ...told, ...change }));
    },
    mend: (map: object = RIGHT) => updateAcquirer(core, { acquirer: bank.acquirer.id, map, who: 'test' }),
    reparse: (core: Core) => reparsePushes(core, { who: 'test' }),
  };
}

const statusOf = async (core: Core, id: string) => {
  const row = await core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select(['status', 'reason']).executeTakeFirst(),
  );
  return `${row?.status} ${row?.reason}`;
};
const unread = async (core: Core) =>
  (await listPushes(core, { unread: true, limit: 50 })).map(({ why }) => why);

for (const engine of engines) {
  test(`${engine}: two reparses during repeated pushes and claims pay each payment once`, async (t) => {
    const { core, bank, tell, mend, reparse } = await scene(t, engine);
    const env = engine === 'postgres' ? { KASHBOX_DATABASE_URL: core.settings.databaseUrl } : {};
    const other = await openCore({ folder: core.home.folder, clock: core.clock, env });
    t.teardown(() => other.close());
    const count = 12;
    const orders = [];
    for (let index = 0; index < count; index += 1) {
      const from = `017123450${String(index).padStart(2, '0')}`;
      const order = await bank.order();
      t.is(await bank.verify(order.id, from), 'transaction_not_found');
      await tell({ tran: `T${index}`, from });
      await tell({ tran: `T${index}`, from, again: true });
      orders.push({ id: order.id, from, index });
    }
    await mend();
    const [one, two] = await Promise.all([
      reparse(core),
      reparse(other),
      ...orders.map(({ index, from }) => tell({ tran: `T${index}`, from, again: true })),
      ...orders.map(({ id, from }) => bank.verify(id, from)),
    ]);
    t.true(one.paid + two.paid <= count);
    for (const { id, from, index } of orders) t.is(await bank.verify(id, from), `T${index}`);
    t.is((await rows(core, 'transactions')).length, count);
    t.is((await rows(core, 'proofs')).length, count);
    t.deepEqual(await unread(core), []);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a push kept under a wrong map settles waiting claims once the map is corrected`, async (t) => {
    const { clock, core, bank, tell, mend, reparse } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    t.is((await tell()).state, 'kept');
    const arrived = clock.now();
    await tell({ tran: 'T2', total: 'a lot' });
    clock.advance(60_000);
    const before = await reparse(core);
    t.like(before, { read: 2, paid: 0, settled: [] });
    t.deepEqual(before.left, [{ why: 'it could not be read: id has no reference of a bank', count: 2 }]);
    await mend();
    const heard: string[] = [];
    t.teardown(core.moved.listen(id, () => heard.push(id)));
    const done = await reparse(core);
    const why = 'it could not be read: total has no amount in taka';
    const none = { repeated: 0, contradicted: 0, reviewed: [] };
    t.deepEqual(done, { read: 2, paid: 1, settled: [id], ...none, left: [{ why, count: 1 }] });
    t.is(await statusOf(core, id), 'COMPLETED credited');
    t.deepEqual(heard, [id]);
    const [proof] = await core.store.read((db) => db.query.selectFrom('proofs').select('at').execute());
    t.is(proof?.at, arrived, 'it is no younger for being read late');
    t.like(await reparse(core), { read: 1, paid: 0, settled: [] });
    const audit = (await rows(core, 'audit')).filter(
      (row) => 'action' in row && row.action === 'push.reparse',
    );
    t.is(audit.length, 3);
  });

  test(`${engine}: a word for "paid" that the map did not know counts once it does, with the next claim too`, async (t) => {
    const { core, bank, tell, mend, reparse } = await scene(t, engine, { ...RIGHT, success: ['DONE'] });
    t.is((await tell()).state, 'stored');
    await tell({ tran: 'T2', state: 'PENDING' });
    await mend();
    const done = await reparse(core);
    t.like(done, { read: 2, paid: 1, settled: [] });
    t.deepEqual(done.left, [{ why: 'the bank reports status PENDING', count: 1 }]);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'T1');
  });

  test(`${engine}: a payment pushed three times is credited once and leaves nothing unread`, async (t) => {
    const { core, bank, tell, mend, reparse } = await scene(t, engine);
    for (const attempt of [1, 2, 3]) t.is((await tell({ attempt })).state, 'kept');
    const orders = [await bank.order(), await bank.order()];
    for (const { id } of orders) t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await mend();
    t.like(await reparse(core), { read: 3, paid: 1, repeated: 2, left: [] });
    t.is((await rows(core, 'transactions')).length, 1);
    t.deepEqual(await unread(core), []);
    const listed = await listPushes(core, { limit: 10 });
    const says = 'it says no more of T1 than another push';
    t.deepEqual(
      listed.map(({ why }) => why),
      [says, says, null],
    );
    t.like(await reparse(core), { read: 0, paid: 0 });
    t.is((await tell({ attempt: 2 })).state, 'duplicate');
    await mend({ ...RIGHT, reference: 'attempt' });
    t.is((await tell({ attempt: 3 })).state, 'duplicate', 'not even where a reference is read elsewhere');
    t.like(await reparse(core), { read: 0, paid: 0 });
    t.is((await rows(core, 'proofs')).length, 1);
  });

  test(`${engine}: pending, paid and reversed are distinguished by their order of arrival`, async (t) => {
    const { core, tell, mend, reparse } = await scene(t, engine);
    for (const state of ['PENDING', 'OK', 'REVERSED']) await tell({ state });
    await mend();
    t.like(await reparse(core), { read: 3, paid: 1, repeated: 1, contradicted: 1, left: [] });
    t.deepEqual(await unread(core), ['it could not be read: says "REVERSED" of T1, which was paid before']);
    t.is((await rows(core, 'proofs')).length, 1);
    t.like(await reparse(core), { read: 0 });
    await mend({ ...RIGHT, success: ['OK', 'REVERSED'] });
    t.like(await reparse(core), { read: 0 });
    t.is((await unread(core)).length, 1, 'a contradiction stays what it is');
  });

  test(`${engine}: a word that was read before its money could be gives way, and keeps its body`, async (t) => {
    const { core, tell, mend, reparse } = await scene(t, engine, { ...RIGHT, amount: 'sum' });
    const earlier = await tell({ state: 'PENDING' });
    t.is((await tell()).state, 'kept');
    t.is((await tell({ state: 'REVERSED' })).id, earlier.id);
    await mend();
    t.like(await reparse(core), { read: 2, paid: 1, repeated: 0, contradicted: 1 });
    const listed = await listPushes(core, { limit: 10 });
    const said = listed.map(({ state, reference, body }) => `${state} ${reference} ${/OK|REV/.exec(body)}`);
    t.deepEqual(said.toSorted(), ['SETTLED T1 OK', 'UNREAD null REV']);
  });

  test(`${engine}: a push that the map no longer reads stays as it was read`, async (t) => {
    const { core, tell, mend, reparse } = await scene(t, engine, RIGHT);
    await tell();
    await tell({ tran: 'T2', state: 'PENDING' });
    await mend(WRONG);
    t.like(await reparse(core), {
      read: 1,
      paid: 0,
      left: [{ why: 'the bank reports status PENDING', count: 1 }],
    });
    const listed = await listPushes(core, { limit: 10 });
    t.deepEqual(
      listed.map(({ state, reference }) => [state, reference]),
      [
        ['UNSETTLED', 'T2'],
        ['SETTLED', 'T1'],
      ],
    );
  });

  test(`${engine}: money that is read after its payment is over goes to review`, async (t) => {
    const { clock, core, bank, tell, mend, reparse } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await tell();
    clock.advance(2 * HOUR);
    await mend();
    t.like(await reparse(core), { paid: 1, settled: [], reviewed: [id] });
    t.is(await statusOf(core, id), 'FAILED expired');
  });

  test(`${engine}: a push with an unreadable time pays no waiting claim until the map can read it`, async (t) => {
    const map = { ...RIGHT, paid_at: 'at', time_format: 'DD/MM/YYYY HH:mm:ss' };
    const { clock, core, bank, tell, mend, reparse } = await scene(t, engine, map);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const now = dhakaIso(clock.now()).slice(0, 19).replace('T', ' ');
    t.is((await tell({ at: '2020-01-15 10:00:00' })).state, 'kept');
    t.is((await tell({ tran: 'T2', at: now })).state, 'kept');
    t.is((await tell({ tran: 'T3', at: 'zero \u0000 "quoted"' })).state, 'kept');
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.is((await rows(core, 'proofs')).length, 0);
    const why =
      'it could not be read: at says "2020-01-15 10:00:00", which is no time as DD/MM/YYYY HH:mm:ss: correct ' +
      'time_format in the map with `kashbox acquirers update`, or remove paid_at from it so that the arrival ' +
      'counts, then `kashbox pushes reparse`';
    t.is((await unread(core)).at(-1), why);
    const left = [{ why, count: 3 }];
    t.deepEqual((await reparse(core)).left, left, 'one reason, told by the first');
    await mend({ ...map, time_format: 'YYYY-MM-DD HH:mm:ss' });
    t.like(await reparse(core), { read: 3, paid: 2, settled: [id] });
    t.is(await bank.verify(id, PAYER), 'T2', 'what is too old pays nothing, now that its age is known');
    const { paid_at: _time, time_format: _format, ...arrival } = map;
    await mend(arrival);
    t.like(await reparse(core), { read: 1, paid: 1 });
  });

  test(`${engine}: JSON that came as a form is read as JSON`, async (t) => {
    const { core, bank, mend, reparse } = await scene(t, engine);
    const type = 'application/x-www-form-urlencoded';
    const body = `{"txn":{"tran":"T9","total":500},"from":"${PAYER}","state":"OK"}`;
    t.is((await bank.take(body, type)).state, 'kept');
    await mend({ ...RIGHT, reference: 'txn.tran', amount: 'txn.total' });
    t.like(await reparse(core), { read: 1, paid: 1 });
    t.is((await bank.take(body.replace('T9', 'T10'), type)).state, 'stored');
    const form = `txn[tran]=T11&txn.total=500&from=${PAYER}&state=OK`;
    t.is((await bank.take(form, type)).state, 'stored');
  });

  test(`${engine}: a non-text body stays unread and complete, and stops nothing`, async (t) => {
    const { core, bank, mend, reparse } = await scene(t, engine);
    await bank.take(Buffer.from([0x7b, 0xff, 0xfe]), '');
    await mend();
    const done = await reparse(core);
    t.deepEqual(done.left, [{ why: 'it could not be read: the body is no json', count: 1 }]);
  });

  test(`${engine}: a form is read again as a form`, async (t) => {
    const { core, bank, mend, reparse } = await scene(t, engine);
    await bank.take(`tran=T9&total=500&from=${PAYER}&state=OK`, 'application/x-www-form-urlencoded');
    await mend();
    t.like(await reparse(core), { read: 1, paid: 1 });
  });

  test(`${engine}: of an acquirer that is revoked nothing is read again, and of another only where it is named`, async (t) => {
    const { core, shop, bank, tell, mend } = await scene(t, engine);
    const other = await openBank(core, shop, { name: 'other', map: WRONG });
    await tell();
    await other.take(JSON.stringify({ tran: 'X1', total: '500' }));
    await mend();
    const named = await reparsePushes(core, { acquirer: 'other', who: 'test' });
    t.like(named, { read: 1, paid: 0 });
    await revokeAcquirer(core, { acquirer: bank.acquirer.id, who: 'test' });
    t.like(await reparsePushes(core, { who: 'test' }), { read: 1, paid: 0 });
    const revoked = reparsePushes(core, { acquirer: bank.acquirer.id, who: 'test' });
    await t.throwsAsync(revoked, { code: 'state_refused' });
    await t.throwsAsync(reparsePushes(core, { acquirer: 'nobody', who: 'test' }), { code: 'not_found' });
  });

  test(`${engine}: for a suspended merchant it becomes money and settles nothing until the merchant is active`, async (t) => {
    const { core, shop, bank, tell, mend, reparse } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await tell();
    await mend();
    const change = { merchant: shop.merchantId, who: 'test' };
    await changeMerchantStatus(core, { ...change, status: 'SUSPENDED' });
    t.like(await reparse(core), { paid: 1, settled: [] });
    await changeMerchantStatus(core, { ...change, status: 'ACTIVE' });
    t.is(await bank.verify(id, PAYER), 'T1');
  });
}
