/**
 * One bounded HTTP call to a source, for readers of pulled channels. Plain http is allowed to this machine
 * only, because others on the way could fake payments.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got from 'got';
import { describeNetFailure, errorCode } from '../base/io/net-failure.js';
import { CONNECT_MS, ONE_ANSWER, readAnswer } from '../base/io/read-answer.js';
import { version } from '../base/values/version.js';
import { mayCall } from './sources.js';

const USER_AGENT = `Kashbox/${version()}`;
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
/** Limit above all concurrent calls: waiting for a socket would count as a timeout of the other side. */
const MAX_SOCKETS_PER_HOST = 256;
const IDLE_MS = 30_000;

/** Options of our own agents; the global ones read proxies from the environment. Idle sockets are unref'd. */
const connections = {
  keepAlive: true,
  maxSockets: MAX_SOCKETS_PER_HOST,
  // As many as are busy at a good hour: a new one to a node is a TLS handshake.
  maxFreeSockets: 64,
  timeout: IDLE_MS,
  autoSelectFamilyAttemptTimeout: CONNECT_MS,
};
const agent = { http: new HttpAgent(connections), https: new HttpsAgent(connections) };
const oneAnswer = got.extend({ ...ONE_ANSWER, agent, headers: { 'user-agent': USER_AGENT } });

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /** Address that may contain credentials; never repeated in a result. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit from the DNS lookup to the last byte of the answer, in ms. */
  readonly deadlineMs: number;
  /** Maximum size of an answer; a larger one fails with `too_large`. */
  readonly maxBytes: number;
  /** Ends the call before its time. */
  readonly signal?: AbortSignal;
}

export type HttpFailure =
  /** Too late, or ended by the caller's signal. */
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'too_large'
  /** Answer that is incomplete or is not HTTP. */
  | 'broken'
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

/** Returns the other side's failures; no redirects or decompression; retries only a closed idle socket. */
export async function callHttp(call: HttpCall): Promise<HttpResult> {
  if (!mayCall(call.url)) return failed('plain_http', 'plain http is for this machine alone');
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, call.deadlineMs);
  call.signal?.addEventListener('abort', end, { once: true });
  if (call.signal?.aborted === true) end();
  try {
    const result = await exchange(call, ending.signal);
    if (result.outcome === 'answered' || !ending.signal.aborted) return result;
    if (call.signal?.aborted === true) return failed('timeout', 'the call was ended by its caller');
    return failed('timeout', `no whole answer within ${Math.round(call.deadlineMs)} ms`);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', end);
  }
}

function failed(kind: HttpFailure, detail: string): HttpResult {
  return { outcome: 'failed', kind, detail };
}

async function exchange(call: HttpCall, signal: AbortSignal): Promise<HttpResult> {
  const stream = oneAnswer.stream(call.url, {
    method: call.method,
    headers: { ...call.headers },
    signal,
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  let request: ClientRequest | null = null;
  stream.once('request', (sent: ClientRequest) => {
    request = sent;
  });
  const { status, headers, bytes, isCut, failure } = await readAnswer(stream, call.maxBytes);
  if (isCut) return failed('too_large', `more than ${call.maxBytes} bytes`);
  if (failure !== null) {
    // Closed by the other side while it lay idle: the question has reached nobody (RFC 9112, 9.3.1).
    if (status === null && isReused(request) && CLOSED.has(errorCode(failure))) return exchange(call, signal);
    return broken(failure);
  }
  if (status === null) return failed('broken', 'the connection ended without an answer');
  return { outcome: 'answered', status, headers: oneTextEach(headers), text: bytes.toString('utf8') };
}

function isReused(request: ClientRequest | null): boolean {
  return request?.reusedSocket === true;
}

function broken(failure: unknown): HttpResult {
  const { kind, detail } = describeNetFailure(failure);
  return failed(kind === 'tls' || kind === 'unreachable' ? kind : 'broken', detail);
}

function oneTextEach(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
}
