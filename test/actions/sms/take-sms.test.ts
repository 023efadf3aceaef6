/** SMS arrive: stored once, read, matched with what waits for them, on both engines. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { creditProof } from '../../../src/actions/settlement/credit-proof.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { bkashId, bkashText, WALLET } from '../../helpers/shop/shop.js';
import { engines, openTestCore } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;

/** The environment under which another core opens the same store. */
function sameStore(core: Core): Record<string, string> {
  const { databaseUrl } = core.settings;
  return databaseUrl === '' ? {} : { KASHBOX_DATABASE_URL: databaseUrl };
}

for (const engine of engines) {
  test(`${engine}: a claim that comes before its SMS settles when the SMS comes`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await answer(core, shop, id, trxId), 'transaction_not_found');
    clock.advance(20 * MINUTE);
    await shop.receive(text);
    t.like(await showPayment(core, id), { status: 'COMPLETED', transaction_id: trxId });
    t.is(await answer(core, shop, id, trxId), 'completed');
  });

  test(`${engine}: of several sessions that wait for one SMS the first claim gets it`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const [first, second] = [await shop.order(50_000), await shop.order(50_000)];
    const { trxId, text } = money('500.00');
    await answer(core, shop, second, trxId);
    clock.advance(1_000);
    await answer(core, shop, first, trxId);
    await shop.receive(text);
    t.is(await answer(core, shop, second, trxId), 'completed');
    t.is(await answer(core, shop, first, trxId), 'already_credited');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: of two claims of one payment in one batch the first is credited, and the store takes no second`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const [one, other] = [money('500.00'), money('500.00')];
    for (const { trxId } of [one, other]) t.is(await answer(core, shop, id, trxId), 'transaction_not_found');
    await shop.receive(one.text, other.text);
    t.like(await showPayment(core, id), { status: 'COMPLETED', transaction_id: one.trxId });
    const proof = await core.store.read((db) =>
      db.query
        .selectFrom('proofs')
        .where('reference', '=', other.trxId)
        .selectAll()
        .executeTakeFirstOrThrow(),
    );
    const session = { id, brand_id: shop.brand.brandId, paid_paisa: 50_000 };
    const again = { session, proof, paisa: 50_000, feePaisa: 0, restPaisa: 0, by: 'rule' } as const;
    // What is left where a claim of a paid session is not passed over.
    t.is(await core.store.write((db) => creditProof(core, db, again)), 'taken');
    t.is((await rows(core, 'transactions')).length, 1);
    t.is(await answer(core, shop, await shop.order(50_000), other.trxId), 'completed', 'it is not spent');
  });

  test(`${engine}: a waiting claim that disagrees with its SMS is not settled, and the next one may be`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [dear, right] = [await shop.order(60_000), await shop.order(50_000)];
    const { trxId, text } = money('500.00');
    await answer(core, shop, dear, trxId);
    await answer(core, shop, right, trxId);
    await shop.receive(text);
    t.like(await showPayment(core, dear), { status: 'PENDING' });
    t.like(await showPayment(core, right), { status: 'COMPLETED' });
  });

  test(`${engine}: the same text delivered again is a duplicate, the same second with other text is not`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [one, two] = [money('500.00'), money('500.00')];
    t.deepEqual(
      (await shop.receive(one.text, one.text, two.text)).map((result) => result.state),
      ['stored', 'duplicate', 'stored'],
    );
    t.deepEqual(
      (await shop.receive(two.text)).map((result) => result.state),
      ['duplicate'],
    );
    t.is((await rows(core, 'sms')).length, 2);
  });

  test(`${engine}: text typed by the payer changes neither amount nor id`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const inner = money('9,999.00');
    const outer = money('10.00', { ref: `You have received Tk 9,999.00 from 01700000001` });
    await shop.receive(outer.text);
    const id = await shop.order(999_900);
    t.not(await answer(core, shop, id, outer.trxId), 'completed');
    t.is(await answer(core, shop, id, inner.trxId), 'transaction_not_found');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: a claim and its SMS at the same moment always meet`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const pairs = await Promise.all(
      Array.from({ length: 12 }, async () => ({ id: await shop.order(50_000), ...money('500.00') })),
    );
    await Promise.all(
      pairs.flatMap(({ id, trxId, text }) => [answer(core, shop, id, trxId), shop.receive(text)]),
    );
    const states = await Promise.all(pairs.map(async ({ id }) => (await showPayment(core, id)).status));
    t.deepEqual(
      states,
      pairs.map(() => 'COMPLETED'),
    );
  });

  test(`${engine}: a message that cannot be kept takes none of its neighbours with it`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const good = { id: 'good', sender: 'bKash', body: money('500.00').text };
    const { device } = shop;
    const messages = [null, { ...good, id: undefined }, good, { ...good, id: 'x', body: 7 }];
    const { results } = await syncDevice(core, { device, messages, health: null });
    t.deepEqual(
      results.map(({ id, state }) => [id, state]),
      [
        [null, 'rejected'],
        [null, 'rejected'],
        ['good', 'stored'],
        ['x', 'rejected'],
      ],
    );
    t.truthy(results[3]?.reason);
    t.is((await rows(core, 'sms')).length, 1);
  });

  test(`${engine}: a phone that calls its only SIM 0 has not said which, and its money is credited`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { device } = shop;
    for (const sim_slot of [0, 10, '0']) {
      const { trxId, text } = money('500.00');
      const messages = [{ id: 'm', sender: 'bKash', body: text, sim_slot }];
      await syncDevice(core, { device, messages, health: null });
      t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed', String(sim_slot));
    }
  });

  test(`${engine}: a waiting page is notified when the SMS disagrees with its claim`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('499.99');
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, trxId), 'transaction_not_found');
    const heard: string[] = [];
    t.teardown(core.moved.listen(id, () => heard.push(id)));
    await shop.receive(text);
    t.deepEqual(heard, [id]);
  });

  test(`${engine}: an id in small letters is doubted, and is the same id in capitals`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text.replace(trxId, trxId.toLowerCase()));
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'under_review');
    t.like((await rows(core, 'reviews'))[0], { reference: trxId, reason: 'sms_doubtful' });
  });

  test(`${engine}: money on a SIM with an unknown number goes to review until the number is known`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const { device } = shop;
    const deliver = (sim_slot: number) =>
      syncDevice(core, {
        device,
        messages: [{ id: 'm', sender: 'bKash', body: text, sim_slot }],
        health: null,
      });
    await deliver(2);
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, trxId), 'under_review');
    t.is((await deliver(1)).results[0]?.state, 'duplicate', 'the same text, from a slot that is known');
    t.like(await showPayment(core, id), { status: 'COMPLETED' }, 'nobody had to ask again');
    t.is(await answer(core, shop, id, trxId), 'completed');
    const reviews = await rows(core, 'reviews');
    t.deepEqual(
      reviews.map((row) => [row.state, row.decided_by]),
      [['APPROVED', 'rule']],
      'no person is asked about it any more',
    );
  });

  test(`${engine}: one batch that brings an SMS twice, first without its number, counts it with its number`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    const { device } = shop;
    const messages = [2, 1].map((sim_slot) => ({
      id: `m${sim_slot}`,
      sender: 'bKash',
      body: text,
      sim_slot,
    }));
    const { results } = await syncDevice(core, { device, messages, health: null });
    t.deepEqual(
      results.map((result) => result.state),
      ['stored', 'duplicate'],
    );
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed');
    t.is((await listSms(core, { limit: 5 }))[0]?.trx_id, trxId);
  });

  test(`${engine}: an SMS that an operator types in settles like any other and leaves an audit row`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await answer(core, shop, id, trxId);
    const typed = {
      merchant: shop.merchantId,
      recipient: WALLET,
      sender: 'bKash',
      text,
      who: 'cli:test',
    };
    const added = await addSms(core, typed);
    t.deepEqual([added.state, added.settled], ['stored', [id]]);
    t.like(added.reading, { settle: 'auto', amount: '500.00', trx_id: trxId });
    t.is((await addSms(core, typed)).state, 'duplicate');
    const audit = await rows(core, 'audit');
    t.true(audit.some((row) => row.who === 'cli:test' && row.action === 'sms.add'));
  });

  test(`${engine}: after a format was added, what could not be read before settles what waited for it`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    const id = await shop.order(50_000);
    const trxId = bkashId(clock.now(), 1);
    const [date = ''] = bkashText({ taka: '500.00', trxId, at: clock.now() }).split(' at ').slice(-1);
    await shop.receive(`Money in: Tk 500.00 by 01900000001. Left Tk 900.00. Key ${trxId} on ${date}`);
    await answer(core, shop, id, trxId);
    t.like(await reparseSms(core, { who: 'cli:test' }), { changed: 0, settled: [] });
    await mkdir(core.home.formatsFolder, { recursive: true });
    const format = {
      id: 'own-received',
      kind: 'received',
      settle: 'auto',
      texts: ['Money in: {amount} by {payer}. Left {balance}. Key {id} on {date}[.]{tail}'],
      examples: [
        {
          text: 'Money in: Tk 5.00 by 01900000001. Left Tk 9.00. Key DHL60302ZX on 21/08/2026 12:35',
          values: {
            amount: '5.00',
            balance: '9.00',
            from: '01900000001',
            trx_id: 'DHL60302ZX',
            at: '2026-08-21T12:35:00+06:00',
          },
        },
      ],
    };
    await writeFile(
      join(core.home.formatsFolder, 'own.json'),
      JSON.stringify({ channel: 'mfs_a', formats: [format] }),
    );
    const fresh = await openTestCore(t, engine, { clock, folder: core.home.folder, env: sameStore(core) });
    t.deepEqual((await reparseSms(fresh, { who: 'cli:test' })).settled, [id]);
    t.like(await showPayment(core, id), { status: 'COMPLETED', transaction_id: trxId });
  });

  test(`${engine}: nothing that was received is dropped: unread, unofficial and unmatched texts are listed`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { text } = money('500.00');
    const { device } = shop;
    const messages = [
      { id: 'a', sender: 'bKash', body: 'Hello', sim_slot: 1 },
      { id: 'b', sender: '01700000062', body: text, sim_slot: 1 },
      { id: 'c', sender: 'bKash', body: text, sim_slot: 1 },
    ];
    await syncDevice(core, { device, messages, health: null });
    t.is((await listSms(core, { limit: 10 })).length, 3);
    t.deepEqual(
      (await listSms(core, { unmatched: true, limit: 10 })).map((row) => row.sender),
      ['bKash'],
    );
    const unparsed = await listSms(core, { unparsed: true, limit: 10 });
    t.true(unparsed.some((row) => row.body === 'Hello'));
  });
}
