/** Claims and pushes that meet at once, from one daemon or two, and what a person makes of doubt. */
import test, { type ExecutionContext } from 'ava';
import { authenticateAcquirer } from '../../../src/actions/access/authenticate-acquirer.js';
import { revokeAcquirer } from '../../../src/actions/acquirers/acquirers.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import { receivePush } from '../../../src/actions/pushes/take-push.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank, PAYER, sign } from '../../helpers/shop/bank.js';
import { rows } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';

const TWIN = '01812345678';

async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  return { clock, core, shop, bank: await openBank(core, shop) };
}

const unpaid = (core: Core) =>
  core.store.read((db) =>
    db.query.selectFrom('sessions').where('status', '!=', 'COMPLETED').select('id').execute(),
  );

for (const engine of engines) {
  test(`${engine}: a claim and its push that come at once never miss each other`, async (t) => {
    const { core, bank } = await scene(t, engine);
    for (let round = 0; round < 15; round += 1) {
      const { id } = await bank.order();
      const arriving = [() => bank.push(), () => bank.verify(id, PAYER)];
      await Promise.all((round % 2 === 0 ? arriving : arriving.toReversed()).map((come) => come()));
    }
    t.deepEqual(await unpaid(core), []);
    t.is((await rows(core, 'transactions')).length, 15);
  });

  test(`${engine}: two claims with the same last four digits that come at once are both asked for more`, async (t) => {
    const { core, bank } = await scene(t, engine);
    for (let round = 0; round < 5; round += 1) {
      const paisa = 50_000 + round;
      const orders = [await bank.order(paisa), await bank.order(paisa)];
      for (const { id } of orders) t.is(await bank.verify(id, '5678'), 'transaction_not_found');
      await bank.push({ amount: (paisa / 100).toFixed(2) });
      const said = await Promise.all(orders.map(({ id }) => bank.verify(id, '5678')));
      t.deepEqual(said, ['number_ambiguous', 'number_ambiguous']);
    }
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: when numbers are ambiguous an operator chooses the push, and each pays once`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    await bank.push({ reference: 'R1', payer: '*5678' });
    await bank.push({ reference: 'R2', payer: '*5678' });
    t.is(await bank.verify(one.id, PAYER), 'under_review');
    t.is(await bank.verify(two.id, TWIN), 'under_review');
    const reviews = await core.store.read((db) =>
      db.query.selectFrom('reviews').select(['id', 'session_id', 'reason']).execute(),
    );
    t.deepEqual(
      reviews.map(({ reason }) => reason),
      ['several_payers', 'several_payers'],
    );
    const [first = '', second = ''] = reviews.map(({ id }) => id);
    const note = 'seen in the statement';
    await t.throwsAsync(approveReview(core, { id: first, note, who: 'test' }), { code: 'invalid_input' });
    await approveReview(core, { id: first, reference: 'R2', note, who: 'test' });
    const again = approveReview(core, { id: second, reference: 'R2', note, who: 'test' });
    await t.throwsAsync(again, { code: 'already_credited' });
    await approveReview(core, { id: second, reference: 'R1', note, who: 'test' });
    t.deepEqual(await unpaid(core), []);
    const listed = await listPushes(core, { limit: 10 });
    t.deepEqual(
      listed.map(({ payment }) => payment).toSorted(),
      reviews.map(({ session_id: session }) => session).toSorted(),
    );
  });

  test(`${engine}: a customer under review still competes with the next one`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const [one, two, three] = [await bank.order(), await bank.order(), await bank.order()];
    await bank.push({ reference: 'R1', payer: '*5678' });
    await bank.push({ reference: 'R2', payer: '*5678' });
    t.is(await bank.verify(one.id, PAYER), 'under_review');
    t.is(await bank.verify(three.id, '01912345678'), 'under_review');
    const review = await core.store.read((db) =>
      db.query
        .selectFrom('reviews')
        .where('session_id', '=', three.id)
        .select('id')
        .executeTakeFirstOrThrow(),
    );
    await approveReview(core, { id: review.id, reference: 'R2', note: 'seen', who: 'test' });
    t.is(await bank.verify(two.id, TWIN), 'under_review');
  });

  test(`${engine}: a customer who guesses number after number gets five attempts at most`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    await bank.push({ reference: 'EARLY' });
    for (const guess of ['0001', '0002', '0003', '0004', '0005', '5678', PAYER, '7777']) {
      clock.advance(1);
      t.is(await bank.verify(id, guess), 'transaction_not_found', guess);
    }
    await bank.push({ payer: '01712347777' });
    t.is((await rows(core, 'transactions')).length, 0);
    await bank.push({ reference: 'FIFTH', payer: '01712340005' });
    t.is(await bank.verify(id, '0005'), 'number_ambiguous', 'it may be one guess of five');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: last four digits that lie in wait for others' money get none of it`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const guessing = await Promise.all(Array.from({ length: 6 }, () => bank.order()));
    let guess = 5_670;
    for (const { id } of guessing) {
      for (let tries = 0; tries < 5; tries += 1) await bank.verify(id, String(guess++));
    }
    const honest = await bank.order();
    clock.advance(1_000);
    await bank.push();
    t.is((await rows(core, 'transactions')).length, 0);
    t.is(await bank.verify(honest.id, '5678'), 'number_ambiguous');
    t.is(await bank.verify(honest.id, PAYER), 'RRN000000001');
  });

  test(`${engine}: money that arrives a week after its order was abandoned is listed without a review`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    clock.advance(8 * 24 * 3_600_000);
    await bank.push();
    t.is((await rows(core, 'reviews')).length, 0);
    const [row] = await listPushes(core, { unmatched: true, limit: 10 });
    t.is(row?.why, 'no customer has claimed it with this amount and number');
  });

  test(`${engine}: signs that no database holds cost a push nothing`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const odd = '\u0000\ud800 ক';
    const { state } = await bank.push({ payer: odd, bill: odd, merchant: odd, status: 'SUCCESS', note: odd });
    t.is(state, 'stored');
    t.is((await bank.push({ reference: 'R2', status: odd })).state, 'stored');
    // JSON allows no bare NUL.
    t.is((await bank.take(`{"reference":"R3","amount":"5","status":"SUCCESS","${odd}":1}`)).state, 'kept');
    t.is((await listPushes(core, { limit: 10 })).length, 3);
  });

  test(`${engine}: a push kept unread is read when it is sent again after the map was corrected`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const body = JSON.stringify({ tran: 'T1', total: 500, from: PAYER });
    const kept = await bank.take(body);
    t.is(kept.state, 'kept');
    await revokeAcquirer(core, { acquirer: bank.acquirer.id, who: 'test' });
    const back = await openBank(core, shop, { map: { reference: 'tran', amount: 'total', payer: 'from' } });
    t.deepEqual(await back.take(body), { id: kept.id, state: 'stored' });
    t.is(await bank.verify(id, PAYER), 'T1');
    t.is((await listPushes(core, { unread: true, limit: 10 })).length, 0);
  });
}

test('postgres: two daemons that receive the same push at once store and credit it once', async (t) => {
  const { core, bank } = await scene(t, 'postgres');
  const env = { KASHBOX_DATABASE_URL: core.settings.databaseUrl };
  const other = await openCore({ folder: core.home.folder, clock: core.clock, env });
  t.teardown(() => other.close());
  const orders = [await bank.order(), await bank.order()];
  const body = bank.written();
  const bytes = Buffer.from(body);
  const call = { headerKey: bank.key, basic: undefined, queryKey: undefined, ip: '192.0.2.1', body: bytes };
  const acquirer = await authenticateAcquirer(other, { ...call, header: () => sign(bank.secret, bytes) });
  const told = await Promise.all([
    ...Array.from({ length: 5 }, () => bank.take(body)),
    ...Array.from({ length: 5 }, () => receivePush(other, { acquirer, contentType: '', bytes })),
    ...orders.map(({ id }) => bank.verify(id, PAYER)),
  ]);
  const stored = told.filter((one) => typeof one === 'object' && one.state === 'stored');
  t.is(stored.length, 1);
  t.is((await rows(core, 'proofs')).length, 1);
  t.is((await rows(core, 'transactions')).length, 1);
});
