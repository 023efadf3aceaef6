/** HTTPS against real servers: who is trusted, and what is cut off. */
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import type { Trust } from '../../src/core/pairing.js';
import type { HttpReply } from '../../src/core/ports.js';
import { type HttpRequest, NodeHttp } from '../../src/ports/node-http.js';
import { makeCertificate, sharedCertificate, TestServer } from '../helpers/server.js';

const SECRET = 'dk_secret_that_must_not_leave';

function never(): AbortSignal {
  return new AbortController().signal;
}

function request(changes: Partial<HttpRequest> = {}): HttpRequest {
  const headers = { 'device-key': SECRET };
  return {
    path: '/api/v2/relay/sync',
    headers,
    body: '{"messages":[]}',
    deadlineMs: 10_000,
    maxAnswerBytes: 1_000_000,
    ...changes,
  };
}

function client(t: ExecutionContext, url: string, trust: Trust): NodeHttp {
  const http = new NodeHttp(url, trust);
  t.teardown(() => http.close());
  return http;
}

async function server(t: ExecutionContext): Promise<TestServer> {
  const started = await TestServer.start(t);
  started.deviceKey = SECRET;
  return started;
}

function pinned(of: TestServer): Trust {
  return { kind: 'pin', sha256: of.certificate.sha256 };
}

test('the pinned certificate is trusted whatever name it carries, and requests arrive whole', async (t) => {
  const other = await TestServer.start(t, await makeCertificate(['10.9.8.7']));
  other.deviceKey = SECRET;
  const reply = await client(t, other.url, pinned(other)).post(request(), never());
  t.is(reply.kind === 'answered' && reply.status, 200);
  t.deepEqual(
    other.seen.map(({ path, key, body }) => [path, key, body]),
    [['/api/v2/relay/sync', SECRET, '{"messages":[]}']],
  );
});

test('with a wrong fingerprint not a byte of the request leaves, key included', async (t) => {
  const real = await server(t);
  const wrong = 'ab'.repeat(32);
  const reply = await client(t, real.url, { kind: 'pin', sha256: wrong }).post(request(), never());
  t.is(reply.kind, 'untrusted');
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(real.plainBytes, 0);
  t.deepEqual(real.seen, []);
});

test('a stranger with a certificate of the same name does not pass the pin', async (t) => {
  const stranger = await TestServer.start(t, await makeCertificate());
  const reply = await client(t, stranger.url, {
    kind: 'pin',
    sha256: (await sharedCertificate()).sha256,
  }).post(request(), never());
  t.is(reply.kind, 'untrusted');
  t.is(stranger.plainBytes, 0);
});

test('a pinned phone trusts a later certificate that an authority signed for the host, and no other', async (t) => {
  const before = getCACertificates();
  t.teardown(() => setDefaultCACertificates(before));
  const [here, elsewhere] = [await makeCertificate(), await makeCertificate(['10.9.8.7'])];
  const trust: Trust = { kind: 'pin', sha256: (await sharedCertificate()).sha256 };
  setDefaultCACertificates([...before, here.cert]);
  const renewed = await TestServer.start(t, here);
  renewed.deviceKey = SECRET;
  const reply = await client(t, renewed.url, trust).post(request(), never());
  t.is(reply.kind === 'answered' && reply.status, 200);
  setDefaultCACertificates([...before, elsewhere.cert]);
  const other = await TestServer.start(t, elsewhere);
  t.is((await client(t, other.url, trust).post(request(), never())).kind, 'untrusted');
  t.is(other.plainBytes, 0);
});

test('the pin is the SHA-256 that openssl and browsers show', async (t) => {
  const { cert, sha256 } = await sharedCertificate();
  t.is(new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase(), sha256);
});

test('without a pin a self-signed certificate is refused and nothing is sent', async (t) => {
  const real = await server(t);
  t.is((await client(t, real.url, { kind: 'system' }).post(request(), never())).kind, 'untrusted');
  t.is(real.plainBytes, 0);
});

