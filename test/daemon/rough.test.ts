/** Clients that are slow, too big or no HTTP at all: each is answered and cut. */
import { once } from 'node:events';
import { request } from 'node:https';
import test from 'ava';
import { CREATE } from './api.js';
import { openPorts, openTlsWire, openWire, requestText, statusCodes } from './wire.js';

const JSON_TYPE = { 'content-type': 'application/json' };

test('slow headers, slow bodies and silent connections are cut, on both ports', async (t) => {
  const { httpsPort, httpPort } = await openPorts(t);
  const [headers, body, silent, plain] = [
    await openTlsWire(t, httpsPort),
    await openTlsWire(t, httpsPort),
    await openTlsWire(t, httpsPort),
    openWire(t, httpPort),
  ];
  const handshake = openWire(t, httpsPort);
  headers.socket.write(`POST ${CREATE} HTTP/1.1\r\nhost: x\r\n`);
  body.socket.write(requestText(`POST ${CREATE}`, { ...JSON_TYPE, 'content-length': 1000 }, '{"cus_name":'));
  plain.socket.write('GET / HTTP/1.1\r\nho');
  // A byte now and then does not keep a request alive.
  const drip = setInterval(() => {
    headers.socket.write('x');
    body.socket.write(' ');
  }, 1_000);
  const all = await Promise.all([headers, body, silent, plain].map((wire) => wire.closed));
  clearInterval(drip);
  for (const text of all) {
    t.deepEqual(statusCodes(text), [408]);
    t.true(text.endsWith('{"status":false,"message":"The request took too long to arrive"}'));
  }
  t.is(await handshake.closed, '');
});

test('headers over 16 KiB are 431', async (t) => {
  const { httpsPort } = await openPorts(t);
  const wire = await openTlsWire(t, httpsPort);
  wire.socket.write(requestText('GET /healthz', { 'x-big': 'x'.repeat(17 * 1024) }));
  const text = await wire.closed;
  t.deepEqual(statusCodes(text), [431]);
  t.true(text.endsWith('{"status":false,"message":"The request headers are too large"}'));
});

