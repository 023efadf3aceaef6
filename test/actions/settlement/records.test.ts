/** What is written when money is decided about: transaction, claim, review, audit, alert; on both engines. */
import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { disputeByPush, disputeMoney } from '../../../src/actions/settlement/dispute-money.js';
import { recordClaim } from '../../../src/actions/settlement/record-claim.js';
import { mergeResults } from '../../../src/actions/settlement/settle-claim.js';
import type { Schema } from '../../../src/store/schema/index.js';
import { nonSettlingSms } from '../../../src/store/tables/money.js';
import { openBank } from '../../helpers/shop/bank.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const HOUR = 3_600_000;

const reversal = (trxId: string) =>
  `Tk 500.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 98,231.19. TrxID ${trxId} at 21/08/2026 12:50`;

/** What the audit says of a payment since it was opened. */
async function decisions(core: Core, session: string) {
  const all = await auditOf(core, session);
  return all.map(({ who, action, after }) => ({ who, action, ...JSON.parse(after ?? '{}') }));
}

async function rowsOf<Table extends 'transactions' | 'claims' | 'reviews'>(
  core: Core,
  table: Table,
  session: string,
) {
  const all = (await rows(core, table)) as unknown as readonly Schema[Table][];
  return all.filter(({ session_id }) => session_id === session);
}

const alerts = async (core: Core) =>
  (await core.store.read((db) => db.query.selectFrom('alerts').selectAll().orderBy('id').execute()))
    .filter(({ kind }) => kind !== 'review.waiting')
    .map(({ kind, merchant_id, incident, detail }) => ({
      ...{ kind, merchant_id, incident, ...JSON.parse(detail) },
    }));

