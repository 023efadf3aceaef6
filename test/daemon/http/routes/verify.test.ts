/** POST /api/v2/payment/verify: the answers, field by field, and the many names of the reference. */
import test from 'ava';
import { VERIFY_REFERENCE_FIELDS } from '../../../../daemon/http/routes/payment.js';
import { showPayment } from '../../../../src/actions/sessions/list-payments.js';
import { bkashId, bkashText, openShop } from '../../../helpers/shop/shop.js';
import { type Api, openApi, refusal, VERIFY } from '../../api.js';

const NOT_FOUND = '404 Transaction ID not found, ensure customer has completed transfer';
const NO_SESSION = '404 Payment session not found or expired';

/** An SMS of that amount arrives. @returns its transaction id */
async function money({ shop, clock }: Api, taka: string, n = 1): Promise<string> {
  const at = clock.now();
  const trxId = bkashId(at, n);
  await shop.receive(bkashText({ taka, trxId, at }));
  return trxId;
}

test('a payment that is there is answered with its whole record, and again the same', async (t) => {
  const api = await openApi(t);
  const id = await api.shop.order(50_050);
  const trxId = await money(api, '500.50');
  const body = { id, method: 'mfs_a', transaction_id: ` ${trxId.toLowerCase()} ` };
  const first = await api.call(VERIFY, { body });
  t.is(first.statusCode, 200);
  t.deepEqual(first.json(), {
    status: true,
    message: 'Payment verified successfully',
    data: {
      cus_name: 'Customer',
      cus_email: '',
      amount: 500.5,
      transaction_id: trxId,
      meta_data: { order: 7 },
      payment_method: 'mfs_a',
      status: 'COMPLETED',
    },
  });
  const again = await api.call(VERIFY, { body });
  t.is(again.statusCode, 200);
  t.is(again.body, first.body);
});

test('a payment that needs manual review gets 202 and is not a success', async (t) => {
  const api = await openApi(t);
  const id = await api.shop.order(50_000);
  const trxId = await money(api, '600.00');
  const response = await api.call(VERIFY, { body: { id, method: 'mfs_a', transaction_id: trxId } });
  t.is(response.statusCode, 202);
  const reference = (await showPayment(api.core, id)).gateway_reference;
  const data = { status: 'PENDING', transaction_id: reference, amount: 500 };
  t.like(response.json(), { status: false, data }, 'nothing is credited yet');
  t.regex(response.json().message, /under manual review/);
});

test('refusals carry the codes and texts of the specification', async (t) => {
  const api = await openApi(t);
  const other = await openShop(api.core, 'Bela Store', '01711000002');
  const [paid, second, foreign] = [
    await api.shop.order(50_000),
    await api.shop.order(50_000),
    await other.order(50_000),
  ];
  const trxId = await money(api, '500.00');
  const small = await money(api, '10.00', 2);
  const verify = async (body: object) => refusal(await api.call(VERIFY, { body }));
  const claim = { method: 'mfs_a', transaction_id: trxId };
  t.is(await verify({ ...claim, id: foreign }), NO_SESSION);
  t.is(await verify({ ...claim, id: '0'.repeat(32) }), NO_SESSION);
  t.is(await verify({ ...claim, id: 'a\u0000b' }), NO_SESSION);
  t.is(await verify({ ...claim, id: "' OR 1=1--" }), NO_SESSION);
  t.is((await api.call(VERIFY, { body: { ...claim, id: paid } })).statusCode, 200);
  t.is(
    await verify({ ...claim, id: second }),
    '400 Transaction ID already verified and credited for another order',
  );
  t.is(
    await verify({ ...claim, id: paid, transaction_id: small }),
    '400 Payment session is already completed by another transaction',
  );
  t.is(
    await verify({ ...claim, id: second, transaction_id: small }),
    '400 The transaction amount does not match the payment amount',
  );
  t.is(await verify({ ...claim, id: second, transaction_id: 'ZZZ9ZZZZZZ' }), NOT_FOUND);
  t.is(
    await verify({ ...claim, id: second, method: 'mfs_b' }),
    '400 This payment method is not available for this brand',
  );
});

test('a wallet that the brand does not have is named, and the claim is kept until it has', async (t) => {
  const api = await openApi(t);
  const id = await api.shop.order(50_000);
  const claim = (method: string) => api.call(VERIFY, { body: { id, method, transaction_id: 'DKL7CD1EF2' } });
  t.is(refusal(await claim('mfs_b')), '400 This payment method is not available for this brand');
  t.is(refusal(await claim('mfs_a')), NOT_FOUND);
  const kept = await api.core.store.read((db) => db.query.selectFrom('claims').select('channel').execute());
  t.deepEqual(kept.map(({ channel }) => channel).sort(), ['mfs_a', 'mfs_b']);
});

