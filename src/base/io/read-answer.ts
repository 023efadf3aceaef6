/**
 * Reads the answer to one HTTP request as far as its reader wants, against servers that never end. Knows
 * nothing of what is read; the deadline is its caller's.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';

/** Interim answers (1xx) that come before the answer; who sends more has none. */
const MAX_INTERIM = 20;
/**
 * How long one of several addresses may take to connect before it is given up for the next. Node's 250 ms are
 * less than the way from Bangladesh to America and back, and the next may be IPv6, which leads nowhere there.
 */
export const CONNECT_MS = 1_500;
/** Options of got for a request of which one bounded answer is read: none of them does anything by itself. */
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
  /** As they came: nothing is decompressed. */
  readonly bytes: Buffer;
  /** The limit was reached; what came after it was not read. */
  readonly isCut: boolean;
  /** What ended it before its time, null if it was read to its end or to the limit. */
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
