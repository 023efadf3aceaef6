/** The two ports: what TLS is offered, what plain HTTP is answered, whose word counts as HTTPS. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { loadCertificate } from '../../src/actions/installation/certificate.js';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { openTestCore, temporaryFolder, testClock } from '../helpers/stores/engines.js';
import { CREATE } from './api.js';
import { openPorts, openTlsWire, openWire, requestText, statusCodes } from './wire.js';

const YEAR_MS = 365 * 86_400_000;
const HTTPS_REQUIRED = 'HTTPS is required; plain HTTP requests are rejected';

async function plain(t: ExecutionContext<unknown>, port: number, line: string, headers = {}, body = '') {
  const wire = openWire(t, port);
  wire.socket.write(requestText(line, { connection: 'close', ...headers }, body));
  return wire.closed;
}

async function secure(t: ExecutionContext<unknown>, port: number, line: string, headers = {}, body = '') {
  const wire = await openTlsWire(t, port);
  wire.socket.write(requestText(line, { connection: 'close', ...headers }, body));
  return wire.closed;
}

const json = (body: object, headers: object = {}) => {
  const text = JSON.stringify(body);
  return [
    { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
    text,
  ] as const;
};

test('TLS 1.2 and 1.3 are spoken, 1.1 is not', async (t) => {
  const { httpsPort } = await openPorts(t);
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const { socket } = await openTlsWire(t, httpsPort, { minVersion: version, maxVersion: version });
    t.is(socket.getProtocol(), version);
  }
  const old = connect({
    host: '127.0.0.1',
    port: httpsPort,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    // Without this the client's own library refuses before a byte is sent, and the server is not asked.
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  const [error] = (await once(old, 'error')) as [Error & { code?: string }];
  t.regex(error.code ?? '', /ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION/);
});

test('a client that knows no more than HTTP/1.0 is spoken to', async (t) => {
  const { httpsPort } = await openPorts(t);
  for (const ALPNProtocols of [['http/1.0'], ['h2', 'http/1.1'], ['http/1.0', 'http/1.1']]) {
    const { socket, closed } = await openTlsWire(t, httpsPort, { ALPNProtocols });
    t.is(socket.alpnProtocol, ALPNProtocols.includes('http/1.1') ? 'http/1.1' : 'http/1.0');
    socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    t.deepEqual(statusCodes(await closed), [200]);
  }
});

test('the self-signed certificate is good for its names, kept for years, and its key is private', async (t) => {
  const { core, serving, httpsPort, logLines } = await openPorts(t);
  const file = join(core.home.tlsFolder, 'cert.pem');
  const certificate = new X509Certificate(readFileSync(file));
  t.is(statSync(join(core.home.tlsFolder, 'key.pem')).mode & 0o777, 0o600);
  t.is(statSync(core.home.tlsFolder).mode & 0o777, 0o700);
  t.is(certificate.checkHost('localhost'), 'localhost');
  for (const ip of ['127.0.0.1', '::1']) t.is(certificate.checkIP(ip), ip);
  t.is(certificate.fingerprint256.replaceAll(':', '').toLowerCase(), serving.fingerprint);
  t.true(logLines.some((line) => line.includes(serving.fingerprint) && line.includes('valid_until')));
  // Trusted by its file alone, as a shop's server would, with the name checked.
  const { socket } = await openTlsWire(t, httpsPort, {
    host: 'localhost',
    ca: readFileSync(file),
    rejectUnauthorized: true,
  });
  t.true(socket.authorized);
});

test('the certificate stays the same over restarts until it has run out', async (t) => {
  const folder = await temporaryFolder(t);
  const clock = testClock(Date.now());
  const core = await openTestCore(t, 'sqlite', { folder, clock });
  const [first, second] = [await loadCertificate(core), await loadCertificate(core)];
  t.is(second.fingerprint, first.fingerprint);
  clock.advance(9 * YEAR_MS);
  t.is((await loadCertificate(core)).fingerprint, first.fingerprint);
  clock.advance(2 * YEAR_MS);
  const renewed = await loadCertificate(core);
  t.not(renewed.fingerprint, first.fingerprint);
  t.true(renewed.validUntil > clock.now());
});

test('two daemons that start at once on one home serve one certificate', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const all = await Promise.all([1, 2, 3, 4].map(() => loadCertificate(core)));
  t.is(new Set(all.map((certificate) => certificate.fingerprint)).size, 1);
});

test('refuses a certificate without its key, with another key or that is invalid', async (t) => {
  const folder = await temporaryFolder(t);
  const [one, two] = [await openTestCore(t, 'sqlite'), await openTestCore(t, 'sqlite')];
  await Promise.all([loadCertificate(one), loadCertificate(two)]);
  const cert = join(one.home.tlsFolder, 'cert.pem');
  const otherKey = join(two.home.tlsFolder, 'key.pem');
  const garbage = join(folder, 'garbage.pem');
  writeFileSync(garbage, 'not a certificate');
  for (const given of [
    { tlsCert: cert },
    { tlsKey: otherKey },
    { tlsCert: cert, tlsKey: otherKey },
    { tlsCert: garbage, tlsKey: otherKey },
    { tlsCert: join(folder, 'absent'), tlsKey: otherKey },
  ]) {
    const core = await openTestCore(t, 'sqlite', { given });
    await t.throwsAsync(loadCertificate(core), { code: 'config_invalid' }, JSON.stringify(given));
  }
});

test('a reload serves the new files, and a broken new file leaves the present one', async (t) => {
  const [one, two] = [await openTestCore(t, 'sqlite'), await openTestCore(t, 'sqlite')];
  const [first, second] = [await loadCertificate(one), await loadCertificate(two)];
  const folder = join(await temporaryFolder(t), 'tls');
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const install = (core: typeof one) => {
    for (const name of ['cert.pem', 'key.pem'])
      copyFileSync(join(core.home.tlsFolder, name), join(folder, name));
  };
  mkdirSync(folder);
  install(one);
  const { serving, httpsPort, logLines } = await openPorts(t, { given: { tlsCert, tlsKey } });
  const served = async () => {
    const { socket } = await openTlsWire(t, httpsPort);
    return socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
  };
  t.is(await served(), first.fingerprint);
  install(two);
  t.is(await served(), first.fingerprint);
  await serving.reload();
  t.is(await served(), second.fingerprint);
  writeFileSync(tlsKey, 'broken');
  await serving.reload();
  t.is(await served(), second.fingerprint);
  t.true(logLines.some((line) => line.includes('not reloaded')));
  const old = connect({
    host: '127.0.0.1',
    port: httpsPort,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  const [error] = (await once(old, 'error')) as [Error & { code?: string }];
  t.regex(error.code ?? '', /PROTOCOL_VERSION/);
});

test('plain HTTP is refused for the API and every method but GET, and redirected for pages', async (t) => {
  const { httpPort, httpsPort, shop, core } = await openPorts(t);
  const order = json({ cus_name: 'R', amount: 5 }, { 'brand-key': shop.brandKey });
  for (const line of [`POST ${CREATE}`, 'POST /', 'PUT /x', 'DELETE /healthz']) {
    const text = await plain(t, httpPort, line, ...order);
    t.deepEqual(statusCodes(text), [403], line);
    t.true(text.includes(HTTPS_REQUIRED));
  }
  for (const path of [
    '/api',
    '/api/',
    CREATE,
    '/API/v2',
    '/x/../api/v2',
    '/%61pi',
    'http://localhost/api/x',
    `/${CREATE}?api_key=bk_x`,
    '///api//v2',
    '/\\/api/v2',
    '/x/..//api/v2',
    'http://localhost//api/x',
    '//api/execute/../payment/create',
    '/mobile/v1/message',
  ]) {
    const text = await plain(t, httpPort, `GET ${path}`);
    t.deepEqual(statusCodes(text), [path === '/%61pi' ? 308 : 403], path);
  }
  const page = await plain(t, httpPort, 'GET /pay?x=1', { host: 'shop.example:8080' });
  t.deepEqual(statusCodes(page), [308]);
  t.regex(page, new RegExp(`^location: https://shop\\.example:${httpsPort}/pay\\?x=1\r$`, 'im'));
  const root = await plain(t, httpPort, 'GET /', { host: 'shop.example' });
  t.regex(root, new RegExp(`^location: https://shop\\.example:${httpsPort}/\r$`, 'im'));
  const link = `/api/execute/${'a'.repeat(32)}`;
  for (const line of [`GET ${link}`, `HEAD ${link}`, `GET /${link}`]) {
    const text = await plain(t, httpPort, line, { host: 'shop.example' });
    t.deepEqual(statusCodes(text), [308], line);
    t.regex(text, new RegExp(`^location: https://shop\\.example:${httpsPort}${link}\r$`, 'im'));
  }
  t.deepEqual(statusCodes(await plain(t, httpPort, `HEAD ${CREATE}`)), [403]);
  for (const host of ['evil.example/path', 'a b', 'user@evil.example', '']) {
    t.deepEqual(statusCodes(await plain(t, httpPort, 'GET /pay', { host })), [403], host);
  }
  const spoofed = await plain(
    t,
    httpPort,
    `POST ${CREATE}`,
    { ...order[0], 'x-forwarded-proto': 'https' },
    order[1],
  );
  t.deepEqual(statusCodes(spoofed), [403]);
  const sessions = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.is(sessions.length, 0);
});

test('behind a trusted proxy its last X-Forwarded-Proto decides, on both ports', async (t) => {
  const { httpPort, httpsPort, shop } = await openPorts(t, { env: { KASHBOX_TRUST_PROXY: '127.0.0.1/32' } });
  const post = async (proto: string | undefined, send: typeof plain, port: number) => {
    const forwarded = proto === undefined ? {} : { 'x-forwarded-proto': proto };
    const order = json({ cus_name: 'R', amount: 5 }, { 'brand-key': shop.brandKey, ...forwarded });
    return statusCodes(await send(t, port, `POST ${CREATE}`, ...order))[0];
  };
  t.is(await post('https', plain, httpPort), 200);
  t.is(await post('http, HTTPS', plain, httpPort), 200);
  t.is(await post('https, http', plain, httpPort), 403);
  t.is(await post('http', plain, httpPort), 403);
  t.is(await post(undefined, plain, httpPort), 403);
  t.is(await post('http', secure, httpsPort), 403);
  t.is(await post(undefined, secure, httpsPort), 200);
});

test('a port that is taken is named, with what to do', async (t) => {
  const { httpsPort, httpPort } = await openPorts(t);
  for (const env of [{ KASHBOX_PORT: String(httpsPort) }, { KASHBOX_HTTP_PORT: String(httpPort) }]) {
    const error = await t.throwsAsync(openPorts(t, { env }), { code: 'port_unavailable' });
    t.regex(error?.message ?? '', /127\.0\.0\.1:\d+ is in use/);
    t.true(isKashboxError(error) && error.hint.startsWith('Stop what uses the port'));
  }
});

test('distinguishes an address that is not of this machine from a port in use', async (t) => {
  for (const host of ['192.0.2.1', '300.1.1.1']) {
    const error = await t.throwsAsync(openPorts(t, { env: { KASHBOX_HOST: host } }));
    t.true(isKashboxError(error, 'port_unavailable') && /--host/.test(error.hint), host);
    t.notRegex(isKashboxError(error) ? error.hint : '', /Stop what uses/);
  }
});
