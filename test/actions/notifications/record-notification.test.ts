/** What shops read of payments in parts, advances and refunds: verify of both versions, notifications. */
import test, { type ExecutionContext } from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { findPayment } from '../../../src/actions/sessions/find-payment.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { amountFields } from '../../../src/domain/sessions/payment-record.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, refundSent, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const DAY_MS = 86_400_000;

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const base = await scene(t, engine);
  const { core, shop } = base;
  await updateBrand(core, {
    brand: shop.brand.name,
    webhookUrl: 'https://shop.example.com/hook',
    who: 'test',
  });
  const order = async (change: { takesParts?: boolean; deliveryPaisa?: number }) => {
    const about = { brand: shop.brand, hosted: null, cusName: 'Customer', cusEmail: '', metaJson: null };
    return (await createSession(core, { ...about, amountPaisa: 50_000, ...change })).id;
  };
  const bodies = async (): Promise<Record<string, unknown>[]> =>
    (await rows(core, 'notifications'))
      .toSorted((one, other) => one.sequence - other.sequence)
      .map(({ content }) => JSON.parse(content));
  return { ...base, order, bodies };
}

for (const engine of engines) {
  test(`${engine}: records and notifications say what has come of a payment in parts, and what is due`, async (t) => {
    const { core, clock, shop, order, receive, bodies } = await stage(t, engine);
    const sessionId = await order({ takesParts: true });
    const verify = async (reference: string) => {
      const claim = { brand: shop.brand, sessionId, method: 'mfs_a', reference } as const;
      const { outcome, record } = await verifyClaim(core, claim);
      return { outcome, status: record.status, ...amountFields(record, formatTaka) };
    };
    const part = (reference: string, amount: string) => ({
      ...{ transaction_id: reference, payment_method: 'mfs_a', amount },
      paid_at: new Date(clock.now()).toISOString(),
    });
    const first = await receive('300.00');
    const parts = [part(first, '300.00')];
    const open = { paid_amount: '300.00', due_amount: '200.00', parts };
    t.deepEqual(await verify(first), { outcome: 'part', status: 'PENDING', ...open });
    const found = await findPayment(core, { brand: shop.brand, reference: first });
    t.deepEqual(amountFields(found, formatTaka), open);
    t.like(found, { status: 'PENDING', channel: 'mfs_a' });

    clock.advance(60_000);
    const second = await receive('200.00');
    const paid = { ...open, paid_amount: '500.00', due_amount: '0.00' };
    const done = {
      outcome: 'completed',
      status: 'COMPLETED',
      ...paid,
      parts: [...parts, part(second, '200.00')],
    };
    t.deepEqual(await verify(second), done);
    t.deepEqual(await verify(first), done, 'a part of a payment that is completed');

    const [partial, completed = {}, ...more] = await bodies();
    t.deepEqual(more, []);
    t.like(partial, {
      ...{ event: 'payment.partial', sequence: 1, status: 'PENDING', paid_amount: 300, due_amount: 200 },
      part: { transaction_id: first, payment_method: 'mfs_a', amount: 300 },
    });
    t.like(completed, { event: 'payment.completed', sequence: 2, transaction_id: second, due_amount: 0 });
    t.is((completed.parts as unknown[]).length, 2);
    t.false('part' in completed);
  });

  test(`${engine}: one credit of everything leaves the record as it was, and an advance says what is due on delivery`, async (t) => {
    const { core, shop, order, receive, bodies } = await stage(t, engine);
    const session = await order({ takesParts: true, deliveryPaisa: 80_000 });
    t.is(await answer(core, shop, session, await receive('500.00')), 'completed');
    const [body = {}] = await bodies();
    t.is(body.due_on_delivery, 800);
    t.deepEqual(
      ['paid_amount', 'due_amount', 'parts', 'refunded_amount', 'remaining_amount'].filter(
        (field) => field in body,
      ),
      [],
    );
  });

  test(`${engine}: a refund is notified with the next number, also after earlier ones were deleted`, async (t) => {
    const { core, clock, shop, order, receive, bodies } = await stage(t, engine);
    const session = await order({});
    const reference = await receive('500.00');
    t.is(await answer(core, shop, session, reference), 'completed');
    const id = await refundSent(core, session, 10_000);
    const [, body] = await bodies();
    t.like(body, {
      ...{ event: 'payment.refunded', sequence: 2, status: 'COMPLETED', amount: 500 },
      ...{ refunded_amount: 100, remaining_amount: 400 },
      refund: { id, amount: 100, transaction_id: `DKL8${id.slice(-6)}`, payment_method: 'mfs_a', fee: 5 },
    });
    t.like(await findPayment(core, { brand: shop.brand, reference }), { refundedPaisa: 10_000 });

    await core.store.write((db) =>
      db.query.updateTable('notifications').set({ state: 'DELIVERED', closed_at: clock.now() }).execute(),
    );
    clock.advance(1_000 * DAY_MS);
    await prune(core);
    t.deepEqual(await bodies(), []);
    await refundSent(core, session, 20_000);
    t.like((await bodies())[0], { sequence: 3, refunded_amount: 300, remaining_amount: 200 });
  });

  test(`${engine}: forms get neither parts nor refunds, and money without a payment has no shop`, async (t) => {
    const { core, shop, order, receive } = await stage(t, engine);
    await updateBrand(core, { brand: shop.brand.name, webhookFormat: 'form', who: 'test' });
    const session = await order({ takesParts: true });
    t.is(await answer(core, shop, session, await receive('300.00')), 'part');
    t.is(await answer(core, shop, session, await receive('200.00')), 'completed');
    await refundSent(core, session, 10_000);
    await refundSent(core, await receive('100.00'), 10_000);
    t.deepEqual(
      (await rows(core, 'notifications')).map(({ event }) => event),
      ['payment.completed'],
    );
  });
}
