/** A create that is sent again under the same idempotency key, in both API versions. */
import test from 'ava';
import { engines } from '../../helpers/stores/engines.js';
import { type Api, type Call, CREATE, HOSTED_CREATE, openApi, refusal } from '../api.js';
import { countSessions, form, ORDER, query, referenceOf } from './orders.js';

const DAY_MS = 24 * 3_600_000;
const HEADLESS = { cus_name: 'Rahim', amount: 500 };
const CONFLICT = '409 This idempotency_key was used for another request';
const DIFFER = 'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike';

const hosted = ({ call }: Api, key: string, change: object = {}, more: Call = {}) =>
  call(HOSTED_CREATE, { ...more, body: { ...ORDER, idempotency_key: key, ...change } });

for (const engine of engines) {
  test(`${engine}: the same key and order give the same payment, in whatever state, for 24 hours`, async (t) => {
    const api = await openApi(t, { engine });
    const first = await hosted(api, 'order-17');
    t.is(first.statusCode, 200);
    // The same said in another way: by header, as a form, with other names of fields.
    const headers = { 'idempotency-key': 'order-17' };
    t.deepEqual((await api.call(HOSTED_CREATE, { headers, body: ORDER })).json(), first.json());
    t.deepEqual(
      (
        await api.call(HOSTED_CREATE, form({ ...ORDER, amount: '500.00', idempotency_key: 'order-17' }))
      ).json(),
      first.json(),
    );
    t.deepEqual(
      (await api.call(query({ ...ORDER, idempotency_key: 'order-17' }), { method: 'GET' })).json(),
      first.json(),
    );
    await api.core.store.write((db) =>
      db.query.updateTable('sessions').set({ status: 'FAILED', reason: 'cancelled' }).execute(),
    );
    api.clock.advance(DAY_MS - 1);
    t.deepEqual((await hosted(api, 'order-17')).json(), first.json());
    t.is(await countSessions(api), 1);

    api.clock.advance(1);
    const next = await hosted(api, 'order-17', { amount: '700' });
    t.not(referenceOf(next), referenceOf(first));
    t.deepEqual((await hosted(api, 'order-17', { amount: '700' })).json(), next.json());
    t.is(refusal(await hosted(api, 'order-17')), CONFLICT);
    t.is(await countSessions(api), 2);
  });

  test(`${engine}: headless create repeats its whole answer`, async (t) => {
    const api = await openApi(t, { engine });
    const body = { ...HEADLESS, meta_data: { a: 1, b: { c: 2, d: 3 } }, idempotency_key: 'k' };
    const first = await api.call(CREATE, { body });
    const again = await api.call(CREATE, { body: { ...body, meta_data: { b: { d: 3, c: 2 }, a: 1 } } });
    t.deepEqual([again.statusCode, again.json()], [200, first.json()]);
    t.is(refusal(await api.call(CREATE, { body: { ...body, meta_data: { a: 1 } } })), CONFLICT);
    t.is(await countSessions(api), 1);
  });

  test(`${engine}: of 50 creates at once under one key there is one payment`, async (t) => {
    const api = await openApi(t, { engine });
    const answers = await Promise.all(Array.from({ length: 50 }, () => hosted(api, 'at-once')));
    t.deepEqual(new Set(answers.map((answer) => `${answer.statusCode} ${referenceOf(answer)}`)).size, 1);
    t.is(answers[0]?.statusCode, 200);
    t.is(await countSessions(api), 1);
  });
}

test('another order, API version or brand under the same key is another one, or refused', async (t) => {
  const api = await openApi(t);
  await hosted(api, 'k');
  for (const change of [
    { amount: '501' },
    { cus_name: 'Other' },
    { success_url: 'https://shop.example/x' },
  ]) {
    t.is(refusal(await hosted(api, 'k', change)), CONFLICT);
  }
  t.is(refusal(await api.call(CREATE, { body: { ...HEADLESS, idempotency_key: 'k' } })), CONFLICT);
  // A refused create takes no key.
  t.is((await hosted(api, 'other', { amount: '0' })).statusCode, 422);
  t.is((await hosted(api, 'other')).statusCode, 200);
  // Without a key every create is one of its own.
  t.not(referenceOf(await hosted(api, '')), referenceOf(await hosted(api, '')));
});

test('the order lines and the description are part of the order, in whatever notation', async (t) => {
  const api = await openApi(t);
  const items = [{ name: 'Shirt', quantity: 2, price: '250' }];
  const order = { items, description: 'Eid' };
  const first = await hosted(api, 'k', order);
  t.is(first.statusCode, 200);
  const same = {
    items: JSON.stringify([{ price: 250.0, quantity: '2', name: 'Shirt' }]),
    description: ' Eid ',
  };
  t.deepEqual((await hosted(api, 'k', same)).json(), first.json());
  const other = [{ name: 'Shirt', quantity: 1, price: '500' }];
  for (const change of [{}, { ...order, items: other }, { ...order, description: 'Puja' }, { items }]) {
    t.is(refusal(await hosted(api, 'k', change)), CONFLICT);
  }
  t.is(await countSessions(api), 1);
});

test('a key is 1 to 255 printable signs, and header and field agree', async (t) => {
  const api = await openApi(t);
  t.is((await hosted(api, 'k'.repeat(255))).statusCode, 200);
  const form = 'must be 1 to 255 English letters, digits or signs, without spaces';
  for (const key of ['k'.repeat(256), 'a b', 'ক', 'a\n']) {
    t.is(refusal(await hosted(api, key)), `422 The idempotency_key ${form}`, key);
    const body = { ...HEADLESS, idempotency_key: key };
    t.is(refusal(await api.call(CREATE, { body })), `400 idempotency_key ${form}`, key);
  }
  const headers = { 'idempotency-key': 'one' };
  t.is((await hosted(api, 'one', {}, { headers })).statusCode, 200);
  t.is(refusal(await hosted(api, 'two', {}, { headers })), `400 ${DIFFER}`);
  t.is(
    refusal(await api.call(CREATE, { headers, body: { ...HEADLESS, idempotency_key: 'two' } })),
    `400 ${DIFFER}`,
  );
});
