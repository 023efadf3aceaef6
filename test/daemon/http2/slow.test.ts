/** Clients of HTTP/2 that are slow or silent: each is told where it can be, and cut. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { CREATE } from '../api.js';
import { multipart, PAGES, RETURN } from '../checkout/browser.js';
import { openTlsWire } from '../wire.js';
import {
  answerOf,
  ask,
  block,
  END_HEADERS,
  FRAME,
  frame,
  JSON_TYPE,
  openFrames,
  openHttp2,
  openSession,
  request,
} from './session.js';

/** Ten seconds, and what looking and closing takes on a busy machine; an idle session has 65. */
const CUT_MS = [9_900, 40_000] as const;

const isInTime = (ms: number) => ms >= CUT_MS[0] && ms <= CUT_MS[1];

test('silence, half a preface, settings without an answer and headers in drops are cut after ten seconds', async (t) => {
  const { httpsPort } = await openHttp2(t);
  const begun = performance.now();
  const half = await openTlsWire(t, httpsPort, { ALPNProtocols: ['h2'] });
  half.socket.write('PRI * HTTP/2.0\r\n');
  const silent = await openFrames(t, httpsPort);
  const rude = await openFrames(t, httpsPort);
  rude.beRude();
  rude.send(frame(FRAME.headers, 1 | END_HEADERS, 1, block(request('GET', '/healthz'))));
  const headers = await openFrames(t, httpsPort);
  // Nothing may come between the parts of headers, not even the answer to settings.
  while (headers.of(FRAME.settings).length === 0) await once(headers.socket, 'data');
  headers.send(frame(FRAME.headers, 0, 1, block(request('POST', CREATE))));
  const inFrame = await openFrames(t, httpsPort);
  inFrame.send(frame(FRAME.headers, END_HEADERS, 1, block(request('GET', '/healthz'))).subarray(0, 20));
  // A byte now and then does not keep a request alive, and a ping keeps nobody.
  const drip = setInterval(() => {
    inFrame.send(Buffer.from('x'));
    silent.send(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  }, 3_000);
  const closed = await Promise.all([
    half.closed.then(() => performance.now()),
    ...[silent, rude, headers, inFrame].map((client) => client.closed),
  ]);
  clearInterval(drip);
  t.is(rude.of(FRAME.headers).length, 1, 'it was answered before');
  t.true(
    closed.every((at) => isInTime(at - begun)),
    String(closed.map((at) => at - begun)),
  );
});

test('headers in drops are cut beside a stream that stays open', async (t) => {
  const { core, shop, httpsPort } = await openHttp2(t);
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const client = await openFrames(t, httpsPort);
  const whole = block(request('GET', `${PAGES}/${id}/events?shown=open`));
  client.send(frame(FRAME.headers, 1 | END_HEADERS, 1, whole));
  while (client.of(FRAME.data).length === 0) await once(client.socket, 'data');
  const begun = performance.now();
  client.send(frame(FRAME.headers, 0, 3, block(request('POST', CREATE))));
  t.true(isInTime((await client.closed) - begun));
});

test('a slow body is told so and given up; its session and its other requests go on', async (t) => {
  const { httpsPort, shop } = await openHttp2(t);
  const session = await openSession(t, httpsPort);
  const head = { ':method': 'POST', ':path': CREATE, ...JSON_TYPE, 'brand-key': shop.brandKey };
  const slow = session.request(head);
  const begun = performance.now();
  slow.write('{"cus_name":');
  const drip = setInterval(() => slow.writable && slow.write(' '), 1_000);
  const answer = await answerOf(slow);
  clearInterval(drip);
  t.true(isInTime(performance.now() - begun));
  t.is(answer.status, 408);
  t.is(answer.text, '{"status":false,"message":"The request took too long to arrive"}');
  t.is(answer.code, 0);
  t.is((await ask(session, head, '{"cus_name":"R","amount":5}')).status, 200);
});

test('an upload may take longer than 10 s, a form without a file may not', async (t) => {
  const { core, shop, httpsPort } = await openHttp2(t);
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const { payload, headers } = multipart({ reference: 'A1', token: 'wrong' }, Buffer.alloc(200));
  const cookie = `__Host-kashbox-visitor=${'A'.repeat(22)}`;
  const session = await openSession(t, httpsPort);
  const post = (path: string, more: object) =>
    session.request({ ':method': 'POST', ':path': `${PAGES}/${path}`, cookie, ...more });
  const upload = post(`${id}/bank`, headers);
  const form = post(`${id}/claim`, {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': 9,
  });
  const uploaded = answerOf(upload);
  t.is((await answerOf(form)).status, 408);
  await sleep(1_500);
  upload.end(payload);
  t.is((await uploaded).status, 403, 'it was read whole: its token is wrong');
});
