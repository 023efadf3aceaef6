/** The one bounded call: everything that a server can draw out, pile up or break off. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { callHttp, type HttpCall, type HttpResult } from '../../src/channels/http.js';
import { mayCall } from '../../src/channels/sources.js';
import { tlsPair } from '../helpers/network/tls-pair.js';

async function serve(t: ExecutionContext, listener: RequestListener): Promise<{ server: Server; url: URL }> {
  const server = createServer(listener);
  return { server, url: await listening(t, server, 'http') };
}

async function listening(t: ExecutionContext, server: Server, scheme: string): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

function call(url: URL, changed: Partial<HttpCall> = {}): Promise<HttpResult> {
  return callHttp({ method: 'GET', url, headers: {}, deadlineMs: 5_000, maxBytes: 1_000, ...changed });
}

/** What went wrong, by its name. */
async function failureOf(t: ExecutionContext, listener: RequestListener, changed: Partial<HttpCall> = {}) {
  const { url } = await serve(t, listener);
  const result = await call(url, changed);
  return result.outcome === 'failed' ? result.kind : result.status;
}

test('sends the request as given, without asking for compression', async (t) => {
  const { url } = await serve(t, (request, response) => {
    const { method, url: path, headers } = request;
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      response.writeHead(201, { 'X-Told': 'Yes', 'set-cookie': ['a=1', 'b=2'] });
      response.end(
        JSON.stringify({ method, path, key: headers['x-key'], coding: headers['accept-encoding'], body }),
      );
    });
  });
  const result = await call(new URL('/a?b=c', url), {
    method: 'POST',
    headers: { 'x-key': 'k' },
    body: 'টাকা',
  });
  if (result.outcome !== 'answered') return t.fail(result.detail);
  t.is(result.status, 201);
  t.like(result.headers, { 'x-told': 'Yes', 'set-cookie': 'a=1, b=2' });
  t.deepEqual(JSON.parse(result.text), { method: 'POST', path: '/a?b=c', key: 'k', body: 'টাকা' });
});

test('silence, a slow beginning and a trickle all end at the one deadline', async (t) => {
  const deadlineMs = 300;
  t.is(await failureOf(t, () => {}, { deadlineMs }), 'timeout');
  const headless: RequestListener = (_request, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => response.socket?.write('x: y\r\n'), 20);
    response.on('close', () => clearInterval(drip));
  };
  t.is(await failureOf(t, headless, { deadlineMs }), 'timeout');
  const trickle: RequestListener = (_request, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  };
  t.is(await failureOf(t, trickle, { deadlineMs }), 'timeout');
});

test('reads no more than the limit, with or without a content length', async (t) => {
  const endless: RequestListener = (_request, response) => {
    const pour = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', pour);
    };
    pour();
  };
  t.is(await failureOf(t, endless), 'too_large');
  const long: RequestListener = (_request, response) => void response.end('x'.repeat(1_000));
  t.is(await failureOf(t, long), 'too_large');
  t.is(await failureOf(t, long, { maxBytes: 1_001 }), 200);
});

test('a redirect is an answer, and where it leads nobody calls', async (t) => {
  let calls = 0;
  const status = await failureOf(t, (_request, response) => {
    calls += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  t.is(status, 302);
  t.is(calls, 1);
});

test('an error of the server is an answer, and is not asked for again', async (t) => {
  let calls = 0;
  const status = await failureOf(t, (_request, response) => {
    calls += 1;
    response.writeHead(503, { 'retry-after': '0' }).end();
  });
  t.is(status, 503);
  t.is(calls, 1);
});

test('fails on a broken connection, a non-HTTP answer or a protocol switch', async (t) => {
  t.is(await failureOf(t, (request) => void request.socket.destroy()), 'unreachable');
  t.is(await failureOf(t, (request) => void request.socket.end('220 mail ready\r\n')), 'broken');
  const half: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('abc', () => request.socket.destroy());
  };
  t.is(await failureOf(t, half), 'unreachable');
  const upgrade: RequestListener = (request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  };
  t.not(await failureOf(t, upgrade, { headers: { connection: 'upgrade', upgrade: 'x' } }), 200);
  const hints: RequestListener = (_request, response) => {
    const more = setInterval(() => response.writeEarlyHints({ link: '<a>; rel=preload' }), 1);
    response.on('close', () => clearInterval(more));
  };
  t.is(await failureOf(t, hints), 'unreachable');
});

test('fails on oversized headers', async (t) => {
  const status = await failureOf(t, (_request, response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
  });
  t.is(status, 'broken');
});

test('a certificate that nobody vouches for is refused, whatever the environment says', async (t) => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.teardown(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const { cert, key } = await tlsPair();
  const server = createTlsServer({ cert, key }, (_request, response) => void response.end('{}'));
  const url = await listening(t, server, 'https');
  t.deepEqual(await call(url), { outcome: 'failed', kind: 'tls', detail: 'self-signed certificate' });
});

test('plain http is spoken with this machine alone', async (t) => {
  for (const url of [
    'https://node.example/key',
    'http://127.0.0.1:8545',
    'http://[::1]/',
    'http://localhost/',
  ]) {
    t.true(mayCall(new URL(url)), url);
  }
  for (const url of [
    'http://10.0.0.5:8545',
    'http://node.example/',
    'http://127.0.0.1.example/',
    'http://localhost.example/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
  ]) {
    t.false(mayCall(new URL(url)), url);
  }
  t.like(await call(new URL('http://node.example/secret')), { outcome: 'failed', kind: 'plain_http' });
});

test('no result repeats the address, which may hold a key', async (t) => {
  const { url } = await serve(t, (request) => void request.socket.destroy());
  const refused = new URL('/v3/secret?key=secret', url);
  refused.port = '1';
  for (const address of [new URL('/v3/secret', url), refused, new URL('http://secret.example/')]) {
    t.notRegex(JSON.stringify(await call(address)), /secret|127\.0\.0\.1/);
  }
});

test('calls reuse one connection, and none fails because it was closed in the meantime', async (t) => {
  const ports = new Set<number | undefined>();
  const { server, url } = await serve(t, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end('{}');
  });
  for (let index = 0; index < 5; index += 1) t.is((await call(url)).outcome, 'answered');
  t.is(ports.size, 1);
  // The end of the connection and the next question meet half way.
  server.closeIdleConnections();
  t.is((await call(url)).outcome, 'answered');
  t.is(ports.size, 2);
});

test('its caller can end a call before its time, and before it has begun', async (t) => {
  let calls = 0;
  const ending = new AbortController();
  const { url } = await serve(t, () => {
    calls += 1;
    ending.abort();
  });
  const result = call(url, { signal: ending.signal });
  t.like(await result, { outcome: 'failed', kind: 'timeout' });
  t.like(await call(url, { signal: ending.signal }), { outcome: 'failed', kind: 'timeout' });
  t.is(calls, 1);
});

test('ignores the proxy settings of the environment', async (t) => {
  let proxied = 0;
  const proxy = await serve(t, (_request, response) => {
    proxied += 1;
    response.end();
  });
  const { url } = await serve(t, (_request, response) => void response.end('{}'));
  process.env.http_proxy = proxy.url.href;
  t.teardown(() => {
    delete process.env.http_proxy;
  });
  t.is((await call(url)).outcome, 'answered');
  t.is(proxied, 0);
});
