/** What is asked over HTTP/2 is answered as over HTTP/1: the API, pages, forms, phones, and who may ask. */
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core, CoreOptions } from '../../../src/actions/core/core.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { noise } from '../../helpers/shop/picture.js';
import { bkashId, bkashText, WALLET } from '../../helpers/shop/shop.js';
import { until } from '../../helpers/until.js';
import { CREATE, HOSTED_CREATE, SYNC } from '../api.js';
import { multipart, PAGES, RETURN } from '../checkout/browser.js';
import { formText, ORDER } from '../hosted/orders.js';
import {
  answerOf,
  ask,
  block,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  JSON_TYPE,
  number,
  openFrames,
  openHttp2,
  openSession,
  request,
} from './session.js';

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

async function open(t: ExecutionContext<unknown>, options: Partial<CoreOptions> = {}) {
  const ports = await openHttp2(t, options);
  const session = await openSession(t, ports.httpsPort);
  const { core, shop } = ports;
  const page = async () => {
    const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
    const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
    return `${PAGES}/${id}`;
  };
  return {
    ...ports,
    session,
    page,
    get: (path: string, more = {}) => ask(session, { ':path': path, ...more }),
  };
}

const sessionRows = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());

test('the API answers, refuses and counts as ever, many requests at once', async (t) => {
  const { session, shop, core, get, logLines } = await open(t);
  const head = { ':method': 'POST', ':path': CREATE, ...JSON_TYPE, 'brand-key': shop.brandKey };
  const order = '{"cus_name":"R","amount":5}';
  const made = await Promise.all(Array.from({ length: 20 }, () => ask(session, head, order)));
  t.true(made.every(({ status }) => status === 200));
  t.is((await sessionRows(core)).length, 20);
  t.is(logLines.filter((line) => line.includes(CREATE)).length, 20);
  const refusals = await Promise.all([
    ask(session, head, '{broken'),
    ask(session, { ...head, 'brand-key': 'dead' }, order),
    ask(session, { ...head, ':method': 'PUT' }, order),
    ask(session, { ...head, 'content-type': 'text/plain' }, order),
    get('/nowhere'),
    ask(session, { ':path': '/healthz', ':method': 'HEAD' }),
  ]);
  t.deepEqual(
    refusals.map(({ status }) => status),
    [400, 401, 405, 415, 404, 200],
  );
  t.is(refusals[4]?.text, '{"status":false,"message":"There is nothing at this address"}');
  t.is(refusals[5]?.text, '');
  t.is(refusals[5]?.headers['content-length'], '30');
  const figures = (await get('/metrics')).text;
  const count = (status: string) =>
    new RegExp(`_duration_seconds_count\\{group="headless",status="${status}"\\} (\\d+)`).exec(figures)?.[1];
  t.deepEqual([count('2xx'), count('4xx')], ['20', '4']);
});

test('a body over the limit gets its 413 whole, announced or not, and the session goes on', async (t) => {
  const { session, shop, get } = await open(t);
  const head = { ':method': 'POST', ':path': CREATE, ...JSON_TYPE, 'brand-key': shop.brandKey };
  const bytes = Buffer.alloc(10 * 1024 * 1024, ' ');
  for (const length of [{ 'content-length': bytes.length }, {}]) {
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await ask(session, { ...head, ...length }, bytes);
      t.is(answer.status, 413);
      t.is(answer.text, '{"status":false,"message":"The request body is too large"}');
      t.is(answer.code, 0);
    }
  }
  t.is((await get('/healthz')).status, 200);
});

test('headers over 16 KiB are 431, far over it the stream is reset', async (t) => {
  const { get } = await open(t);
  const answer = await get('/healthz', { 'x-big': 'x'.repeat(17 * 1024) });
  t.is(answer.status, 431);
  t.is(answer.text, '{"status":false,"message":"The request headers are too large"}');
  t.is((await get('/healthz', { 'x-big': 'x'.repeat(40 * 1024) })).status, 0);
  t.is((await get('/healthz', { 'x-big': 'x'.repeat(15 * 1024) })).status, 200);
});

