/** POST /api/v2/payment/create: what is accepted, and the answer to everything that is not. */
import test from 'ava';
import { PAYMENT_REFERENCE } from '../../../../src/base/values/ids.js';
import { WALLET } from '../../../helpers/shop/shop.js';
import { enginesOfTier } from '../../../helpers/stores/engines.js';
import { CREATE, openApi, refusal } from '../../api.js';

const RANGE = '422 The amount must be between 1 and 1000000';
const DECIMALS = '422 The amount has more than two decimals: round it to 2';
const REQUIRED = '400 cus_name and amount fields are required';

test('a session is created and answered in the shape of the specification', async (t) => {
  const { call, core } = await openApi(t);
  const response = await call(CREATE, {
    body: {
      cus_name: 'রহিম উদ্দিন',
      amount: 500.5,
      meta_data: { order_id: 'A-1' },
      status: 'paid',
      id: 'mine',
    },
  });
  t.is(response.statusCode, 200);
  t.regex(String(response.headers['content-type']), /^application\/json/);
  const { id, payment_reference, ...rest } = response.json();
  t.regex(id, /^[0-9a-f]{32}$/);
  t.regex(payment_reference, PAYMENT_REFERENCE);
  t.deepEqual(rest, {
    status: true,
    brand: { name: 'Alo Store', mobile: '', whatsapp: '', email: '' },
    methods: [
      {
        name: 'mfs_a',
        active_payments: { personal: true, agent: false, payment: false },
        personal: WALLET,
        agent: '',
        payment: '',
      },
    ],
  });
  const [row] = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.like(row, {
    id,
    status: 'PENDING',
    cus_name: 'রহিম উদ্দিন',
    amount_paisa: 50_050,
    meta_data: '{"order_id":"A-1"}',
  });
});

const accepted: [amount: string, paisa: number][] = [
  ['500', 50_000],
  ['"500"', 50_000],
  ['100.10', 10_010],
  ['"0.01"', 1],
  ['1000000', 100_000_000],
  ['"1000000.00"', 100_000_000],
  ['121.00000000000001', 12_100],
  ['"119.99999999999999"', 12_000],
  ['1.00000000000000001', 100],
  ['"900.000"', 90_000],
  ['" 900 "', 90_000],
];
test('amounts are kept to the paisa, as numbers and as texts', async (t) => {
  const { call, core } = await openApi(t);
  for (const [amount, paisa] of accepted) {
    const response = await call(CREATE, { body: `{"cus_name":"R","amount":${amount}}` });
    t.is(response.statusCode, 200, amount);
    const row = await core.store.read((db) =>
      db.query.selectFrom('sessions').where('id', '=', response.json().id).selectAll().executeTakeFirst(),
    );
    t.is(row?.amount_paisa, paisa, amount);
  }
});

const NO_NUMBER =
  '422 The amount is not a number: write plain digits, such as 500 or 500.50, without commas and currency signs';

