/** Order lines and a description, in both creates: what is taken, in which forms, and what is refused. */
import test from 'ava';
import { storedItems } from '../../../src/domain/sessions/order-items.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, CREATE, HOSTED_CREATE, openApi, refusal } from '../api.js';
import { countSessions, form, multipart, ORDER, query, RETURNS, referenceOf } from './orders.js';

const ITEMS = [
  { name: 'জামা <b>"লাল"</b>', quantity: 2, price: '250.50' },
  { name: 'Delivery', price: 60 },
  { name: 'Discount', quantity: 1, price: -61 },
  { name: 'Gift', price: '0' },
];
const KEPT = [
  { name: 'জামা <b>"লাল"</b>', quantity: 2, pricePaisa: 25_050 },
  { name: 'Delivery', quantity: 1, pricePaisa: 6_000 },
  { name: 'Discount', quantity: 1, pricePaisa: -6_100 },
  { name: 'Gift', quantity: 1, pricePaisa: 0 },
];
/** The same lines as http_build_query of PHP names them. */
const FLAT = Object.fromEntries(
  ITEMS.flatMap((item, index) =>
    Object.entries(item).map(([name, value]) => [`items[${index}][${name}]`, String(value)]),
  ),
);
const HEADLESS = { cus_name: 'Rahima', amount: 500 };

const hosted = ({ call }: Api, change: object) => call(HOSTED_CREATE, { body: { ...ORDER, ...change } });
const headless = ({ call }: Api, change: object) => call(CREATE, { body: { ...HEADLESS, ...change } });

