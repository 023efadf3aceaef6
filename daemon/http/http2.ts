/**
 * HTTP/2 on the HTTPS server: connections that have agreed on `h2` are served by Node's HTTP/2, all others as
 * before. Requests come out in the form of HTTP/1, so that nothing behind knows the difference.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { ERRORS } from '../../src/base/errors/errors.js';
import { answerBare, type Handler } from './bare.js';
import { readOn } from './body-time.js';
import { LIMITS, type SessionLimits, watchSessions } from './http2-sessions.js';

/** What a request's headers may be long, as on HTTP/1. */
const MAX_HEADER_BYTES = 16 * 1024;

const OPTIONS = {
  settings: {
    // The least that RFC 9113 recommends: two dozen open payment pages are far from it.
    maxConcurrentStreams: 100,
    // Beyond it Node resets the stream; up to it a client can be told what is wrong.
    maxHeaderListSize: 2 * MAX_HEADER_BYTES,
  },
  /** In MB, for what a session has not sent yet: above it new requests are refused. Node's own is 10. */
  maxSessionMemory: 4,
  /** Frames that are no protocol. Node's own is 1,000. */
  maxSessionInvalidFrames: 100,
};

/**
 * Releases that have the fixes of CVE-2026-48937, -56846 and -56848: without them a client of HTTP/2 can hold
 * memory for as long as it likes, or make Node use what it has freed. Node 20 has no releases any more.
 */
const FIXED = [
  [22, 23, 2],
  [24, 18, 1],
  [26, 5, 1],
] as const;

/**
 * @param setting of the operator.
 * @param version of Node, such as `22.23.2`.
 * @returns whether clients are offered HTTP/2.
 */
export function offersHttp2(setting: 'auto' | 'on' | 'off', version: string): boolean {
  if (setting !== 'auto') return setting === 'on';
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat);
  if (major > 26) return true;
  return FIXED.some(
    ([line, fixedIn, at]) => major === line && (minor > fixedIn || (minor === fixedIn && patch >= at)),
  );
}

/**
 * Takes over the connections of `server` that have agreed on `h2`. Node's own listener keeps the others. What
 * closes the server's connections, closes these as well.
 * @param changed limits, for tests that cannot wait a minute.
 */
export function addHttp2(server: Server, serve: Handler, changed?: Partial<SessionLimits>): void {
  const sessions = watchSessions({ ...LIMITS, ...changed });
  // It never listens: it is handed its connections.
  const h2 = createServer(OPTIONS, (request, response) => take(serve, request, response));
  const serveHttp1 = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') {
      for (const listener of serveHttp1) listener.call(server, socket);
      return;
    }
    h2.once('session', (session) => sessions.add(session, socket));
    h2.emit('connection', socket);
  });
  const { closeIdleConnections, closeAllConnections } = server;
  // Node calls it in `close`, too.
  server.closeIdleConnections = () => {
    closeIdleConnections.call(server);
    sessions.end();
  };
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    sessions.cut();
  };
}

function take(serve: Handler, from: Http2ServerRequest, to: Http2ServerResponse): void {
  const [request, response] = [from as unknown as IncomingMessage, to as unknown as ServerResponse];
  if (!from.stream.endAfterHeaders) refuseCutBody(request, from.stream);
  hideUnfinished(response, to.stream);
  const fault = faultOf(from);
  if (fault === null) {
    from.headers.host = from.headers[':authority'] ?? from.headers.host;
    serve(request, response);
    return;
  }
  readOn(request, response);
  answerBare(response, fault.status, fault.message);
}

/**
 * RFC 9113, 8.3.1: `:authority` says which host is meant; a `Host` beside it may not say another one, for a
 * proxy before us may have used that.
 */
function faultOf({ rawHeaders }: Http2ServerRequest) {
  let bytes = 0;
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    // As a line of HTTP/1.
    bytes += name.length + ': '.length + value.length + '\r\n'.length;
    if (name === ':authority' || name === 'host') hosts.push(`${name} ${value.toLowerCase()}`);
  }
  if (bytes > MAX_HEADER_BYTES) return ERRORS.headers_too_large;
  const values = new Set(hosts.map((host) => host.split(' ')[1]));
  const isTwice = new Set(hosts.map((host) => host.split(' ')[0])).size < hosts.length;
  if (values.size < 2 && !isTwice) return null;
  return { ...ERRORS.invalid_input, message: 'The request names more than one host' };
}

/**
 * Node ends the body of a stream that was reset or lost as if it had come whole: half an amount would be an
 * amount. Whoever reads it gets an error instead, as on HTTP/1.
 */
function refuseCutBody(request: IncomingMessage, stream: ServerHttp2Stream): void {
  const refuse = () => {
    if (request.readableEnded) return;
    request.destroy(new Error('the request was cut off'));
  };
  request.on('error', ignore);
  // Before Node's own listeners, which end the body.
  stream.prependListener('end', () => {
    if (stream.closed) refuse();
  });
  stream.prependListener('close', refuse);
}

/** Node says of a cut answer that it is finished; on HTTP/1 such a one is neither logged nor counted. */
function hideUnfinished(response: ServerResponse, stream: ServerHttp2Stream): void {
  stream.prependListener('close', () => {
    // Node ends what was given up, so that the stream alone says nothing.
    if (!response.writableEnded || !stream.writableFinished) response.removeAllListeners('finish');
  });
}

const ignore = (): void => {};
