/** Payments and SMS are found by whatever somebody remembers of them; on both engines. */
import test from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { paymentSheet } from '../../../src/actions/sessions/payment-view.js';
import { listSms, showSms } from '../../../src/actions/sms/list-sms.js';
import { formatKeyValues } from '../../../src/cli/text/table.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

for (const engine of engines) {
  test(`${engine}: each name of a payment finds it and no other`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [paid, waiting] = [await shop.order(50_000), await shop.order(60_000)];
    const { text, trxId } = money('500.00');
    await shop.receive(text);
    await answer(core, shop, paid, trxId);
    await answer(core, shop, waiting, 'DHK4NONE01');
    const find = async (search: string) =>
      (await listPayments(core, { search, limit: 10 })).map(({ id }) => id);
    const all = await listPayments(core, { limit: 10 });
    const number = all.find(({ id }) => id === paid)?.gateway_reference ?? '';
    const names = [paid, number, number.toLowerCase(), trxId.toLowerCase(), '500', '01900000001'];
    for (const search of names) t.deepEqual(await find(search), [paid], search);
    for (const search of [waiting, 'dhk4none01', '600.00', '৬০০']) {
      t.deepEqual(await find(search), [waiting], search);
    }
    t.is((await find('stom')).length, 2, 'a part of the name of the customer');
    for (const search of ['st%m', 'cust_mer', '501', 'DHK4NONE0'])
      t.deepEqual(await find(search), [], search);
  });

  test(`${engine}: an order number, an e-mail address and the beginning of an amount find a payment, and it shows them`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const { id } = await createSession(core, {
      ...{ brand: shop.brand, hosted: null, cusName: 'Karim', amountPaisa: 32_550 },
      ...{ cusEmail: 'karim@example.com', metaJson: '{"order":"ORD-7781"}' },
    });
    await shop.order(90_000);
    const find = async (search: string) =>
      (await listPayments(core, { search, limit: 10 })).map((payment) => payment.id);
    for (const search of ['ord-7781', '7781', 'Karim@Example.com', '32', '325', '৩২৫', '325.50']) {
      t.deepEqual(await find(search), [id], search);
    }
    t.deepEqual(await find('25'), [], 'the middle of an amount');
    const shown = await showPayment(core, id);
    t.like(shown, { cus_email: 'karim@example.com', meta_data: { order: 'ORD-7781' } });
    t.regex(
      formatKeyValues(paymentSheet(shown)).join('\n'),
      /E-mail +karim@example\.com[\s\S]*Meta data +\{"order":"ORD-7781"\}/,
    );
  });

  test(`${engine}: each name of an SMS finds it, and it is shown word for word`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { text, trxId } = money('500.00');
    await shop.receive(text, money('70.00').text);
    const find = async (search: string) =>
      (await listSms(core, { search, limit: 10 })).map((sms) => sms.trx_id);
    for (const search of [trxId.toLowerCase(), '500', 'tk 500.00']) {
      t.deepEqual(await find(search), [trxId], search);
    }
    t.is((await find('+8801900000001')).length, 2);
    t.is((await find('bkash')).length, 2);
    t.deepEqual(await find('100%'), []);
    const [row] = await listSms(core, { search: trxId, limit: 1 });
    const shown = await showSms(core, row?.id ?? '');
    t.like(shown, { body: text, amount: '500.00', trx_id: trxId, fee: '0.00', source: 'relay' });
    t.is(shown.balance, '98731.19');
    await t.throwsAsync(showSms(core, 'sms_none'), { code: 'not_found' });
  });
}
