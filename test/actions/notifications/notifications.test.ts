/** What the moves of payments write into the outbox, in the unit of work that makes them, on both engines. */
import test from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { replayFailed, replayNotification } from '../../../src/actions/notifications/notifications.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { hostedScene, onlyReview } from '../../helpers/shop/hosted.js';
import { answer, rows } from '../../helpers/shop/scene.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;
const HOOK = 'https://shop.example/hook';

type Stage = Awaited<ReturnType<typeof hostedScene>>;

/** Event, status and reference of everything that is in the outbox, in the order of its writing. */
async function told({ core }: Stage) {
  const all = await rows(core, 'notifications');
  const written = all as { created_at: number; sequence: number; event: string; content: string }[];
  return written
    .sort((a, b) => a.created_at - b.created_at || a.sequence - b.sequence)
    .map(({ event, sequence, content }) => {
      const { status, transaction_id, payment_method } = JSON.parse(content);
      return [event, sequence, status, payment_method, transaction_id];
    });
}

const reference = async ({ core }: Stage, id: string) => {
  const row = await core.store.read((db) =>
    db.query
      .selectFrom('sessions')
      .select('gateway_reference')
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  return row.gateway_reference;
};

for (const engine of engines) {
  test(`${engine}: a credit is notified once, however often it is claimed`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, shop, money } = stage;
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    for (let n = 0; n < 3; n += 1) t.is(await answer(core, shop, id, trxId), 'completed');
    t.deepEqual(await told(stage), [['payment.completed', 1, 'COMPLETED', 'mfs_a', trxId]]);
    const [row] = await rows(core, 'notifications');
    t.like(row, {
      session_id: id,
      url: HOOK,
      endpoint: 'https://shop.example:443',
      state: 'PENDING',
      tries: 0,
      next_at: core.clock.now(),
    });
  });

  test(`${engine}: concurrent settlements of a payment create one notification`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, shop, money } = stage;
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await Promise.all([
      shop.receive(text),
      ...Array.from({ length: 20 }, () => answer(core, shop, id, trxId)),
    ]);
    t.is(await answer(core, shop, id, trxId), 'completed');
    t.deepEqual(await told(stage), [['payment.completed', 1, 'COMPLETED', 'mfs_a', trxId]]);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: an SMS that settles a waiting claim notifies the shop like a credit`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, shop, money } = stage;
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await answer(core, shop, id, trxId), 'transaction_not_found');
    t.deepEqual(await told(stage), []);
    await shop.receive(text);
    t.deepEqual(await told(stage), [['payment.completed', 1, 'COMPLETED', 'mfs_a', trxId]]);
  });

  test(`${engine}: review, rejection and approval are notified in order of their sequence`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { clock } = stage;
    const [paid, refused] = [await stage.order(50_000), await stage.order(60_000)];
    await stage.bank(paid, 'FT1');
    clock.advance(1_000);
    await stage.approve(await onlyReview(stage));
    clock.advance(1_000);
    await stage.bank(refused, 'FT2');
    clock.advance(1_000);
    await stage.reject(await onlyReview(stage));
    const [first, second] = [await reference(stage, paid), await reference(stage, refused)];
    t.deepEqual(await told(stage), [
      ['payment.pending', 1, 'PENDING', 'bank', first],
      ['payment.completed', 2, 'COMPLETED', 'bank', 'FT1'],
      ['payment.pending', 1, 'PENDING', 'bank', second],
      ['payment.failed', 2, 'FAILED', 'bank', second],
    ]);
  });

  test(`${engine}: a cancelled payment and an expired one are notified as failed`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock } = stage;
    const [cancelled, expired] = [await stage.order(50_000), await stage.order(60_000)];
    await cancelSession(core, cancelled);
    clock.advance(2 * HOUR);
    t.is(await expireSessions(core), 1);
    t.deepEqual(await told(stage), [
      ['payment.failed', 1, 'FAILED', null, await reference(stage, cancelled)],
      ['payment.failed', 1, 'FAILED', null, await reference(stage, expired)],
    ]);
  });

  test(`${engine}: a payment's own address goes first; without any nothing is written`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core } = stage;
    const own = 'https://own.example:8443/ipn?shop=1';
    await cancelSession(core, await stage.order(50_000));
    t.deepEqual(await told(stage), []);
    await cancelSession(core, await stage.order(50_000, own));
    const [row] = await rows(core, 'notifications');
    t.like(row, { url: own, endpoint: 'https://own.example:8443' });
  });

  test(`${engine}: due notifications go to the brand's new address or to the payment's own`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock, shop } = stage;
    await cancelSession(core, await stage.order(50_000));
    const own = 'https://own.example/ipn';
    await cancelSession(core, await stage.order(50_000, own));
    const made = clock.now();
    clock.advance(HOUR);
    const mended = 'https://mended.example:8443/hook';
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: mended, who: 'test' });
    const due = await rows(core, 'notifications');
    t.deepEqual(
      due
        .map(({ url, endpoint, next_at }) => ({ url, endpoint, next_at }))
        .sort((a, b) => a.next_at - b.next_at),
      [
        { url: own, endpoint: 'https://own.example:443', next_at: made },
        { url: mended, endpoint: 'https://mended.example:8443', next_at: clock.now() },
      ],
    );
  });

  test(`${engine}: clearing the address of a brand ends its notifications, which can be replayed later`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, shop } = stage;
    const brand = shop.brand.name;
    await cancelSession(core, await stage.order(50_000));
    const own = await stage.order(50_000, 'https://own.example/ipn');
    await cancelSession(core, own);
    await updateBrand(core, { brand, webhookUrl: '', who: 'test' });
    const states = async () => (await rows(core, 'notifications')).sort((a, b) => (a.url < b.url ? -1 : 1));
    const [still, ended] = await states();
    t.deepEqual([still?.state, ended?.state], ['PENDING', 'FAILED']);
    const again = () => replayNotification(core, { id: ended?.id ?? '', who: 'test' });
    await t.throwsAsync(again(), { code: 'state_refused', message: /no webhook address/ });
    t.is((await replayFailed(core, { sinceMs: 0, who: 'test' })).replayed.length, 0);
    await updateBrand(core, { brand, webhookUrl: 'https://new.example/hook', who: 'test' });
    t.is((await again()).url, 'https://new.example/hook');
  });

  test(`${engine}: a brand that wants forms gets the parameters of the redirect`, async (t) => {
    const stage = await hostedScene(t, engine, {
      webhookUrl: HOOK,
      webhookFormat: 'form',
      fees: ['mfs_a=10'],
    });
    const { core, shop, money } = stage;
    const id = await stage.order(50_000);
    const { trxId, text } = money('510.00');
    await shop.receive(text);
    t.is(await stage.claim(id, trxId), 'completed');
    const [row] = await rows(core, 'notifications');
    t.is(row?.format, 'form');
    t.like(Object.fromEntries(new URLSearchParams(row?.content)), {
      event: 'payment.completed',
      session_id: id,
      paymentMethod: 'mfs_a',
      transactionId: trxId,
      transaction_id: trxId,
      paymentAmount: '500.00',
      paymentFee: '10.00',
      status: 'completed',
    });
  });

  test(`${engine}: a form states the amount due for a payment under review and zero for a failed one`, async (t) => {
    const stage = await hostedScene(t, engine, {
      webhookUrl: HOOK,
      webhookFormat: 'form',
      fees: ['mfs_a=10', 'bank=5'],
    });
    const { core, shop, money, clock } = stage;
    const forms = async () =>
      (await rows(core, 'notifications'))
        .sort((a, b) => a.created_at - b.created_at || a.sequence - b.sequence)
        .map(({ content }) => Object.fromEntries(new URLSearchParams(content)))
        .map(({ paymentMethod, paymentAmount, paymentFee, status }) =>
          [paymentMethod, paymentAmount, paymentFee, status].join(' '),
        );
    const [overpaid, slip] = [await stage.order(50_000), await stage.order(60_000)];
    const { trxId, text } = money('900.00');
    await shop.receive(text);
    t.is(await stage.claim(overpaid, trxId), 'under_review');
    t.like((await loadCheckout(core, overpaid))?.facts, {
      channel: 'bank',
      paidPaisa: 50_000,
      feePaisa: 1_000,
    });
    clock.advance(1_000);
    await stage.bank(slip, 'FT1');
    t.like((await loadCheckout(core, slip))?.facts, { channel: 'bank', paidPaisa: 60_000, feePaisa: 500 });
    clock.advance(1_000);
    for (const { id } of await stage.open()) await stage.reject(id);
    t.deepEqual((await forms()).slice(0, 2), ['bank 500.00 10.00 pending', 'bank 600.00 5.00 pending']);
    t.deepEqual((await forms()).slice(2).sort(), ['bank 0.00 0.00 failed', 'mfs_a 0.00 0.00 failed']);
    t.like((await loadCheckout(core, slip))?.facts, { status: 'FAILED', paidPaisa: 0, feePaisa: 0 });
  });
}
