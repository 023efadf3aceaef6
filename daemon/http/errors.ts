/**
 * Every refusal leaves through here as `{status:false, message}`. Maps errors of Fastify and Node to rows of
 * the error table; never shows a stack or the text of an unexpected error.
 */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKashboxError, KashboxError } from '../../src/base/errors/errors.js';
import type { Log } from '../../src/base/io/log.js';
import { isStoreFailure } from '../../src/store/write-health.js';
import { drainBody, extendBodyTime } from './body-time.js';

/** Seconds for Retry-After where the thrower gave none. */
const RETRY_LIMITED_S = 60;
const RETRY_UNAVAILABLE_S = 1;

/** @returns the row of our table for an error of the framework. */
function asKashboxError(error: unknown): KashboxError {
  if (isKashboxError(error)) return error;
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new KashboxError('body_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new KashboxError('unsupported_media_type');
    default:
      return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
        ? new KashboxError('invalid_input')
        : new KashboxError('internal', { cause: error });
  }
}

/** @returns seconds after which trying again makes sense, or undefined where it never does. */
function retryAfterSeconds(error: KashboxError): number | undefined {
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds;
  if (error.category === 'limited') return RETRY_LIMITED_S;
  return error.category === 'unavailable' ? RETRY_UNAVAILABLE_S : undefined;
}

/** Status and headers of a refusal, in whatever form its text follows. */
export function refuse(refusal: KashboxError, reply: FastifyReply): FastifyReply {
  const retryAfter = retryAfterSeconds(refusal);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  // Fastify closes the connection after a refused body; a correct client should keep it.
  reply.removeHeader('connection');
  drainBody(reply.request.raw, reply.raw);
  return reply.code(refusal.status);
}

export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const refusal = asKashboxError(error);
  if (refusal.category === 'unauthorised') reply.header('www-authenticate', 'Bearer realm="kashbox"');
  return refuse(refusal, reply).send({ status: false, message: refusal.message });
}

/** @returns Fastify's error handler; it logs failures of the server, not mistakes of clients. */
export function errorHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendError(logged(log, error, request), reply);
}

/** @returns the refusal for an error, after logging it if the client did not cause it. */
export function logged(log: Log, error: unknown, request: FastifyRequest): KashboxError {
  const refusal = asKashboxError(error);
  if (refusal.status >= 500) {
    // A failing store is logged once, by store-watch.ts, not for every request.
    log[isStoreFailure(refusal) ? 'debug' : 'error'](
      { err: error, route: request.routeOptions.url ?? null },
      refusal.message,
    );
  }
  return refusal;
}

function clientFault(code: string | undefined): KashboxError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new KashboxError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new KashboxError('request_timeout');
    default:
      // The parser's own code, such as HPE_INVALID_METHOD, is the only hint at what a client did wrong.
      return new KashboxError('invalid_input', { message: `The request is not valid HTTP (${code})` });
  }
}

/**
 * Answers requests that Node's parser refused, on the bare socket, and closes it. Connection errors get no
 * answer, because nothing can be written during a handshake.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isLate && extendBodyTime(socket, () => answerClientError(error, socket))) return;
  const { status, message } = clientFault(error.code);
  const body = JSON.stringify({ status: false, message });
  socket.write(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}
