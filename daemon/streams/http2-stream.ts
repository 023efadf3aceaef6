/** Finds what Node hides in the requests of HTTP/2 that it brings into the form of HTTP/1. */
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2';

/** @returns the stream that carries a request of HTTP/2, undefined for one of HTTP/1. */
export function streamOf(request: IncomingMessage): ServerHttp2Stream | undefined {
  if (request.httpVersionMajor !== 2) return undefined;
  return (request as unknown as Http2ServerRequest).stream;
}