test('names each field that is missing, of the wrong type or unknown', async (t) => {
  const api = await openApi(t);
  const good = { id: await api.shop.order(50_000), method: 'mfs_a', transaction_id: 'AAAAAAAAAA' };
  const cases: [change: object, answer: string][] = [
    [{ id: undefined }, '400 id is required'],
    [{ method: undefined }, '400 method is required'],
    [{ transaction_id: undefined }, '400 transaction_id is required'],
    [{ transaction_id: '  ' }, '400 transaction_id is required'],
    [{ transaction_id: null }, '400 transaction_id is required'],
    [{ id: 5 }, NO_SESSION],
    [{ id: 5.5 }, '400 id must be a text'],
    [{ id: ['x'] }, '400 id must be a text'],
    [{ method: {} }, '400 method must be a text'],
    [{ transaction_id: false }, '400 transaction_id is required'],
    [{ transaction_id: 1.5 }, '400 transaction_id must be a text'],
    [{ transaction_id: ['AAAAAAAAAA'] }, '400 transaction_id must be a text'],
    [{ transaction_id: undefined, number: {} }, '400 number must be a text'],
    [
      { method: 'bkash' },
      '400 method must be one of mfs_a, mfs_b, mfs_c, mfs_d, qr_interbank, exchange_pay, bep20',
    ],
    [
      { method: 'bank' },
      '400 method must be one of mfs_a, mfs_b, mfs_c, mfs_d, qr_interbank, exchange_pay, bep20',
    ],
    [
      { method: 'MFS_A' },
      '400 method must be one of mfs_a, mfs_b, mfs_c, mfs_d, qr_interbank, exchange_pay, bep20',
    ],
    ...[
      { method: 'qr_interbank', transaction_id: '01711000009' },
      { method: 'exchange_pay' },
      { method: 'bep20', transaction_id: `0x${'a'.repeat(64)}` },
    ].map((change): [object, string] => [change, '400 This payment method is not available for this brand']),
    [
      { method: 'qr_interbank' },
      '400 transaction_id must be the mobile number that paid, or its last 4 digits',
    ],
    ...['AAAA AAAAAA', 'K0000000\u212a', 'AAAAAAAA\nYou have', 'ı0000000'].map(
      (transaction_id): [object, string] => [
        { transaction_id },
        '400 transaction_id must be the letters and digits after TrxID or TxnID in the SMS',
      ],
    ),
    // However it is written, an id is looked up.
    ...['ＡＡＡＡＡＡＡＡ', 'AAAA\u200bAAAA'].map((transaction_id): [object, string] => [
      { transaction_id },
      '404 Transaction ID not found, ensure customer has completed transfer',
    ]),
  ];
  for (const [change, answer] of cases) {
    t.is(refusal(await api.call(VERIFY, { body: { ...good, ...change } })), answer, JSON.stringify(change));
  }
});

test('the reference is found under every name, and an earlier name takes precedence', async (t) => {
  const api = await openApi(t);
  const trxId = await money(api, '500.00');
  const id = await api.shop.order(50_000);
  for (const [index, name] of VERIFY_REFERENCE_FIELDS.entries()) {
    const later = VERIFY_REFERENCE_FIELDS.slice(index + 1).map((alias) => [alias, 'WRONG00000']);
    const earlier = VERIFY_REFERENCE_FIELDS.slice(0, index).map((alias) => [
      alias,
      index % 2 === 0 ? '' : null,
    ]);
    const body = { id, method: 'mfs_a', [name]: trxId, ...Object.fromEntries([...later, ...earlier]) };
    t.is((await api.call(VERIFY, { body })).statusCode, 200, name);
  }
});

test('after too many different misses a session answers 429 and says when to come again', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_MISSES_PER_SESSION: '2' } });
  const id = await api.shop.order(50_000);
  const miss = (transaction_id: string) =>
    api.call(VERIFY, { body: { id, method: 'mfs_a', transaction_id } });
  t.is((await miss('AAAAAAAAAA')).statusCode, 404);
  t.is((await miss('AAAAAAAAAA')).statusCode, 404, 'the same one again is no new guess');
  t.is((await miss('BBBBBBBBBB')).statusCode, 404);
  const last = await miss('CCCCCCCCCC');
  t.is(refusal(last), '429 Too many attempts for this payment session');
  t.regex(String(last.headers['retry-after']), /^\d+$/);
});