test('a body that is cut off is never read as a whole one, however it ends', async (t) => {
  const { core, shop, httpsPort, logLines } = await open(t);
  const fields = formText({ ...ORDER, amount: '5000' });
  const cut = fields.indexOf('5000') + 2;
  const before = `${fields.slice(0, fields.indexOf('amount'))}${fields.slice(fields.indexOf('success_url'))}`;
  const half = `${before}&amount=${fields.slice(cut - 2, cut)}`;
  const head = block([
    ...request('POST', HOSTED_CREATE),
    ['content-type', FORM_TYPE['content-type']],
    ['brand-key', shop.brandKey],
  ]);
  const begin = [frame(FRAME.headers, END_HEADERS, 1, head), frame(FRAME.data, 0, 1, Buffer.from(half))];
  for (const code of [0, 8]) {
    const client = await openFrames(t, httpsPort);
    client.send(...begin, frame(FRAME.reset, 0, 1, number(code)));
    const later = await openFrames(t, httpsPort);
    later.send(...begin);
    client.send(frame(FRAME.headers, END_STREAM | END_HEADERS, 3, block(request('GET', '/healthz'))));
    await until(() => client.of(FRAME.headers).length > 0);
    later.send(frame(FRAME.reset, 0, 1, number(code)));
    later.send(frame(FRAME.headers, END_STREAM | END_HEADERS, 3, block(request('GET', '/healthz'))));
    await until(() => later.of(FRAME.headers).length > 0);
  }
  const lost = await openFrames(t, httpsPort);
  lost.send(...begin);
  await once(lost.socket, 'data');
  lost.socket.destroy();
  const whole = await openFrames(t, httpsPort);
  whole.send(...begin, frame(FRAME.data, END_STREAM, 1, Buffer.from('00')));
  await until(() => whole.of(FRAME.data).length > 0);
  const rows = await sessionRows(core);
  t.deepEqual(
    rows.map((row) => row.amount_paisa),
    [500_000],
    'only the one that came to its end',
  );
  const isMade = (line: string) => line.includes(HOSTED_CREATE) && line.includes('"status":200');
  t.is(logLines.filter(isMade).length, 1);
});

test('a page, its forms and pictures work, packed for browsers', async (t) => {
  const { core, shop, session, page, get } = await open(t);
  const who = 'test';
  await setAccount(core, {
    brand: 'Alo Store',
    channel: 'mfs_b',
    type: 'personal',
    number: '01811000002',
    details: { qr: '00020101021126' },
    who,
  });
  await setAccount(core, {
    brand: 'Alo Store',
    channel: 'bank',
    type: 'account',
    number: '1501201234567001',
    details: { bank_name: 'Shapla Bank', holder: 'Alo Store', branch: 'Mirpur 10', routing: '123456789' },
    who,
  });
  const path = await page();
  const shown = await get(path, { 'accept-encoding': 'gzip' });
  t.is(shown.headers['content-encoding'], 'gzip');
  const html = gunzipSync(shown.body).toString('utf8');
  const token = /name="token" value="([\w-]{43})"/.exec(html)?.[1] ?? '';
  const cookie = shown.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ') ?? '';
  const authority = 'pay.example.com';
  const own = { ':authority': authority, origin: `https://${authority}`, cookie };
  const post = (form: string, headers: object, body: string | Buffer) =>
    ask(session, { ':method': 'POST', ':path': `${path}/${form}`, ...own, ...headers }, body);
  const trxId = bkashId(core.clock.now(), 1);
  const claim = formText({ token, method: 'mfs_a', transaction_id: trxId });
  t.is((await post('claim', { ...FORM_TYPE, origin: 'https://evil.example' }, claim)).status, 403);
  t.is((await post('claim', { ...FORM_TYPE, ':authority': 'evil.example' }, claim)).status, 403);
  const picture = await get(`${path}/qr/mfs_b/personal`);
  t.is(picture.headers['content-type'], 'image/svg+xml');
  const events = session.request({ ':path': `${path}/events?shown=open`, accept: 'text/event-stream' });
  const heard = answerOf(events);
  const [answered] = await once(events, 'response');
  t.like(answered, { ':status': 200, 'content-type': 'text/event-stream; charset=utf-8' });
  t.false('connection' in answered);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: core.clock.now() }));
  const claimed = await post('claim', FORM_TYPE, claim);
  t.is(claimed.status, 303);
  t.is((await heard).text, 'retry: 3000\n\nevent: moved\ndata: 1\n\n');
  const other = await page();
  const { payload, headers } = multipart({ token, reference: 'A1B2C3' }, noise(400, 400));
  const slip = await ask(
    session,
    { ':method': 'POST', ':path': `${other}/bank`, ...own, ...headers },
    payload,
  );
  t.is(slip.status, 403, 'the token is of another payment');
  const fresh = await get(other, { cookie });
  const rightToken = /name="token" value="([\w-]{43})"/.exec(fresh.text)?.[1] ?? '';
  const right = multipart({ token: rightToken, reference: 'A1B2C3' }, noise(400, 400));
  const head = { ':method': 'POST', ':path': `${other}/bank`, ...own, ...right.headers };
  t.is((await ask(session, head, right.payload)).status, 303);
});

