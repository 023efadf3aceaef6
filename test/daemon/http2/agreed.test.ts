/** Which protocol a connection of the HTTPS port agrees on, and how sessions end with the daemon. */
import { once } from 'node:events';
import test from 'ava';
import { offersHttp2 } from '../../../daemon/http/http2.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { CREATE } from '../api.js';
import { PAGES, RETURN } from '../checkout/browser.js';
import { openPorts, openTlsWire, requestText, statusCodes } from '../wire.js';
import { answerOf, ask, JSON_TYPE, openHttp2, openSession } from './session.js';

test('HTTP/2 comes first, and whoever knows only HTTP/1 gets that', async (t) => {
  const { httpsPort } = await openHttp2(t);
  for (const [offered, agreed] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [['http/1.0'], 'http/1.0'],
    [[], false],
  ] as const) {
    const { socket, closed } = await openTlsWire(t, httpsPort, { ALPNProtocols: [...offered] });
    t.is(socket.alpnProtocol, agreed);
    if (agreed === 'h2') continue;
    socket.write(requestText('GET /healthz', { connection: 'close' }));
    t.deepEqual(statusCodes(await closed), [200]);
  }
});

test('the operator may turn it off; by itself it is there where Node has its fixes', async (t) => {
  const { httpsPort } = await openPorts(t, { env: { KASHBOX_HTTP2: 'off' } });
  const { socket } = await openTlsWire(t, httpsPort, { ALPNProtocols: ['h2', 'http/1.1'] });
  t.is(socket.alpnProtocol, 'http/1.1');
  await t.throwsAsync(openPorts(t, { env: { KASHBOX_HTTP2: 'yes' } }), { code: 'config_invalid' });
  const auto = await openPorts(t);
  const wire = await openTlsWire(t, auto.httpsPort, { ALPNProtocols: ['h2', 'http/1.1'] });
  t.is(wire.socket.alpnProtocol, offersHttp2('auto', process.versions.node) ? 'h2' : 'http/1.1');
  for (const version of ['22.23.2', '22.24.0', '24.18.1', '24.21.0', '26.5.1', '26.10.0', '28.0.0']) {
    t.true(offersHttp2('auto', version), version);
    t.false(offersHttp2('off', version), version);
  }
  for (const version of [
    '20.19.0',
    '20.20.2',
    '22.23.1',
    '22.9.9',
    '23.11.1',
    '24.18.0',
    '25.9.9',
    '26.5.0',
  ]) {
    t.false(offersHttp2('auto', version), version);
    t.true(offersHttp2('on', version), version);
  }
});

test('draining answers what is under way, ends streams and idle sessions at once, and takes nothing new', async (t) => {
  const { serving, core, shop, httpsPort } = await openHttp2(t);
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const [idle, busy, listening] = await Promise.all([1, 2, 3].map(() => openSession(t, httpsPort)));
  if (idle === undefined || busy === undefined || listening === undefined) throw new Error('no sessions');
  t.is((await ask(idle, { ':path': '/healthz' })).status, 200);
  const pages = Array.from({ length: 3 }, () =>
    listening.request({ ':path': `${PAGES}/${id}/events?shown=open` }),
  );
  const heard = pages.map((stream) => answerOf(stream));
  await Promise.all(pages.map((stream) => once(stream, 'response')));
  const body = '{"cus_name":"R","amount":5}';
  const head = { ':method': 'POST', ':path': CREATE, ...JSON_TYPE, 'brand-key': shop.brandKey };
  const half = busy.request(head);
  half.write(body.slice(0, 10));
  // The server has seen the request once it answers something that came later.
  await ask(busy, { ':path': '/healthz' });
  const begun = performance.now();
  const drained = serving.drain().then(() => performance.now() - begun);
  await Promise.all([once(idle, 'close'), once(listening, 'close')]);
  t.true(performance.now() - begun < 2_000);
  for (const answer of heard) t.like(await answer, { status: 200, text: 'retry: 3000\n\n', code: 0 });
  await t.throwsAsync(openTlsWire(t, httpsPort), { code: 'ECONNREFUSED' });
  // Node's client refuses at once or, from 24 on, once the session has ended.
  const late = (async () => (await ask(busy, { ':path': '/healthz' })).status)().catch(() => 0);
  half.end(body.slice(10));
  const answer = await answerOf(half);
  t.is(answer.status, 200);
  t.false('connection' in answer.headers);
  t.is(await late, 0);
  t.true((await drained) < 3_000);
});

test('a client that never ends its request or hangs up does not hold up the end for ever', async (t) => {
  const { serving, shop, httpsPort } = await openHttp2(t);
  const session = await openSession(t, httpsPort);
  const stream = session.request({
    ':method': 'POST',
    ':path': CREATE,
    'brand-key': shop.brandKey,
    ...JSON_TYPE,
  });
  stream.on('error', () => {});
  stream.write('{');
  await ask(session, { ':path': '/healthz' });
  const begun = performance.now();
  await serving.drain();
  t.true(performance.now() - begun < 13_000);
});
