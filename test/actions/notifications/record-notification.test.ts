/** What shops read of payments in parts, advances and refunds: verify of both versions, notifications. */
import test, { type ExecutionContext } from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { notifyRefund } from '../../../src/actions/notifications/record-notification.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { findPayment } from '../../../src/actions/sessions/find-payment.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { amountFields } from '../../../src/domain/sessions/payment-record.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const DAY_MS = 86_400_000;

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const base = await scene(t, engine);
  const { core, shop, money } = base;
  await updateBrand(core, {
    brand: shop.brand.name,
    webhookUrl: 'https://shop.example.com/hook',
    who: 'test',
  });
  const order = async (change: { takesParts?: boolean; deliveryPaisa?: number }) => {
    const about = { brand: shop.brand, hosted: null, cusName: 'Customer', cusEmail: '', metaJson: null };
    return (await createSession(core, { ...about, amountPaisa: 50_000, ...change })).id;
  };
  const pay = async (taka: string) => {
    const { trxId, text } = money(taka);
    await shop.receive(text);
    return trxId;
  };
  const bodies = async (): Promise<Record<string, unknown>[]> =>
    (await rows(core, 'notifications'))
      .toSorted((one, other) => one.sequence - other.sequence)
      .map(({ content }) => JSON.parse(content));
  /** Completes a refund as its proof does. */
  const refund = (session: string, paisa: number) =>
    core.store.write(async (db) => {
      const sent = {
        channel: 'mfs_a',
        amount_paisa: paisa,
        reference: 'DKL8RF0001',
        fee_paisa: 500,
      } as const;
      await db.query
        .updateTable('sessions')
        .set((column) => ({ refunded_paisa: column('refunded_paisa', '+', paisa) }))
        .where('id', '=', session)
        .execute();
      await notifyRefund(core, db, { id: 'rfd_1', session_id: session, ...sent });
    });
  return { ...base, order, pay, bodies, refund };
}

for (const engine of engines) {
  test(`${engine}: records and notifications say what has come of a payment in parts, and what is due`, async (t) => {
    const { core, clock, shop, order, pay, bodies } = await stage(t, engine);
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
    const first = await pay('300.00');
    const parts = [part(first, '300.00')];
    const open = { paid_amount: '300.00', due_amount: '200.00', parts };
    t.deepEqual(await verify(first), { outcome: 'part', status: 'PENDING', ...open });
    const found = await findPayment(core, { brand: shop.brand, reference: first });
    t.deepEqual(amountFields(found, formatTaka), open);
    t.like(found, { status: 'PENDING', channel: 'mfs_a' });

    clock.advance(60_000);
    const second = await pay('200.00');
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
    const { core, shop, order, pay, bodies } = await stage(t, engine);
    const session = await order({ takesParts: true, deliveryPaisa: 80_000 });
    t.is(await answer(core, shop, session, await pay('500.00')), 'completed');
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
    const { core, clock, shop, order, pay, bodies, refund } = await stage(t, engine);
    const session = await order({});
    const reference = await pay('500.00');
    t.is(await answer(core, shop, session, reference), 'completed');
    await refund(session, 10_000);
    const [, body] = await bodies();
    t.like(body, {
      ...{ event: 'payment.refunded', sequence: 2, status: 'COMPLETED', amount: 500 },
      ...{ refunded_amount: 100, remaining_amount: 400 },
      refund: { id: 'rfd_1', amount: 100, transaction_id: 'DKL8RF0001', payment_method: 'mfs_a', fee: 5 },
    });
    t.like(await findPayment(core, { brand: shop.brand, reference }), { refundedPaisa: 10_000 });

    await core.store.write((db) =>
      db.query.updateTable('notifications').set({ state: 'DELIVERED', closed_at: clock.now() }).execute(),
    );
    clock.advance(1_000 * DAY_MS);
    await prune(core);
    t.deepEqual(await bodies(), []);
    await refund(session, 20_000);
    t.like((await bodies())[0], { sequence: 3, refunded_amount: 300, remaining_amount: 200 });
  });

  test(`${engine}: forms get neither parts nor refunds, and money without a payment has no shop`, async (t) => {
    const { core, shop, order, pay, refund } = await stage(t, engine);
    await updateBrand(core, { brand: shop.brand.name, webhookFormat: 'form', who: 'test' });
    const session = await order({ takesParts: true });
    t.is(await answer(core, shop, session, await pay('300.00')), 'part');
    await refund(session, 10_000);
    await core.store.write((db) =>
      notifyRefund(core, db, {
        ...{
          id: 'rfd_2',
          session_id: null,
          channel: 'mfs_a',
          amount_paisa: 1,
          reference: null,
          fee_paisa: null,
        },
      }),
    );
    t.deepEqual(await rows(core, 'notifications'), []);
  });
}
