/**
 * Reads the response to one HTTP request up to a limit, also from servers that never end it. Knows nothing of
 * the content; the caller sets the deadline.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';

/** Maximum interim responses (1xx); a server that sends more counts as having sent no final response. */
const MAX_INTERIM = 20;
/**
 * Time limit to connect to an address before the next is tried, ms. Node's 250 ms are less than a round trip
 * from Bangladesh to America, and the next may be IPv6, which often fails there.
 */
export const CONNECT_MS = 1_500;
/** Options of got for a request with one bounded response: no redirects, retries or decompression. */
export const ONE_ANSWER = {
  https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
  maxHeaderSize: 16_384,
  decompress: false,
  followRedirect: false,
  retry: { limit: 0 },
  throwHttpErrors: false,
} as const;

export interface ReadAnswer {
  /** Null where none came; of one that never got beyond 1xx, that. */
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  /** Body as received: nothing is decompressed. */
  readonly bytes: Buffer;
  /** The limit was reached; what came after it was not read. */
  readonly isCut: boolean;
  /** Error that ended the response early; null if it was read to its end or to the limit. */
  readonly failure: unknown;
}

/** @param stream of got, whose request has not been sent yet. */
export async function readAnswer(stream: Duplex, maxBytes: number): Promise<ReadAnswer> {
  let status: number | null = null;
  let headers: IncomingHttpHeaders = {};
  let interim = 0;
  stream.once('response', (response: IncomingMessage) => {
    status = response.statusCode ?? null;
    headers = response.headers;
  });
  stream.on('information', ({ statusCode }: { readonly statusCode: number }) => {
    interim += 1;
    if (interim <= MAX_INTERIM) return;
    status = statusCode;
    stream.destroy();
  });
  // Node hands the socket over and forgets it.
  stream.on('upgrade', (response: IncomingMessage, socket: Readable) => {
    status = response.statusCode ?? null;
    socket.destroy();
    stream.destroy();
  });
  // Later errors are ignored, but must not end the process.
  stream.on('error', () => {});
  const chunks: Buffer[] = [];
  let size = 0;
  let failure: unknown = null;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch (error) {
    failure = error;
  } finally {
    stream.destroy();
  }
  return { status, headers, bytes: Buffer.concat(chunks), isCut: size >= maxBytes, failure };
}