test('an authority from a file is trusted for the names of the certificate and no others', async (t) => {
  const good = await server(t);
  const trust: Trust = { kind: 'ca', pem: good.certificate.cert };
  const reply = await client(t, good.url, trust).post(request(), never());
  t.is(reply.kind === 'answered' && reply.status, 200);
  const misnamed = await TestServer.start(t, await makeCertificate(['10.9.8.7']));
  const refused = await client(t, misnamed.url, { kind: 'ca', pem: misnamed.certificate.cert }).post(
    request(),
    never(),
  );
  t.is(refused.kind, 'untrusted');
  t.is((await client(t, misnamed.url, trust).post(request(), never())).kind, 'untrusted');
  t.is(misnamed.plainBytes, 0);
});

test('an answer longer than the limit is cut off, whether or not it says so beforehand', async (t) => {
  const huge = await server(t);
  let sent = 0;
  huge.fault = ({ response }) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && sent < 200_000_000) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536, 0x20))) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
    return true;
  };
  const reply = await client(t, huge.url, pinned(huge)).post(
    request({ maxAnswerBytes: 1024 * 1024 }),
    never(),
  );
  t.is(reply.kind, 'too_long');
  t.true(sent < 50_000_000, `${sent} bytes were sent`);
});

test('an answer that trickles is broken off at the deadline', async (t) => {
  const slow = await server(t);
  slow.fault = ({ response }) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
    return true;
  };
  const reply = await client(t, slow.url, pinned(slow)).post(request({ deadlineMs: 300 }), never());
  t.deepEqual(reply, { kind: 'unreachable', reason: 'no answer in time' });
});

test('a request to a server that never answers ends at the deadline and leaves nothing open', async (t) => {
  let open = 0;
  const mute: Server = createServer((socket) => {
    open += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      open -= 1;
    });
    socket.resume();
  });
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  t.teardown(() => mute.close());
  const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const http = new NodeHttp(url, { kind: 'system' });
  t.is((await http.post(request({ deadlineMs: 200 }), never())).kind, 'unreachable');
  http.close();
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(open, 0);
});

test('a stop breaks the request off, before it begins as well as in flight', async (t) => {
  const slow = await server(t);
  slow.fault = () => true;
  const http = client(t, slow.url, pinned(slow));
  const stop = new AbortController();
  const reply = http.post(request(), stop.signal);
  while (slow.syncs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  t.is((await reply).kind, 'unreachable');
  t.is((await http.post(request(), stop.signal)).kind, 'unreachable');
  t.is(slow.syncs.length, 1);
});

test('a refused connection, a closed socket and half an answer are unreachable', async (t) => {
  const real = await server(t);
  const http = client(t, real.url, pinned(real));
  real.fault = ({ request: incoming }) => {
    incoming.socket.destroy();
    return true;
  };
  t.is((await http.post(request(), never())).kind, 'unreachable');
  real.fault = ({ response }) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"status":true', () => response.destroy());
    return true;
  };
  t.is((await http.post(request(), never())).kind, 'unreachable');
  await real.down();
  t.is((await http.post(request(), never())).kind, 'unreachable');
});

test('a redirect is not followed', async (t) => {
  const real = await server(t);
  real.fault = ({ response }) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
    return true;
  };
  const reply = await client(t, real.url, pinned(real)).post(request(), never());
  t.is(reply.kind === 'answered' && reply.status, 307);
  t.is(real.seen.length, 1);
});

test('a connection is reused between requests, and one closed by the server causes no failure', async (t) => {
  const real = await server(t);
  const http = client(t, real.url, pinned(real));
  const replies: HttpReply[] = [];
  const ports = new Set<number | undefined>();
  real.fault = ({ request: incoming }) => {
    ports.add(incoming.socket.remotePort);
    return false;
  };
  for (let round = 0; round < 3; round++) replies.push(await http.post(request(), never()));
  t.is(ports.size, 1);
  await real.down();
  await real.up();
  replies.push(await http.post(request(), never()));
  t.is(ports.size, 2);
  t.deepEqual(
    replies.map((reply) => reply.kind),
    ['answered', 'answered', 'answered', 'answered'],
  );
});
