/** Pushes of banks on both engines: whom they settle, and what becomes of the others. */
import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import { createSecretBox } from '../../../src/base/io/secret.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { MERCHANT_ID } from '../../helpers/shop/qr.js';
import { rows } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { scene, statusOf } from './ground.js';

const HOUR = 3_600_000;
const TWIN = '01812345678';

const listed = (core: Core, filter: { unmatched?: boolean; unread?: boolean } = {}) =>
  listPushes(core, { limit: 50, ...filter });

for (const engine of engines) {
  test(`${engine}: the same push twenty times at once is stored once and credits once`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id, gatewayReference } = await bank.order();
    const body = bank.written({ bill: gatewayReference });
    const states = await Promise.all(Array.from({ length: 20 }, () => bank.take(body)));
    t.is(states.filter(({ state }) => state === 'stored').length, 1);
    t.is(new Set(states.map((taken) => taken.id)).size, 1);
    t.is(await statusOf(core, id), 'COMPLETED credited');
    t.is((await rows(core, 'transactions')).length, 1);
    t.is((await rows(core, 'proofs')).length, 1);
  });

  test(`${engine}: sessions that claim one push at once get it once, and every push of many finds its session`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const orders = await Promise.all(Array.from({ length: 8 }, () => bank.order()));
    await bank.push({ reference: 'ONE' });
    const said = await Promise.all(orders.map(({ id }) => bank.verify(id, PAYER)));
    t.is(said.filter((word) => word === 'ONE').length, 1);
    t.is(said.filter((word) => word === 'transaction_not_found').length, 7);
    await Promise.all(orders.slice(1).map(() => bank.push()));
    t.is((await rows(core, 'transactions')).length, 8);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a push that came before the claim settles it, and the bank's reference is the record's`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is((await bank.push({ reference: 'RRN7' })).state, 'stored');
    t.is(await bank.verify(id, '5678'), 'RRN7');
    t.is(await bank.verify(id, PAYER), 'RRN7');
    t.is(await bank.verify(id, '9999'), 'session_completed');
    const other = await bank.order();
    t.is(await bank.verify(other.id, PAYER), 'transaction_not_found');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: a push that comes after the claim settles it by itself`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const heard: string[] = [];
    t.teardown(core.moved.listen(id, () => heard.push(id)));
    await bank.push({ payer: '017****5678' });
    t.is(await statusOf(core, id), 'COMPLETED credited');
    t.deepEqual(heard, [id]);
  });

  test(`${engine}: the code's own reference settles its session without any claim`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id, gatewayReference } = await bank.order();
    await bank.push({ bill: gatewayReference.toLowerCase(), payer: undefined, merchant: MERCHANT_ID });
    t.is(await statusOf(core, id), 'COMPLETED credited');
    t.is(await bank.verify(id, '01999999999'), 'RRN000000001');
    const [row] = await listed(core);
    t.like(row, { payment: id, why: null, state: 'SETTLED' });
  });

  test(`${engine}: a push with the reference of one session pays no other`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const [own, other] = [await bank.order(60_000), await bank.order()];
    await bank.push({ bill: own.gatewayReference });
    t.is(await bank.verify(other.id, PAYER), 'transaction_not_found');
    t.is(await statusOf(core, own.id), 'PENDING initiated');
    t.is((await rows(core, 'transactions')).length, 0);
    t.regex((await listed(core, { unmatched: true }))[0]?.why ?? '', /does not match the payment/);
  });

  test(`${engine}: an overpaid or late push with an order code goes to review`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const [more, late] = [await bank.order(), await bank.order()];
    await bank.push({ bill: more.gatewayReference, amount: '500.01' });
    t.is(await statusOf(core, more.id), 'PENDING review');
    clock.advance(2 * HOUR);
    await bank.push({ bill: late.gatewayReference });
    t.is(await statusOf(core, late.id), 'FAILED expired');
    const reasons = (await rows(core, 'reviews')).map((row) => ('reason' in row ? row.reason : ''));
    t.deepEqual(reasons.toSorted(), ['late', 'overpaid']);
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: a push with another amount, account, time or number settles nothing and is listed`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    await bank.push({ amount: '499.99' });
    await bank.push({ merchant: '1750000000000000099' });
    await bank.push({ payer: TWIN });
    await bank.push({ payer: undefined });
    await bank.push({ payer: 'somebody' });
    await bank.push({ paid_at: new Date(clock.now() - 25 * HOUR).toISOString() });
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const unmatched = await listed(core, { unmatched: true });
    t.is(unmatched.length, 6);
    t.deepEqual([...new Set(unmatched.map(({ payment }) => payment))], [null]);
    t.true(unmatched.some(({ why }) => why === 'its payer is not a mobile number'));
  });

  test(`${engine}: last four digits of two payers are asked for in full`, async (t) => {
    const { bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    await bank.push({ reference: 'OWN' });
    await bank.push({ reference: 'TWIN', payer: TWIN });
    t.is(await bank.verify(one.id, '5678'), 'number_ambiguous');
    t.is(await bank.verify(one.id, PAYER), 'OWN');
    t.is(await bank.verify(two.id, '5678'), 'TWIN');
  });

  test(`${engine}: two customers with the same last four digits both have to say more, in any order`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    t.is(await bank.verify(one.id, '5678'), 'transaction_not_found');
    t.is(await bank.verify(two.id, '5678'), 'transaction_not_found');
    await bank.push({ reference: 'TWIN', payer: TWIN });
    t.is((await rows(core, 'transactions')).length, 0);
    for (const id of [one.id, two.id, one.id]) t.is(await bank.verify(id, '5678'), 'number_ambiguous');
    t.is(await bank.verify(two.id, TWIN), 'TWIN');
    t.is(await bank.verify(one.id, '5678'), 'transaction_not_found');
  });

  test(`${engine}: a mask that matches two full numbers goes to review, whoever asks first`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    t.is(await bank.verify(one.id, PAYER), 'transaction_not_found');
    t.is(await bank.verify(two.id, TWIN), 'transaction_not_found');
    await bank.push({ payer: '*5678' });
    t.is(await bank.verify(one.id, PAYER), 'under_review');
    t.is(await bank.verify(two.id, TWIN), 'under_review');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: money for a closed session goes to review, but first to a matching open one`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const over = await bank.order();
    t.is(await bank.verify(over.id, PAYER), 'transaction_not_found');
    clock.advance(2 * HOUR);
    const open = await bank.order();
    t.is(await bank.verify(open.id, PAYER), 'transaction_not_found');
    await bank.push();
    t.is(await statusOf(core, open.id), 'COMPLETED credited');
    await bank.push();
    t.is(await statusOf(core, over.id), 'FAILED expired');
    t.is((await rows(core, 'reviews')).length, 1);
  });

  test(`${engine}: a push repeated by the same bank is stored once`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    const body = bank.written({ reference: 'R1' });
    const first = await bank.take(body);
    t.deepEqual(await bank.take(body), { id: first.id, state: 'duplicate' });
    t.deepEqual(await bank.push({ reference: 'R1', sent: 2 }), { id: first.id, state: 'duplicate' });
    t.is(await bank.verify(id, PAYER), 'R1');
    t.is((await bank.take(body)).state, 'duplicate');
    t.is((await rows(core, 'proofs')).length, 1);
    t.is((await listed(core)).length, 1);
  });

  test(`${engine}: a push that says otherwise of money that has moved changes nothing and is listed`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const first = await bank.push({ reference: 'R1' });
    const more = bank.written({ reference: 'R1', amount: '5000.00' });
    t.deepEqual(await bank.take(more), { id: first.id, state: 'contradiction' });
    t.deepEqual(await bank.take(more), { id: first.id, state: 'contradiction' });
    await bank.push({ reference: 'R1', status: 'REVERSED' });
    const unread = await listed(core, { unread: true });
    t.deepEqual(unread.map(({ why }) => why).toSorted(), [
      'it could not be read: says "REVERSED" of R1, which was paid before',
      'it could not be read: says something else of R1, which was paid before',
    ]);
    t.deepEqual(
      (await rows(core, 'proofs')).map((row) => 'amount_paisa' in row && row.amount_paisa),
      [50_000],
    );
  });

  test(`${engine}: a payment that was pending settles when the bank says that it is made`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const pending = bank.written({ reference: 'R1', status: 'PENDING' });
    const first = await bank.take(pending);
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.is((await listed(core))[0]?.why, 'the bank reports status PENDING');
    t.deepEqual(await bank.push({ reference: 'R1' }), { id: first.id, state: 'stored' });
    t.is(await statusOf(core, id), 'COMPLETED credited');
    await bank.take(pending);
    t.is((await listed(core, { unread: true })).length, 0);
    t.is((await listed(core)).length, 1);
  });

  test(`${engine}: an unreadable push is kept complete, once`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const body = '{"oops":"\\u0000 ক"}';
    const first = await bank.take(body);
    t.is(first.state, 'kept');
    t.deepEqual(await bank.take(body), first);
    const [row, ...more] = await listed(core, { unread: true });
    t.is(more.length, 0);
    t.like(row, { body, why: 'it could not be read: reference has no reference of a bank' });
    t.is((await rows(core, 'proofs')).length, 0);
  });

  test(`${engine}: two banks may give out the same reference`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    await bank.push({ reference: 'SAME' });
    const other = await openBank(core, shop, { name: 'other-bank' });
    await other.push({ reference: 'SAME', payer: TWIN });
    t.is(await bank.verify(one.id, PAYER), 'SAME');
    t.is(await bank.verify(two.id, TWIN), 'SAME');
    t.is((await rows(core, 'transactions')).length, 2);
  });

  test(`${engine}: pushes for a suspended merchant are kept and settle nothing until the merchant is active`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const { id } = await bank.order();
    t.is(await bank.verify(id, PAYER), 'transaction_not_found');
    const change = { merchant: shop.merchantId, who: 'test' };
    await changeMerchantStatus(core, { ...change, status: 'SUSPENDED' });
    t.is((await bank.push({ reference: 'R1' })).state, 'stored');
    t.is(await statusOf(core, id), 'PENDING initiated');
    await changeMerchantStatus(core, { ...change, status: 'ACTIVE' });
    t.is(await bank.verify(id, PAYER), 'R1');
  });

  test(`${engine}: a push pays nothing of another merchant`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const stranger = await openBank(core, await openShop(core, 'Other Store', '01811000002'));
    const { id, gatewayReference } = await stranger.order();
    t.is(await stranger.verify(id, PAYER), 'transaction_not_found');
    await bank.push({ bill: gatewayReference });
    clock.advance(1);
    await bank.push();
    t.is(await statusOf(core, id), 'PENDING initiated');
    t.is(await stranger.verify(id, PAYER), 'transaction_not_found');
    const own = await bank.order();
    t.is(await bank.verify(own.id, PAYER), 'RRN000000001');
  });
}

test('no key, secret or hash of an acquirer is in what is listed or audited', async (t) => {
  const { core, bank } = await scene(t, 'sqlite');
  const shown = JSON.stringify([bank.acquirer, await rows(core, 'audit'), await listed(core)]);
  t.false(shown.includes(bank.secret));
  t.false(shown.includes(bank.key));
  const stored = await core.store.read((db) => db.query.selectFrom('acquirers').selectAll().execute());
  t.false(JSON.stringify(stored).includes(bank.secret));
  t.false(JSON.stringify(stored).includes(bank.key));
  const strange = createSecretBox(new Uint8Array(32), core.random);
  t.throws(() => strange.open(stored[0]?.secret ?? '', `acquirer:${bank.acquirer.id}`), {
    code: 'secret_unreadable',
  });
});
