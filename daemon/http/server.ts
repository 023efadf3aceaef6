/**
 * The bare HTTP and HTTPS servers: limits on slow and oversized clients, and what plain HTTP is answered.
 * Knows no endpoint.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type TlsFiles, tlsOptions } from '../../src/actions/installation/certificate.js';
import { ERRORS } from '../../src/base/errors/error-table.js';
import { isIpAllowed } from '../../src/domain/accounts/access.js';
import { drainBody, REQUEST_MS } from './body-time.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Sends JSON in the format of every refusal. */
function answerBare(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ status: false, message });
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/**
 * Timers of Node's server. Set here and not in Fastify's options, whose `requestTimeout` is looked at only
 * every 30 s: slow headers and slow bodies would be cut after a minute and a half.
 */
const TIMING = {
  headersTimeout: REQUEST_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 500,
  /**
   * Longer than the 60 s of common proxies, so that we never close a connection while a request is on its
   * way.
   */
  keepAliveTimeout: 65_000,
};
const MAX_HEADER_BYTES = 16 * 1024;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Node names only the first, and TLS refuses clients that offer only the second, such as old PHP. */
const ALPN = ['http/1.1', 'http/1.0'];

/** @returns the certificate for the host name in a client's handshake (SNI); undefined: the default one. */
export type CertificateChoice = (serverName: string) => SecureContext | undefined;

/** @param tls none makes a plain HTTP server. @param choose default: one certificate for every name. */
export function createHttpServer(serve: Handler, tls?: TlsFiles, choose?: CertificateChoice): Server {
  const options = { ...TIMING, maxHeaderSize: MAX_HEADER_BYTES };
  const handler = oneHost(serve);
  if (tls === undefined) return createServer(options, handler);
  const secure = {
    ...options,
    ...tlsOptions(tls),
    ALPNProtocols: ALPN,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    ...(choose === undefined ? {} : { SNICallback: chooseByName(choose) }),
  };
  return createTlsServer(secure, (request, response) => {
    if (request.socket.writableNeedDrain) keepReading(request.socket);
    handler(request, response);
  });
}

type SniCallback = (name: string, done: (error: Error | null, context?: SecureContext) => void) => void;

const chooseByName =
  (choose: CertificateChoice): SniCallback =>
  (name, done) =>
    done(null, choose(name.toLowerCase()));

const ignore = (): void => {};

/**
 * Works around a problem of Node 24 and 26. Node pauses its parser while more than a buffer's worth of
 * answers waits to be written. On TLS it continues to pass decrypted data to the parser, which fails with
 * HPE_PAUSED: a valid request right after a long answer would be refused. A listener for the data puts the
 * socket's own buffer, which does wait, between the two.
 */
function keepReading(socket: Socket): void {
  if (!socket.listeners('data').includes(ignore)) socket.on('data', ignore);
}

/**
 * RFC 9112, 3.2: a second Host header is a 400. Node keeps the first, but a proxy before us may have used the
 * other. Node itself refuses a missing one.
 */
function oneHost(serve: Handler): Handler {
  return (request, response) => {
    const { rawHeaders } = request;
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? '';
      if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts < 2) return serve(request, response);
    drainBody(request, response);
    answerBare(response, ERRORS.invalid_input.status, 'The request names more than one host');
  };
}

interface GateOptions {
  /** True on the TLS port. */
  readonly encrypted: boolean;
  /** Addresses and ranges of proxies whose X-Forwarded-Proto counts. */
  readonly trustProxy: readonly string[];
  /** Path before `/api`. */
  readonly basePath: string;
  /** Port to which plain requests for pages are sent. */
  httpsPort(): number;
}

/**
 * Passes HTTPS requests to `serve`: those of the TLS port, and those that reached a trusted proxy by HTTPS.
 * On plain HTTP it passes only challenges of a certificate authority. API calls, and methods other than GET
 * and HEAD, get 403; pages are redirected with 308.
 */
export function httpsGate(serve: Handler, options: GateOptions): Handler {
  const { encrypted, trustProxy } = options;
  if (encrypted && trustProxy.length === 0) return serve;
  const trusted = new WeakMap<Socket, boolean>();
  const isTrusted = (socket: Socket): boolean => {
    const known = trusted.get(socket);
    if (known !== undefined) return known;
    const answer = trustProxy.length > 0 && isIpAllowed(socket.remoteAddress ?? '', trustProxy);
    trusted.set(socket, answer);
    return answer;
  };
  return (request, response) => {
    const proto = isTrusted(request.socket) ? forwardedProto(request) : undefined;
    const isHttps = proto === undefined ? encrypted : proto === 'https';
    if (isHttps || request.url?.startsWith(CHALLENGE_PATH) === true) serve(request, response);
    else refusePlain(request, response, options);
  };
}

/** Uses only the last value, which is from our own peer; earlier ones cannot be trusted. */
function forwardedProto(request: IncomingMessage): string | undefined {
  const header = request.headers['x-forwarded-proto'];
  const text = Array.isArray(header) ? header.join(',') : header;
  return text?.split(',').at(-1)?.trim().toLowerCase();
}

function refusePlain(request: IncomingMessage, response: ServerResponse, options: GateOptions): void {
  drainBody(request, response);
  const target = redirectTarget(request, options);
  if (target !== null) {
    response.writeHead(308, { location: target, 'content-length': 0 }).end();
    return;
  }
  const { status, message } = ERRORS.https_required;
  answerBare(response, status, message);
}

/** RFC 8555, section 8.3: a certificate authority requests these on plain HTTP. */
export const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** @returns the HTTPS address of the same page, or null where a key may have been sent in the clear. */
function redirectTarget(request: IncomingMessage, options: GateOptions): string | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const host = hostName(request.headers.host);
  // A path that begins with two slashes would be read as another host.
  const target = (request.url ?? '').replace(/^[/\\]+/, '/');
  if (host === null || !URL.canParse(target, `http://${host}`)) return null;
  const url = new URL(target, `http://${host}`);
  const path = url.pathname.toLowerCase().replace(/\/+/g, '/');
  // A program for phones must not be fetched without TLS.
  const base = options.basePath.toLowerCase();
  const isApi = [`${base}/api`, '/api', `${base}/relay`, `${base}/mobile`].some(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`),
  );
  // A payment's page holds no key, and people open links with http.
  if (isApi && !path.startsWith(`${base}/api/execute/`)) return null;
  const port = options.httpsPort();
  return `https://${host}${port === 443 ? '' : `:${port}`}${url.pathname}${url.search}`;
}

/** Returns the name in a Host header without its port, or null if it is not a valid host. */
function hostName(header: string | undefined): string | null {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header) || !URL.canParse(`http://${header}`)) return null;
  const { hostname } = new URL(`http://${header}`);
  return hostname === '' ? null : hostname;
}
