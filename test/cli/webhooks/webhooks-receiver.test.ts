/** The local receiver of `webhooks listen`, over real connections on loopback. */
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import {
  type ReceivedNotification,
  type ReceiverOptions,
  startReceiver,
} from '../../../src/cli/webhooks/webhook-receiver.js';
import { signatureHeaders } from '../../../src/notify/signature.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = Date.UTC(2026, 7, 21, 6, 35);
const MIB = 1_048_576;

async function open(t: ExecutionContext, options: Partial<ReceiverOptions> = {}) {
  const received: ReceivedNotification[] = [];
  const refused: string[] = [];
  const receiver = await startReceiver({
    port: 0,
    host: '127.0.0.1',
    status: null,
    secrets: async () => [SECRET],
    now: () => NOW,
    onReceived: (one) => received.push(one),
    onRefused: (reason) => refused.push(reason),
    ...options,
  });
  t.teardown(() => receiver.close());
  const post = async (body: string, headers: Record<string, string> = {}, path = '/') => {
    const url = new URL(path, receiver.url);
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
  return { receiver, received, refused, post };
}

const signed = (content: string, secret = SECRET, at = NOW) =>
  signatureHeaders({ id: 'ntf_1', at, content, secrets: [secret] });

test('a notification is reported with its body and whether its signatures are valid', async (t) => {
  const { received, post } = await open(t);
  const content = '{"event":"ping","name":"আলো"}';
  t.is(await post(content, { ...signed(content), 'content-type': 'application/json' }, '/hook?x=1'), 200);
  t.deepEqual(received, [
    {
      at: NOW,
      id: 'ntf_1',
      times: 1,
      path: '/hook',
      contentType: 'application/json',
      content,
      signature: 'valid',
      standardSignature: 'valid',
      answered: 200,
    },
  ]);
  t.is(await post(`${content} `, signed(content)), 401);
  await post(content, signed(content, OTHER));
  await post(content, signed(content, SECRET, NOW - 301_000));
  await post(content);
  t.deepEqual(
    received.slice(1).map((one) => [one.signature, one.standardSignature, one.answered]),
    [
      ['wrong', 'wrong', 401],
      ['wrong', 'wrong', 401],
      ['too_old', 'too_old', 401],
      ['no_header', 'no_header', 401],
    ],
  );
});

test('repeats of one id are counted, and other ids are not', async (t) => {
  const { received, post } = await open(t);
  for (const id of ['ntf_1', 'ntf_2', 'ntf_1', 'ntf_1']) await post('{}', { 'webhook-id': id });
  t.deepEqual(
    received.map(({ id, times }) => [id, times]),
    [
      ['ntf_1', 1],
      ['ntf_2', 1],
      ['ntf_1', 2],
      ['ntf_1', 3],
    ],
  );
});

test('without a secret nothing is checked, and a secret that is rotated counts from then on', async (t) => {
  let secrets: string[] = [];
  const { received, post } = await open(t, { secrets: async () => secrets });
  t.is(await post('{}', signed('{}')), 200);
  secrets = [OTHER];
  t.is(await post('{}', signed('{}')), 401);
  secrets = [OTHER, SECRET];
  t.is(await post('{}', signed('{}')), 200);
  t.deepEqual(
    received.map(({ signature }) => signature),
    ['unchecked', 'wrong', 'valid'],
  );
});

test('always answers with the configured status, only on its path and only to POST', async (t) => {
  const { receiver, received, refused, post } = await open(t, { status: 503, path: '/hook' });
  t.true(receiver.url.endsWith('/hook'));
  t.is(await post('{}', {}, '/hook'), 503);
  t.is(await post('{}', {}, '/else'), 404);
  t.is((await fetch(receiver.url)).status, 405);
  t.is(received.length, 1);
  t.deepEqual(
    refused.map((reason) => reason.split(':')[0]),
    ['POST /else', 'GET /hook'],
  );
});

test('a body of 1 MiB is taken, a longer one is answered 413 and not kept', async (t) => {
  const { received, refused, post } = await open(t);
  t.is(await post('x'.repeat(MIB)), 401);
  t.is(received[0]?.content.length, MIB);
  t.is(await post('x'.repeat(MIB + 1)), 413);
  t.is(received.length, 1);
  t.regex(refused[0] ?? '', /longer than 1 MiB/);
});

test('a sender that disconnects early is reported and does not stop the receiver', async (t) => {
  const { receiver, received, refused, post } = await open(t);
  const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  while (refused.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.regex(refused[0] ?? '', /broken off/);
  t.deepEqual(received, []);
  t.is(await post('{}'), 401);
});

test('a port that is taken is refused in words', async (t) => {
  const { receiver } = await open(t);
  const port = Number(new URL(receiver.url).port);
  await t.throwsAsync(open(t, { port }), { code: 'port_unavailable', message: /something else listens/ });
});
