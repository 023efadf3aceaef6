/** Receipts by SMS: where a brand wants them, once for each payment, and never at the cost of one. */
import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { hostedScene } from '../../helpers/shop/hosted.js';
import { answer } from '../../helpers/shop/scene.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

/** As bKash's texts of the tests name their payer. */
const PAYER = '+8801900000001';

/** What speaks for the shop's phone, and when it called last. */
const phoneIs = (core: Core, agent: 'relay' | 'forwarder', silentMs = 0) =>
  core.store.write((db) =>
    db.query
      .updateTable('devices')
      .set({ agent, last_seen_at: core.clock.now() - silentMs })
      .execute(),
  );

const queued = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('dispatches').selectAll().execute());

for (const engine of enginesOfTier) {
  test(`${engine}: the payer of a hosted payment gets one receipt, also where its SMS comes twice`, async (t) => {
    const stage = await hostedScene(t, engine, { receiptSms: 'en' });
    const { core, shop, money } = stage;
    await phoneIs(core, 'relay');
    const id = await stage.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await stage.claim(id, trxId), 'waiting');
    await shop.receive(text, text);
    await phoneIs(core, 'relay');
    await shop.receive(text);
    t.is(await stage.claim(id, trxId), 'completed');
    const payment = await showPayment(core, id);
    const sent = await queued(core);
    t.is(sent.length, 1);
    t.like(sent[0], {
      number: PAYER,
      state: 'QUEUED',
      device_id: shop.deviceId,
      parts: 1,
      encoding: 'GSM-7',
    });
    t.is(
      sent[0]?.message,
      `Alo Store: Tk 500.00 received by bKash. TrxID ${trxId}. Payment no. ${payment.gateway_reference}.`,
    );
    t.true(Number(sent[0]?.priority) < 0, 'what shops send goes first');
  });

  test(`${engine}: no receipt is sent unless the brand wants it, nor of a headless payment`, async (t) => {
    const off = await hostedScene(t, engine);
    await phoneIs(off.core, 'relay');
    const plain = off.money('500.00');
    await off.shop.receive(plain.text);
    t.is(await off.claim(await off.order(50_000), plain.trxId), 'completed');
    t.is((await queued(off.core)).length, 0);

    const on = await hostedScene(t, engine, { receiptSms: 'bn' });
    await phoneIs(on.core, 'relay');
    const { trxId, text } = on.money('500.00');
    await on.shop.receive(text);
    t.is(await answer(on.core, on.shop, await on.shop.order(50_000), trxId), 'completed');
    t.is((await queued(on.core)).length, 0);
  });

  test(`${engine}: where no phone can send, a payment settles without its receipt`, async (t) => {
    const stage = await hostedScene(t, engine, { receiptSms: 'bn' });
    const { core, shop, money } = stage;
    for (const [agent, silentMs] of [
      ['forwarder', 0],
      ['relay', 16 * 60_000],
    ] as const) {
      const { trxId, text } = money('500.00');
      await shop.receive(text);
      await phoneIs(core, agent, silentMs);
      t.is(await stage.claim(await stage.order(50_000), trxId), 'completed');
    }
    t.is((await queued(core)).length, 0);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    await phoneIs(core, 'relay');
    t.is(await stage.claim(await stage.order(50_000), trxId), 'completed');
    const sent = await queued(core);
    t.is(sent.length, 1);
    t.regex(sent[0]?.message ?? '', /^Alo Store: বিকাশ থেকে ৫০০\.০০ টাকা পাওয়া গেছে। TrxID /);
  });

  test(`${engine}: an unknown payer and an agent who paid in get no receipt`, async (t) => {
    const stage = await hostedScene(t, engine, { receiptSms: 'en' });
    const { core, shop, money } = stage;
    for (const change of [{ payer: '0190XXX0001' }, { payer: null }, { kind: 'cash_in' }]) {
      const { trxId, text } = money('500.00');
      await shop.receive(text);
      await phoneIs(core, 'relay');
      await core.store.write((db) =>
        db.query.updateTable('proofs').set(change).where('reference', '=', trxId).execute(),
      );
      t.is(await stage.claim(await stage.order(50_000), trxId), 'completed');
    }
    t.is((await queued(core)).length, 0);
  });

  test(`${engine}: a phone with much to send already is left alone`, async (t) => {
    const stage = await hostedScene(t, engine, { receiptSms: 'en' });
    const { core, shop, money } = stage;
    for (let n = 0; n < 52; n += 1) {
      const { trxId, text } = money('500.00');
      await shop.receive(text);
      await phoneIs(core, 'relay');
      t.is(await stage.claim(await stage.order(50_000), trxId), 'completed');
    }
    t.is((await queued(core)).length, 50);
  });
}
