/** What the reference tells banks: its examples are taken as they stand, and its answers are those given. */
import test from 'ava';
import { openBank, sign } from '../../helpers/shop/bank.js';
import { openApi } from '../api.js';
import { formText } from '../hosted/orders.js';
import { judgeOf, operationNamed, readDocument } from '../reference/documented.js';

const PUSH = '/api/v2/acquirer/push';

test('banks: the documented pushes are taken, and all answers are as documented', async (t) => {
  const api = await openApi(t);
  const { key, secret } = await openBank(api.core, api.shop);
  const document = await readDocument(api);
  const judge = judgeOf(document);
  const send = async (body: string, type: string, signature = sign(secret, body)) => {
    const headers = { 'acquirer-key': key, 'x-signature': signature, 'content-type': type };
    const response = await api.callBare(PUSH, { body, headers });
    judge.holds(t, `POST ${PUSH}`, response);
    return response;
  };
  const { content = {} } = operationNamed(document, `POST ${PUSH}`).requestBody ?? {};
  const states: string[] = [];
  for (const [type, { example }] of Object.entries(content)) {
    const fields = example as Readonly<Record<string, string>>;
    const body = type === 'application/json' ? JSON.stringify(fields) : formText(fields);
    states.push((await send(body, type)).json().data.state);
  }
  t.deepEqual(states, ['stored', 'duplicate']);
  t.is((await send('{', 'application/json')).statusCode, 202);
  t.is((await send('{}', 'application/json', 'none')).statusCode, 401);
  t.is((await send(' '.repeat(70_000), 'application/json')).statusCode, 413);
});
