/**
 * One bounded HTTP call to a source outside, for readers of pulled channels. Knows nothing of what is asked
 * or answered. Plain http is for this machine alone: whoever sits on the way could say that money came.
 */
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import got from 'got';

const MAX_HEADER_BYTES = 16_384;
/** Interim answers (1xx) that come before the answer; who sends more has none. */
const MAX_INTERIM = 20;
/**
 * How long one of several addresses may take to connect before it is given up for the next. Node's 250 ms are
 * less than the way from Bangladesh to America and back.
 */
const CONNECT_MS = 1_500;
const MAX_SOCKETS_PER_HOST = 16;
const IDLE_MS = 30_000;

/** Of our own: the global ones read the environment for proxies. Node unrefs sockets that lie idle in them. */
const connections = {
  keepAlive: true,
  maxSockets: MAX_SOCKETS_PER_HOST,
  maxFreeSockets: 4,
  timeout: IDLE_MS,
  autoSelectFamilyAttemptTimeout: CONNECT_MS,
};
const agent = { http: new HttpAgent(connections), https: new HttpsAgent(connections) };

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /** May hold credentials; no result repeats it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything from the look-up of the name to the last byte of the answer, in milliseconds. */
  readonly deadlineMs: number;
  /** More than this of an answer is not read. */
  readonly maxBytes: number;
  /** Ends the call before its time. */
  readonly signal?: AbortSignal;
}

export type HttpFailure =
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'too_large'
  /** It answered, but not in HTTP, or not to the end. */
  | 'broken'
  /** Ended by the caller's signal. */
  | 'stopped'
  /** The address is one of plain http on another machine. */
  | 'plain_http';

export type HttpResult =
  | {
      readonly outcome: 'answered';
      /** Any, redirects too: nothing is followed. */
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** `detail` is fit for logs: it names no address and repeats nothing of the answer. */
  | { readonly outcome: 'failed'; readonly kind: HttpFailure; readonly detail: string };

/** True where a call to that address is made: https anywhere, http on this machine. */
export function mayCall(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Never throws for what the other side does; no redirect, no retry, no decompression. */
export async function callHttp(call: HttpCall): Promise<HttpResult> {
  if (!mayCall(call.url)) return failed('plain_http', 'plain http is for this machine alone');
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, call.deadlineMs);
  call.signal?.addEventListener('abort', end, { once: true });
  if (call.signal?.aborted === true) end();
  try {
    return await exchange(call, ending.signal);
  } catch (error) {
    if (call.signal?.aborted === true) return failed('stopped', 'the call was ended by its caller');
    if (ending.signal.aborted) return failed('timeout', `no whole answer within ${call.deadlineMs} ms`);
    return failureOf(error);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', end);
  }
}

function failed(kind: HttpFailure, detail: string): HttpResult {
  return { outcome: 'failed', kind, detail };
}

async function exchange(call: HttpCall, signal: AbortSignal): Promise<HttpResult> {
  const stream = got.stream(call.url, {
    method: call.method,
    agent,
    headers: call.headers,
    signal,
    https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    maxHeaderSize: MAX_HEADER_BYTES,
    decompress: false,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  let head: IncomingMessage | null = null;
  stream.once('response', (response: IncomingMessage) => {
    head = response;
  });
  let interim = 0;
  stream.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM) stream.destroy(new Error('interim answers without end'));
  });
  // Node hands the socket over and forgets it.
  stream.on('upgrade', (_response: IncomingMessage, socket: Socket) => {
    socket.destroy();
    stream.destroy(new Error('another protocol was offered'));
  });
  // What is said after the reading has ended is nobody's business any more, but must not end the process.
  stream.on('error', () => {});
  const chunks: Buffer[] = [];
  try {
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > call.maxBytes) return failed('too_large', `more than ${call.maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    stream.destroy();
  }
  return answerOf(head, Buffer.concat(chunks));
}

function answerOf(head: IncomingMessage | null, bytes: Buffer): HttpResult {
  if (head?.statusCode === undefined) return failed('broken', 'the connection ended without an answer');
  return {
    outcome: 'answered',
    status: head.statusCode,
    headers: oneTextEach(head.headers),
    text: bytes.toString('utf8'),
  };
}

function oneTextEach(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
}

/** Codes only: what got and Node say in words repeats the address. */
function failureOf(error: unknown): HttpResult {
  const code = codeOf(error);
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) {
    return failed('tls', `TLS failed (${code})`);
  }
  if (code.startsWith('HPE_') || code === 'unknown') return failed('broken', `not an HTTP answer (${code})`);
  return failed('unreachable', `the connection failed (${code})`);
}

/** @returns the first code along the causes: got and Node wrap what a socket says. */
function codeOf(failure: unknown): string {
  for (let at = failure, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && !code.startsWith('ERR_GOT') && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      return code;
    }
  }
  return 'unknown';
}
