/** Verify for a program that books whatever id is completed, without looking for which order it was. */
import test from 'ava';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { HOSTED_CREATE, HOSTED_VERIFY, openApi, refusal } from '../api.js';
import { ORDER, referenceOf, sessionOf, setBrand } from './orders.js';

const NOT_FOUND = '404 Transaction ID not found, ensure customer has completed transfer';

test('a program that books any completed id can verify only the id of an undelivered notification', async (t) => {
  const api = await openApi(t);
  await setBrand(api, {
    plugin: 'sohojpay-whmcs',
    dialect: 'flat',
    webhook_url: 'https://shop.example/hook',
  });
  const opened = await api.call(HOSTED_CREATE, { body: ORDER });
  const { gateway_reference: gatewayReference } = await sessionOf(api, opened);
  const id = referenceOf(opened);
  const ask = (transaction_id: string) => api.call(HOSTED_VERIFY, { body: { transaction_id } });
  t.is((await ask(id)).json().status, 'PENDING');
  const at = api.clock.now();
  const trxId = bkashId(at, 1);
  await api.shop.receive(bkashText({ taka: '500.00', trxId, at }));
  await claimCheckout(api.core, { sessionId: id, channel: 'mfs_a', text: trxId });
  const read = () =>
    api.core.store.read((db) =>
      db.query.selectFrom('notifications').select(['id', 'content']).executeTakeFirstOrThrow(),
    );
  const { id: notification, content } = await read();
  const bound = (JSON.parse(content) as { transaction_id: string }).transaction_id;
  t.is(bound, `${trxId}-${notification.slice(4)}`);
  t.like((await ask(bound)).json(), { status: 'COMPLETED', transaction_id: trxId, amount: '500.00' });
  const refused = '409 Completed; the shop is notified by webhook only';
  for (const known of [trxId, id, gatewayReference, `${trxId}-${'0'.repeat(24)}`]) {
    t.true([refused, NOT_FOUND].includes(refusal(await ask(known))), known);
  }
  const state = (to: 'DELIVERED' | 'FAILED' | 'PENDING') =>
    api.core.store.write((db) => db.query.updateTable('notifications').set({ state: to }).execute());
  for (const over of ['DELIVERED', 'FAILED'] as const) {
    await state(over);
    t.is(refusal(await ask(bound)), refused);
  }
  await state('PENDING');
  t.is((await ask(bound)).json().status, 'COMPLETED');
  // Without the program its shop asks as all others do.
  await setBrand(api, { plugin: null });
  t.is((await ask(trxId)).json().status, 'COMPLETED');
});