for (const engine of engines) {
  test(`${engine}: a credit names its money, and who decided`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, trxId), 'transaction_not_found');
    const [waiting] = await rowsOf(core, 'claims', session);
    t.like(waiting, { state: 'WAITING', decided_at: null });
    t.regex(waiting?.id ?? '', /^clm_/);
    clock.advance(1_000);
    await shop.receive(text);
    const [proof] = await rows(core, 'proofs');
    const [transaction] = await rowsOf(core, 'transactions', session);
    t.like(transaction, { credited_by: 'rule', reference: trxId, folded: null, proof_id: proof?.id });
    t.regex(transaction?.id ?? '', /^txn_/);
    t.like((await rowsOf(core, 'claims', session))[0], { state: 'CREDITED', decided_at: clock.now() });
    const about = { channel: 'mfs_a', reference: trxId, proof: proof?.id };
    t.deepEqual(await decisions(core, session), [
      { who: 'rule', action: 'payment.credit', status: 'COMPLETED', ...about },
    ]);
  });

  test(`${engine}: a review by rule records the reason and the money`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('520.00');
    await shop.receive(text);
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    const [review] = await rowsOf(core, 'reviews', session);
    t.regex(review?.id ?? '', /^rev_/);
    const decided_at = core.clock.now();
    t.like((await rowsOf(core, 'claims', session))[0], { state: 'REVIEW', reason: 'overpaid', decided_at });
    const about = { reason: 'overpaid', channel: 'mfs_a', reference: trxId };
    t.deepEqual(await decisions(core, session), [
      { who: 'rule', action: 'payment.review', status: 'PENDING', ...about },
    ]);
    t.is(await answer(core, shop, session, trxId), 'under_review', 'asked again, nothing is written again');
    t.is((await decisions(core, session)).length, 1);
    t.is((await rowsOf(core, 'reviews', session)).length, 1);
  });

  test(`${engine}: money for a session that is over is reviewed as late, and nothing reopens`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await answer(core, shop, session, trxId), 'transaction_not_found');
    clock.advance(2 * HOUR);
    await shop.receive(text);
    t.like((await rowsOf(core, 'reviews', session))[0], { reason: 'late', state: 'OPEN', reference: trxId });
    t.like((await rowsOf(core, 'claims', session))[0], { state: 'REVIEW', reason: 'late' });
    t.deepEqual(await rowsOf(core, 'transactions', session), []);
  });

  test(`${engine}: several pushes that fit one number are asked about once, and the payment waits`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const bank = await openBank(core, shop);
    const { id } = await bank.order();
    await bank.push({ payer: '*5678', reference: 'R1' });
    await bank.push({ payer: '*5678', reference: 'R2' });
    t.is(await bank.verify(id, '01712345678'), 'under_review');
    t.is(await bank.verify(id, '01712345678'), 'under_review');
    t.is((await rowsOf(core, 'reviews', id)).length, 1);
    const about = { reason: 'several_payers', channel: 'qr_interbank', reference: '01712345678' };
    t.deepEqual(await decisions(core, id), [
      { who: 'rule', action: 'payment.review', status: 'PENDING', ...about },
    ]);
  });

  test(`${engine}: money also reported by another merchant's phone raises one alert for each payment`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const other = await openShop(core, 'Other Store', WALLET);
    await other.receive(text);
    t.is(await answer(core, other, await other.order(50_000), trxId), 'completed');
    await shop.receive(text);
    const sessions = [await shop.order(50_000), await shop.order(50_000)];
    for (const session of sessions) t.is(await answer(core, shop, session, trxId), 'under_review');
    const all = await rows(core, 'sms');
    t.is(all.length, 2);
    const names = await core.store.read((db) =>
      db.query.selectFrom('sessions').select(['id', 'gateway_reference']).execute(),
    );
    const expected = sessions.map((session) => ({
      kind: 'payment.other_merchant',
      merchant_id: shop.merchantId,
      incident: `payment.other_merchant:${session}:mfs_a:${trxId}`,
      payment: names.find(({ id }) => id === session)?.gateway_reference,
      channel: 'mfs_a',
      reference: trxId,
    }));
    t.deepEqual(await alerts(core), expected);
  });

  test(`${engine}: a dispute names money, text and payment in the audit and in one alert`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'completed');
    const [proof] = await rows(core, 'proofs');
    for (const paisa of ['50.00', '60.00']) await shop.receive(text.replace('Tk 500.00', `Tk ${paisa}`));
    const [, by] = await rows(core, 'sms');
    const [, dispute, ...more] = await decisions(core, session);
    t.deepEqual(more, [], 'of the second text nothing new is said');
    const named = { channel: 'mfs_a', reference: trxId };
    t.deepEqual(dispute, { who: 'rule', action: 'payment.dispute', ...named, proof: proof?.id, by: by?.id });
    t.regex((await rowsOf(core, 'reviews', session))[0]?.id ?? '', /^rev_/);
    const [alert, ...others] = await alerts(core);
    t.like(alert, { kind: 'payment.disputed', incident: `payment.disputed:${proof?.id}`, ...named });
    t.like(alert, { merchant_id: shop.merchantId, amount: '500.00' });
    t.deepEqual(others, []);
  });

  test(`${engine}: a dispute returns only the payments that it newly sends to review`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [credited, free] = [money('500.00'), money('500.00')];
    const session = await shop.order(50_000);
    await shop.receive(credited.text, free.text);
    t.is(await answer(core, shop, session, credited.trxId), 'completed');
    const dispute = (...ids: string[]) => {
      const text = { id: `sms_${ids.join()}`, channel: 'mfs_a', ids, kind: 'received' } as const;
      const says = { ...text, amountPaisa: 100, recipient: null, isTakenBack: false };
      return core.store.write((db) => disputeMoney(core, db, shop.merchantId, { texts: [says], money: [] }));
    };
    t.deepEqual(await dispute(), [], 'a text that names nothing');
    t.deepEqual(await dispute('AAAAAAAAAA'), [], 'nothing that is known');
    t.deepEqual(await dispute(free.trxId), [], 'money that completed nothing');
    t.deepEqual(await dispute(credited.trxId), [session]);
    t.deepEqual(await dispute(credited.trxId), [], 'it is looked at already');
    const unknown = core.store.write((db) => disputeByPush(core, db, { source: 'psh_0', by: 'psh_1' }));
    t.deepEqual(await unknown, []);
  });

  test(`${engine}: money credited despite another merchant is spent in the own scope of this merchant`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const other = await openShop(core, 'Other Store', WALLET);
    await other.receive(text);
    const [first, second] = [await other.order(50_000), await shop.order(50_000)];
    t.is(await answer(core, other, first, trxId), 'completed');
    await shop.receive(text);
    t.is(await answer(core, shop, second, trxId), 'under_review');
    const [review] = await rowsOf(core, 'reviews', second);
    await approveReview(core, { id: review?.id ?? '', note: 'it is in our wallet', who: 'test' });
    t.is((await rowsOf(core, 'transactions', first))[0]?.scope, WALLET);
    t.is((await rowsOf(core, 'transactions', second))[0]?.scope, `${WALLET} ${shop.merchantId}`);
  });

  test(`${engine}: a text that takes back money of one wallet says nothing of another wallet's`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId } = money('500.00');
    await shop.receive(reversal(trxId));
    const other = [
      { id: 'prf_0', channel: 'mfs_b', reference: trxId, amount_paisa: 50_000, recipient: null },
    ] as const;
    const disputed = core.store.write(async (db) => {
      const contrary = await nonSettlingSms(db, { merchant: shop.merchantId }, [trxId]);
      t.is(contrary.length, 1, 'it is looked at');
      return disputeMoney(core, db, shop.merchantId, { texts: [], money: other });
    });
    t.deepEqual(await disputed, []);
    t.deepEqual(await alerts(core), []);
  });

  test(`${engine}: a bank transfer under review is undecided; any other review is a decision`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const session = await shop.order(50_000);
    const put = (reference: string, reason: string) =>
      core.store.write((db) => {
        const claim = { session, merchant: shop.merchantId, channel: 'bank', reference } as const;
        return recordClaim(core, db, { ...claim, state: 'REVIEW', reason });
      });
    t.true(await put('FT1', 'bank_transfer'));
    t.false(await put('FT1', 'bank_transfer'), 'the same claim again is no new one');
    t.true(await put('FT2', 'late'));
    const decided = (await rowsOf(core, 'claims', session)).map((row) => [row.reference, row.decided_at]);
    t.deepEqual(Object.fromEntries(decided), { FT1: null, FT2: core.clock.now() });
  });
}

test('the results of several steps are combined', (t) => {
  const one = { settled: ['a'], parts: [], reviewed: ['b'], refused: ['c'] };
  const two = { settled: [], parts: [], reviewed: ['d'], refused: ['e', 'f'] };
  t.deepEqual(mergeResults([one, two]), {
    settled: ['a'],
    parts: [],
    reviewed: ['b', 'd'],
    refused: ['c', 'e', 'f'],
  });
});