const refused: [body: string, answer: string][] = [
  ...[...['-1', '0', '0.00', '1000000.01', '"0"', '"-1"', '"99999999999999999999"']].map(
    (amount): [string, string] => [`{"cus_name":"R","amount":${amount}}`, RANGE],
  ),
  ...[
    ...['1e5', '0.1e1', '1e400', '"1e3"', '"0x10"', '"NaN"', '"Infinity"', '"1,000"', '"1 000"'],
    ...['"৫০০"', '"९९"', '"+5"', '".5"', '"5."', 'true', '[]', '[5]', '{}'],
  ].map((amount): [string, string] => [`{"cus_name":"R","amount":${amount}}`, NO_NUMBER]),
  ...['0.001', '10.005', '"10.001"', '"99.99999"'].map((amount): [string, string] => [
    `{"cus_name":"R","amount":${amount}}`,
    DECIMALS,
  ]),
  ...[
    ...[
      '{}',
      '{"amount":5}',
      '{"cus_name":"R"}',
      '{"cus_name":null,"amount":5}',
      '{"cus_name":"","amount":5}',
    ],
    ...['{"cus_name":"  ","amount":5}', '{"cus_name":"R","amount":null}', '{"cus_name":"R","amount":""}'],
    ...[
      '{"cus_name":false,"amount":5}',
      '{"cus_name":"R","amount":false}',
      '{"cus_name":"R","amount":" "}',
      '',
    ],
  ].map((body): [string, string] => [body, REQUIRED]),
  ['{"cus_name":5.5,"amount":5}', '400 cus_name must be a text'],
  ['{"cus_name":["R"],"amount":5}', '400 cus_name must be a text'],
  [`{"cus_name":"${'ক'.repeat(201)}","amount":5}`, '400 cus_name may be at most 200 characters long'],
  ['{"cus_name":"a\\u0000b","amount":5}', '400 cus_name has a line break or another control character'],
  ['{"cus_name":"\\u001b[2J","amount":5}', '400 cus_name has a line break or another control character'],
  ['{"cus_name":"R","amount":5,"cus_email":["a"]}', '400 cus_email must be a text'],
  ['{"cus_name":"R","amount":5,"meta_data":5}', '400 meta_data must be an object'],
  ['{"cus_name":"R","amount":5,"meta_data":"no json"}', '400 meta_data must be an object'],
  [
    `{"cus_name":"R","amount":5,"meta_data":${'{"a":'.repeat(9)}1${'}'.repeat(9)}}`,
    '400 meta_data may be at most 8 levels deep',
  ],
  [
    `{"cus_name":"R","amount":5,"meta_data":{"a":"${'x'.repeat(9000)}"}}`,
    '400 meta_data may be at most 8 KiB',
  ],
  ['{"cus_name":"R","amount":NaN}', '400 The body is not valid JSON'],
  ['{"cus_name":"R","amount":৫০০}', '400 The body is not valid JSON'],
  [
    '{"cus_name":"R","amount":5,"__proto__":{"admin":true}}',
    '400 The body has a key "__proto__", or "prototype" inside of "constructor", which is never taken: rename it',
  ],
  ['[]', '400 The body must be a JSON object'],
  [`${'{"a":'.repeat(30_000 / 5)}1`, '400 The body is nested too deeply'],
];
test('every bad body gets its own answer, and nothing is stored', async (t) => {
  const { call, core } = await openApi(t);
  for (const [body, answer] of refused)
    t.is(refusal(await call(CREATE, { body })), answer, body.slice(0, 80));
  const sessions = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.is(sessions.length, 0);
});

test('a body that is absent, no UTF-8 or one byte too long is refused', async (t) => {
  const { call } = await openApi(t);
  t.is(refusal(await call(CREATE)), REQUIRED);
  const latin = Buffer.from('{"cus_name":"Andr\xe9","amount":5}', 'latin1');
  t.is(refusal(await call(CREATE, { body: latin })), '400 The body is not valid UTF-8');
  const frame = '{"cus_name":"R","amount":5,"x":""}';
  const padded = (bytes: number) => frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  t.is((await call(CREATE, { body: padded(64 * 1024) })).statusCode, 200);
  t.is(refusal(await call(CREATE, { body: padded(64 * 1024 + 1) })), '413 The request body is too large');
});

const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;',
  'application/json\t;x',
  'APPLICATION/JSON',
  'application/json ;charset=latin1',
];
const NO_TYPES = ['text/plain', 'application/jsonx', 'application/vnd.api+json', 'json'];
/** JSON under the name of a form is not guessed at. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
test('no spelling of the content type gets a body past its checks', async (t) => {
  const { call } = await openApi(t);
  const status = async (type: string, body: string) =>
    (await call(CREATE, { headers: { 'content-type': type }, body })).statusCode;
  const [bad, good] = ['{"cus_name":[],"amount":5}', '{"cus_name":"R","amount":5}'];
  for (const type of JSON_TYPES) t.deepEqual([await status(type, bad), await status(type, good)], [400, 200]);
  for (const type of NO_TYPES) t.deepEqual([await status(type, bad), await status(type, good)], [415, 415]);
  for (const type of FORM_TYPES) t.deepEqual([await status(type, bad), await status(type, good)], [400, 400]);
});

for (const engine of enginesOfTier) {
  test(`${engine}: odd but honest text comes through whole`, async (t) => {
    const { call, core } = await openApi(t, { engine });
    const meta = { 'a"b': '<script>\u0000\ud83d\ude00', nested: [1, null, { x: 'ক' }] };
    for (const sent of [{ meta_data: meta }, { metadata: JSON.stringify(meta) }]) {
      const response = await call(CREATE, { body: { cus_name: `O'Neil "; DROP`, amount: '5', ...sent } });
      t.is(response.statusCode, 200);
      const row = await core.store.read((db) =>
        db.query.selectFrom('sessions').where('id', '=', response.json().id).selectAll().executeTakeFirst(),
      );
      t.is(row?.cus_name, `O'Neil "; DROP`);
      t.deepEqual(JSON.parse(row?.meta_data ?? ''), meta);
    }
  });
}
