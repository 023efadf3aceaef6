/** The merchant's own data comes back with the very numbers and characters that were sent (spec 4.1, 4.4). */
import test from 'ava';
import { bkashId, bkashText } from '../../../helpers/shop/shop.js';
import { type Api, CREATE, HOSTED_CREATE, HOSTED_VERIFY, openApi, VERIFY } from '../../api.js';
import { form, multipart, ORDER, query, referenceOf, setBrand } from '../../hosted/orders.js';

/** Ids of Discord, floats of PHP, what no float holds, and texts that look like parts of an answer. */
const METAS = [
  '{"discord":1234567890123456789}',
  '{"n":[-9007199254740993,12345678901234567890123,1.10,0.1,1e400,-0,1.0]}',
  '{"text":"\\"},\\"status\\":\\"COMPLETED","isLosslessNumber":true,"toJSON":1.5}',
  '{"meta_data":null,"$":"$&$1","\u2028":"\u2029 ক 😀 \\u0000 \\\\","n":1.50}',
];

/** Only where the object was sent as a text: its spaces, escapes and doubled names. */
const ODD_TEXTS = ['{ "a" : 1 ,\n"b":"\\u0995\\/"}', '{"a":1,"a":2}', '{"__proto__":{"x":1}}'];

async function v2Answers(api: Api, body: string, n: number): Promise<string[]> {
  const created = await api.call(CREATE, { body });
  const { id } = created.json();
  const at = api.clock.now();
  const trxId = bkashId(at, n);
  await api.shop.receive(bkashText({ taka: '600.00', trxId, at }));
  const ask = () => api.call(VERIFY, { body: { id, method: 'mfs_a', transaction_id: trxId } });
  return [(await ask()).body, (await ask()).body];
}

test('v2: an object comes back as it was sent, paid and under review', async (t) => {
  const api = await openApi(t);
  let n = 0;
  for (const meta of METAS) {
    for (const amount of ['600', '500']) {
      for (const sent of [meta, JSON.stringify(meta)]) {
        n += 1;
        const body = `{"cus_name":"R","amount":${amount},"meta_data":${sent}}`;
        for (const answer of await v2Answers(api, body, n)) {
          t.true(answer.includes(`,"meta_data":${meta},"payment_method":"mfs_a",`), answer);
          t.notThrows(() => JSON.parse(answer));
        }
      }
    }
  }
});

test('v1: the same in every shape of request and of answer', async (t) => {
  const api = await openApi(t);
  const asJson = (meta: string) =>
    api.call(HOSTED_CREATE, { body: `${JSON.stringify(ORDER).slice(0, -1)},"metadata":${meta}}` });
  for (const meta of [...METAS, ...ODD_TEXTS]) {
    const fields = { ...ORDER, meta_data: meta };
    const created = [
      ...(METAS.includes(meta) ? [await asJson(meta)] : []),
      await asJson(JSON.stringify(meta)),
      await api.call(HOSTED_CREATE, form(fields)),
      await api.call(HOSTED_CREATE, multipart(fields)),
      await api.call(query(fields), { method: 'GET' }),
    ];
    for (const response of created) {
      const ask = () => api.call(HOSTED_VERIFY, { body: { transaction_id: referenceOf(response) } });
      await setBrand(api, { dialect: 'standard', metadata_as: 'object' });
      const standard = await ask();
      t.true(standard.body.includes(`,"meta_data":${meta},"payment_method":null,`), standard.body);
      t.regex(String(standard.headers['content-type']), /^application\/json/);
      await setBrand(api, { metadata_as: 'string' });
      t.is((await ask()).json().data.meta_data, meta);
      await setBrand(api, { dialect: 'flat' });
      const { meta_data, metadata, data } = (await ask()).json();
      t.deepEqual([data.meta_data, data.metadata], [meta, meta]);
      t.deepEqual([meta_data, metadata], [undefined, undefined], 'of what is not completed');
      await setBrand(api, { metadata_as: 'object' });
      const flat = await ask();
      t.is(flat.body.split(meta).length, 3, flat.body);
      t.is(flat.json().status, 'PENDING');
    }
  }
});

test('half a character comes back as JSON spells it', async (t) => {
  const api = await openApi(t);
  const body = JSON.stringify({ cus_name: 'R', amount: 600, meta_data: '{"a":"\ud83d","b\ude00":"😀"}' });
  for (const answer of await v2Answers(api, body, 1)) {
    t.true(answer.includes('"meta_data":{"a":"\\ud83d","b\\ude00":"😀"}'), answer);
  }
});

test('the limits are those of any other object', async (t) => {
  const api = await openApi(t);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1.50${'}'.repeat(levels)}`;
  const wide = (bytes: number) => `{"n":1.50,"a":"${'x'.repeat(bytes - '{"n":1.50,"a":""}'.length)}"}`;
  for (const [meta, status] of [
    [deep(8), 200],
    [deep(9), 400],
    [wide(8192), 200],
    [wide(8193), 400],
    ['[1.50]', 400],
    ['1.50', 400],
  ] as const) {
    for (const sent of [meta, JSON.stringify(meta)]) {
      const response = await api.call(CREATE, { body: `{"cus_name":"R","amount":5,"meta_data":${sent}}` });
      t.is(response.statusCode, status, `${meta.slice(0, 40)}: ${response.body}`);
    }
  }
});