/** The lines and the description of the newest session, which is then deleted. */
async function takeKept({ core }: Api) {
  return core.store.write(async (db) => {
    const row = await db.query
      .selectFrom('sessions')
      .select(['items', 'description'])
      .executeTakeFirstOrThrow();
    await db.query.deleteFrom('sessions').execute();
    return { items: storedItems(row.items), description: row.description };
  });
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, both creates keep order lines and a description, in every form of a body`, async (t) => {
    const api = await openApi(t, { engine });
    const description = 'Order 17,\nগিফট র‍্যাপ';
    const json = { items: ITEMS, description };
    const text = { ...RETURNS, amount: '500', description, items: JSON.stringify(ITEMS) };
    const flat = { ...RETURNS, amount: '500', description, ...FLAT };
    const ways = {
      'hosted JSON': () => hosted(api, json),
      'hosted JSON with a text': () => hosted(api, text),
      'hosted form with a text': () => api.call(HOSTED_CREATE, form(text)),
      'hosted form of PHP': () => api.call(HOSTED_CREATE, form(flat)),
      'hosted multipart form': () => api.call(HOSTED_CREATE, multipart(flat)),
      'hosted query': () => api.call(query(flat), { method: 'GET' }),
      'headless JSON': () => headless(api, json),
      'headless form': () => api.call(CREATE, form({ ...flat, cus_name: 'Rahima' })),
    };
    for (const [name, send] of Object.entries(ways)) {
      const { statusCode, body } = await send();
      t.is(statusCode, 200, `${name}: ${body}`);
      t.deepEqual(await takeKept(api), { items: KEPT, description }, name);
    }
  });
}

test('the payment page shows what was sent, as text', async (t) => {
  const api = await openApi(t);
  const created = await hosted(api, { items: ITEMS, description: '<i>Eid</i> & more' });
  const page = await api.call(`/api/execute/${referenceOf(created)}?lang=en`, { method: 'GET' });
  t.is(page.statusCode, 200);
  for (const part of ['জামা &lt;b&gt;&quot;লাল&quot;&lt;/b&gt;', '2 × ৳ 250.50', '৳ 501.00', '−৳ 61.00']) {
    t.true(page.body.includes(part), part);
  }
  t.true(page.body.includes('<p>&lt;i&gt;Eid&lt;/i&gt; &amp; more</p>'));
});

test('no lines and no description are what forms and programs send for nothing', async (t) => {
  const api = await openApi(t);
  for (const nothing of [undefined, null, false, '', ' ', '[]', 'null', []]) {
    const description = Array.isArray(nothing) ? undefined : nothing === '[]' ? '' : nothing;
    const sent = { items: nothing, ...(description === 'null' ? {} : { description }) };
    t.is((await hosted(api, sent)).statusCode, 200, String(nothing));
    t.deepEqual(await takeKept(api), { items: [], description: null }, String(nothing));
  }
});

const PRICE = 'price must be taka with at most two decimals, such as 500.50, from -1000000.00 to 1000000.00';
const NAME = 'name must be a text of 1 to 120 characters';
const QUANTITY = 'quantity must be an integer from 1 to 9999';
const LIST = 'items must be a list of order lines, such as [{"name":"Shirt","quantity":2,"price":"250.00"}]';
const line = (change: object) => [{ name: 'Shirt', quantity: 1, price: '500', ...change }];

const SHAPES: readonly [items: unknown, fault: string][] = [
  ...['Shirt', '{"name":', 3, true, { name: 'Shirt', price: 500 }].map((items): [unknown, string] => [
    items,
    LIST,
  ]),
  [['Shirt'], `items[0].${NAME}`],
  [[null], `items[0].${NAME}`],
  [[...line({}), ...line({ name: undefined })], `items[1].${NAME}`],
  [line({ name: ' ' }), `items[0].${NAME}`],
  [line({ name: 'গ'.repeat(121) }), `items[0].${NAME}`],
  [line({ name: ['Shirt'] }), `items[0].${NAME}`],
  [line({ name: 'Shirt\nred' }), 'items[0].name has a line break or another control character'],
  ...['0', 0, -1, 1.5, 10_000, 'two', true, '1e1'].map((quantity): [unknown, string] => [
    line({ quantity }),
    `items[0].${QUANTITY}`,
  ]),
  ...[undefined, '', true, '1,000', '৫০০', 'NaN', 500.001, '--5', '+5', '1000000.01', 1e300].map(
    (price): [unknown, string] => [line({ price }), `items[0].${PRICE}`],
  ),
  [Array.from({ length: 51 }, () => line({ price: 1 })[0]), 'items may have at most 50 lines, this has 51'],
];

test('lines in another shape are refused in one sentence, by v1 with 422 as every field', async (t) => {
  const api = await openApi(t);
  for (const [items, fault] of SHAPES) {
    t.is(refusal(await hosted(api, { items })), `422 The ${fault}`);
    t.is(refusal(await headless(api, { items })), `400 ${fault}`);
  }
  t.is(await countSessions(api), 0);
});

test('fifty lines are taken, and numbers as floating point writes them', async (t) => {
  const api = await openApi(t);
  const fifty = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(120), quantity: '2.0', price: 5 }));
  t.is((await headless(api, { items: fifty })).statusCode, 200);
  const noise =
    '{"cus_name":"A","amount":121,"items":[{"name":7,"quantity":110,"price":1.1000000000000001}]}';
  t.is((await api.call(CREATE, { body: noise })).statusCode, 200);
});

test('lines that do not add up to the amount are refused with both sums, a paisa apart or a thousand taka', async (t) => {
  const api = await openApi(t);
  const advice =
    'send delivery and fees as lines of their own, and a discount as a line with a negative price';
  const sums: readonly [price: string, quantity: number, total: string][] = [
    ['499.99', 1, '499.99'],
    ['500.01', 1, '500.01'],
    ['-500', 1, '-500.00'],
    ['1000000', 9_999, '9999000000.00'],
    ['166.67', 3, '500.01'],
  ];
  for (const [price, quantity, total] of sums) {
    const fault = `400 The items add up to ${total} taka, but the amount is 500.00: ${advice}`;
    t.is(refusal(await hosted(api, { items: line({ price, quantity }) })), fault);
    t.is(refusal(await headless(api, { items: line({ price, quantity }) })), fault);
  }
  t.is(await countSessions(api), 0);
});

test('a description has at most 500 characters and no control character', async (t) => {
  const api = await openApi(t);
  t.is((await hosted(api, { description: 'ক'.repeat(500) })).statusCode, 200);
  const long = 'description may be at most 500 characters long';
  t.is(refusal(await hosted(api, { description: 'ক'.repeat(501) })), `422 The ${long}`);
  t.is(refusal(await headless(api, { description: 'ক'.repeat(501) })), `400 ${long}`);
  t.is(
    refusal(await headless(api, { description: 'a\u001b[2J' })),
    '400 description has a control character',
  );
  t.is(refusal(await headless(api, { description: ['a'] })), '400 description must be a text');
});