const broken: [name: string, bytes: string][] = [
  ['two lengths', requestText(`POST ${CREATE}`, { 'content-length': '5\r\ncontent-length: 6' }, 'hello')],
  [
    'a length and chunks',
    requestText(`POST ${CREATE}`, { 'content-length': 5, 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
  ],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a control character in a header', requestText('GET /healthz', { 'x-a': 'b\u0001c' })],
  ['a bare line feed', 'GET /healthz HTTP/1.1\nhost: x\n\n'],
];
for (const [name, bytes] of broken) {
  test(`a request with ${name} is 400 and the connection is closed`, async (t) => {
    const { httpsPort } = await openPorts(t);
    const wire = await openTlsWire(t, httpsPort);
    wire.socket.write(bytes);
    const text = await wire.closed;
    t.deepEqual(statusCodes(text), [400]);
    t.regex(text, /\{"status":false,"message":"The request is not valid HTTP \(HPE_[A-Z_]+\)"\}$/);
  });
}

for (const announced of [true, false]) {
  for (const connection of ['close', 'keep-alive']) {
    const how = `${announced ? 'announced' : 'in chunks'}, connection: ${connection}`;
    test(`a client that pours ten megabytes (${how}) gets its 413 whole and no reset`, async (t) => {
      const { serving, shop } = await openPorts(t);
      const bytes = Buffer.alloc(10 * 1024 * 1024, ' ');
      const length = announced ? { 'content-length': bytes.length } : {};
      const sent = request(`${serving.https}${CREATE}`, {
        method: 'POST',
        rejectUnauthorized: false,
        headers: { ...JSON_TYPE, ...length, connection, 'brand-key': shop.brandKey },
      });
      let fault: Error | undefined;
      sent.on('error', (error) => {
        fault = error;
      });
      sent.end(bytes);
      const [[response]] = await Promise.all([once(sent, 'response'), once(sent, 'finish')]);
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      t.is(response.statusCode, 413);
      t.is(text, '{"status":false,"message":"The request body is too large"}');
      t.is(fault, undefined);
    });
  }
}

test('a client that asked to close is answered, read to its end and then closed, on both ports', async (t) => {
  const { httpsPort, httpPort, shop } = await openPorts(t);
  const body = 'x'.repeat(1024 * 1024);
  const headers = {
    ...JSON_TYPE,
    'brand-key': shop.brandKey,
    'content-length': body.length,
    connection: 'close',
  };
  const cases = [
    { wire: await openTlsWire(t, httpsPort), line: `POST ${CREATE}`, status: 413 },
    { wire: await openTlsWire(t, httpsPort), line: `PUT ${CREATE}`, status: 405 },
    { wire: await openTlsWire(t, httpsPort), line: 'POST /nowhere', status: 404 },
    { wire: openWire(t, httpPort), line: `POST ${CREATE}`, status: 403 },
  ];
  for (const { wire, line, status } of cases) {
    wire.socket.write(requestText(line, headers, body.slice(0, 1000)));
    while (statusCodes(wire.received()).length === 0) await once(wire.socket, 'data');
    const rest = once(wire.socket, 'finish');
    wire.socket.end(body.slice(1000));
    await rest;
    t.deepEqual(statusCodes(await wire.closed), [status], line);
    t.is(wire.socket.errored, null, line);
  }
});

test('one connection carries many requests, also after refusals', async (t) => {
  const { httpsPort, shop } = await openPorts(t);
  const wire = await openTlsWire(t, httpsPort);
  const post = (body: string) =>
    requestText(
      `POST ${CREATE}`,
      { ...JSON_TYPE, 'brand-key': shop.brandKey, 'content-length': body.length },
      body,
    );
  wire.socket.write(post('{"cus_name":"R","amount":5}'));
  wire.socket.write(post('{broken'));
  wire.socket.write(requestText('GET /nowhere', {}));
  wire.socket.write(requestText(`PUT ${CREATE}`, { 'content-length': 3 }, 'abc'));
  wire.socket.write(post('{"cus_name":"R","amount":5}'));
  wire.socket.write(requestText('GET /healthz', { connection: 'close' }));
  t.deepEqual(statusCodes(await wire.closed), [200, 400, 404, 405, 200, 200]);
});

test('a body in an encoding of its own is refused on the wire by its encoding', async (t) => {
  const { httpsPort, shop } = await openPorts(t);
  const wire = await openTlsWire(t, httpsPort);
  const headers = {
    ...JSON_TYPE,
    'brand-key': shop.brandKey,
    'content-encoding': 'gzip',
    connection: 'close',
  };
  wire.socket.write(requestText(`POST ${CREATE}`, { ...headers, 'content-length': 4 }, '\u001f\u000b\b\0'));
  t.deepEqual(statusCodes(await wire.closed), [415]);
});

test('draining answers what is under way, closes what is idle, and takes nobody new', async (t) => {
  const { serving, httpsPort, shop } = await openPorts(t);
  const [idle, busy] = [await openTlsWire(t, httpsPort), await openTlsWire(t, httpsPort)];
  idle.socket.write(requestText('GET /healthz', {}));
  await once(idle.socket, 'data');
  const body = '{"cus_name":"R","amount":5}';
  const half = { ...JSON_TYPE, 'brand-key': shop.brandKey, 'content-length': body.length };
  busy.socket.write(requestText(`POST ${CREATE}`, half, body.slice(0, 10)));
  // The server has seen the request once it answers something that came later.
  const probe = await openTlsWire(t, httpsPort);
  probe.socket.write(requestText('GET /healthz', { connection: 'close' }));
  await probe.closed;
  const drained = serving.drain();
  await idle.closed;
  await t.throwsAsync(openTlsWire(t, httpsPort), { code: 'ECONNREFUSED' });
  busy.socket.write(body.slice(10));
  t.deepEqual(statusCodes(await busy.closed), [200]);
  await drained;
});