test('a phone syncs, waits and goes; what comes later is not given to who has gone', async (t) => {
  const { core, session, shop } = await open(t);
  const head = { ':method': 'POST', ':path': SYNC, ...JSON_TYPE, 'device-key': shop.deviceKey };
  const text = bkashText({ taka: '500.00', trxId: bkashId(core.clock.now(), 1), at: core.clock.now() });
  const sms = { id: 'm1', sender: 'bKash', body: text, received_at: new Date().toISOString(), sim_slot: 1 };
  const synced = await ask(session, head, JSON.stringify({ messages: [sms] }));
  t.deepEqual(JSON.parse(synced.text).results, [{ id: 'm1', state: 'stored' }], WALLET);
  const waited = await ask(session, head, '{"wait_ms":300}');
  t.is(waited.status, 200);
  const events = session.request({ ':path': '/api/v2/relay/events', 'device-key': shop.deviceKey });
  const [, hello] = await Promise.all([once(events, 'response'), once(events, 'data')]);
  t.is(String(hello), 'retry: 3000\n\n');
  events.close(8);
});

test('one host is meant, and no other is named beside it', async (t) => {
  const { httpsPort } = await open(t, { env: { KASHBOX_TRUST_PROXY: '10.0.0.1' } });
  const client = await openFrames(t, httpsPort);
  const cases: readonly (readonly [headers: [string, string][], status: string])[] = [
    [[...request('GET', '/healthz'), ['host', 'localhost']], '200'],
    [[...request('GET', '/healthz'), ['host', 'LOCALHOST']], '200'],
    [[...request('GET', '/healthz'), ['host', 'b.example']], '400'],
    [[...request('GET', '/healthz').slice(0, 3), ['host', 'b.example']], '200'],
    [[...request('GET', '/healthz').slice(0, 3), ['host', 'b.example'], ['host', 'c.example']], 'none'],
    [request('GET', '/healthz').slice(0, 3), 'none'],
  ];
  for (const [at, [headers, status]] of cases.entries()) {
    const stream = 1 + 2 * at;
    client.send(frame(FRAME.headers, END_STREAM | END_HEADERS, stream, block(headers)));
    const isAbout = (known: { stream: number }) => known.stream === stream;
    await until(() => client.frames.some(isAbout) || client.socket.destroyed);
    const answered = client.of(FRAME.headers).filter(isAbout);
    if (status === 'none') {
      const isRefused =
        answered.length === 0 ||
        client.of(FRAME.data).some(({ payload }) => /more than one host/.test(String(payload)));
      t.true(isRefused, String(at));
      continue;
    }
    await until(() => client.of(FRAME.data).some(isAbout));
    const body = client.of(FRAME.data).find(isAbout)?.payload.toString('utf8');
    t.is(body?.includes('"status":true'), status === '200', `${at} ${body}`);
  }
});

test('links name the host that was meant; a trusted proxy is believed, and nobody else', async (t) => {
  const make = async (options: Partial<CoreOptions>, headers: object) => {
    const { session, shop } = await open(t, options);
    const head = { ':method': 'POST', ':path': HOSTED_CREATE, ...FORM_TYPE, 'brand-key': shop.brandKey };
    const answer = await ask(
      session,
      { ...head, ':authority': 'pay.example.com', ...headers },
      formText(ORDER),
    );
    return answer.status === 200 ? new URL(JSON.parse(answer.text).payment_url).host : answer.status;
  };
  const forwarded = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };
  const trusting = { env: { KASHBOX_TRUST_PROXY: '127.0.0.1/32' } };
  t.is(await make({}, {}), 'pay.example.com');
  t.is(await make({}, { ...forwarded, 'x-forwarded-proto': 'http' }), 'pay.example.com');
  t.is(await make(trusting, forwarded), 'shop.example');
  t.is(await make(trusting, { ...forwarded, 'x-forwarded-proto': 'https, http' }), 403);
});

test('seats of event streams are counted over all sessions', async (t) => {
  const { page, session, httpsPort } = await open(t, { env: { KASHBOX_CHECKOUT_STREAMS: '3' } });
  const other = await openSession(t, httpsPort);
  const path = await page();
  const listen = async (at: typeof session) => {
    const stream = at.request({ ':path': `${path}/events?shown=open` });
    stream.on('error', () => {});
    const [headers] = await once(stream, 'response');
    return { stream, status: headers[':status'] };
  };
  const streams = [await listen(session), await listen(session), await listen(other)];
  t.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is((await listen(other)).status, 503);
  streams[0]?.stream.close(8);
  await until(async () => (await listen(session)).status === 200);
});
