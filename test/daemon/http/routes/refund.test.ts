/** The refund route: off by default, once for each key, to no other number, of the brand's own payments. */
import test from 'ava';
import { updateBrand } from '../../../../src/actions/brands/change-brand.js';
import { cancelRefund } from '../../../../src/actions/refunds/change-refund.js';
import { bkashId, bkashText, openShop } from '../../../helpers/shop/shop.js';
import { enginesOfTier } from '../../../helpers/stores/engines.js';
import { HOSTED_VERIFY, openApi, REFUND, refusal, VERIFY } from '../../api.js';

for (const engine of enginesOfTier) {
  test(`${engine}: a shop's program requests refunds of its own payments, once for each key`, async (t) => {
    const { core, clock, shop, call } = await openApi(t, { engine });
    const id = await shop.order(50_000);
    const trxId = bkashId(clock.now(), 1);
    await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
    const claim = { id, method: 'mfs_a', transaction_id: trxId };
    t.is((await call(VERIFY, { body: claim })).statusCode, 200);
    const unrefunded = await call(HOSTED_VERIFY, { body: { transaction_id: id } });
    t.false('refunds' in unrefunded.json().data);
    const body = { id, amount: 250, note: 'Out of stock', idempotency_key: 'r-1' };
    t.is(refusal(await call(REFUND, { body })), '403 Refunds by the API are off for this brand');

    await updateBrand(core, { brand: shop.brand.name, apiRefunds: '300', who: 'test' });
    const noKey = { ...body, idempotency_key: undefined };
    t.is(refusal(await call(REFUND, { body: noKey })), '400 idempotency_key is required');
    t.is(refusal(await call(REFUND, { body: { ...body, note: undefined } })), '400 note is required');
    const thief = { number: '01799999999', pay_to: '01799999999', payee: '01799999999' };
    const made = await call(REFUND, { body: { ...body, ...thief } });
    t.is(made.statusCode, 200, made.body);
    const { data } = made.json();
    t.like(data, { refunded_amount: 0, pending_amount: 250 });
    t.like(data.refunds, [
      {
        session_id: id,
        transaction_id: trxId,
        amount: 250,
        pay_to: '01900000001',
        status: 'PENDING',
        fee: null,
      },
    ]);
    const headers = { 'idempotency-key': 'r-1' };
    t.deepEqual((await call(REFUND, { body: noKey, headers })).json(), made.json());
    t.regex(
      refusal(await call(REFUND, { body: { ...body, amount: 251 } })),
      /^409 This idempotency_key was used/,
    );

    const again = async (change: object) =>
      call(REFUND, { body: { ...body, idempotency_key: 'r-2', ...change } });
    const limited = await again({ amount: '50.01' });
    t.regex(
      refusal(limited),
      /^429 Refunds by the API are limited to 300\.00 taka a day .* 50\.00 are left today$/,
    );
    t.true(Number(limited.headers['retry-after']) > 0);
    t.regex(
      refusal(await again({ amount: 250.01 })),
      /^400 At most 250\.00 taka of payment \w+ can be sent back$/,
    );
    t.is((await again({ amount: 0 })).statusCode, 422);
    t.is((await again({ id: 'f'.repeat(32) })).statusCode, 404);

    const listed = async () => {
      const record = (await call(HOSTED_VERIFY, { body: { transaction_id: id } })).json().data;
      return [record.status, record.refunded_amount, record.refunds];
    };
    const { id: refund } = data.refunds[0];
    const one = { id: refund, amount: '250.00', payment_method: 'mfs_a', refund_transaction_id: null };
    t.deepEqual(await listed(), ['COMPLETED', undefined, [{ ...one, status: 'PENDING' }]]);
    await cancelRefund(core, { id: refund, note: 'Exchanged', who: 'test' });
    t.deepEqual(await listed(), ['COMPLETED', undefined, [{ ...one, status: 'CANCELLED' }]]);

    const other = await openShop(core, 'Bela Store', '01711000002');
    await updateBrand(core, { brand: 'Bela Store', apiRefunds: '5000', who: 'test' });
    const foreign = { body, headers: { 'brand-key': other.brandKey } };
    t.is(refusal(await call(REFUND, foreign)), '404 Payment session not found or expired');
  });
}
