/** HTTPS towards one server, whose identity is checked before a single byte of a request leaves. */
import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Trust } from '../core/pairing.js';
import type { HttpReply, StreamEnd } from '../core/ports.js';

interface RequestTarget {
  /** Path relative to the base address, for example "/api/v2/relay/sync". */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpRequest extends RequestTarget {
  readonly body: string;
  /** Time limit of the complete exchange, including a slow answer. */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
}

interface StreamRequest extends RequestTarget {
  /** Maximum time without data, after which a stream is considered dead even if the socket is open. */
  readonly silentMs: number;
}

/** The peer is not the one that was paired with. */
class UntrustedError extends Error {}

/** Codes of OpenSSL's chain verification and of Node's host name check. */
const CERTIFICATE_FAULT =
  /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Limit for connecting and the handshake, so that sockets to a silent server do not pile up. */
const HANDSHAKE_MS = 15_000;

type ConnectCallback = (error: Error | null, socket: Duplex) => void;

/** Hands a connection to the request only after the handshake and, with a pin, after the pin was checked. */
class TrustingAgent extends Agent {
  private readonly connecting = new Set<TLSSocket>();

  constructor(private readonly trust: Trust) {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection(options: RequestOptions, connected?: ConnectCallback): undefined {
    const socket = connect(tlsOptions(options, this.trust));
    const end = (error: Error | null): void => {
      if (this.connecting.delete(socket)) connected?.(error, socket);
    };
    this.connecting.add(socket);
    // Stays for good: between the handshake and the request's own handlers there is a gap of one tick.
    socket.on('error', end);
    socket.setTimeout(HANDSHAKE_MS, () => socket.destroy(new Error('no TLS handshake in time')));
    socket.once('secureConnect', () => {
      if (this.trust.kind === 'pin' && !hasFingerprint(socket, this.trust.sha256) && !socket.authorized) {
        socket.destroy(new UntrustedError('the certificate has another fingerprint'));
        return;
      }
      socket.setTimeout(0);
      end(null);
    });
  }

  /** Breaks off connections that have not come about; a request in flight is broken off by its owner. */
  dropConnecting(): void {
    for (const socket of this.connecting) socket.destroy(new Error('broken off'));
  }
}

/**
 * A pin replaces the checks of authority and host name, and nothing else ever turns them off. They are made
 * all the same (`authorized`): a server that has obtained a public certificate since the phone was paired is
 * trusted for it, so that its renewals break no phone.
 */
function tlsOptions(options: RequestOptions, trust: Trust): ConnectionOptions {
  const host = options.host ?? 'localhost';
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  return {
    host,
    port: Number(options.port ?? 443),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: trust.kind !== 'pin',
    ...(isName ? { servername: host } : {}),
    ...(trust.kind === 'ca' ? { ca: trust.pem } : {}),
  };
}

function hasFingerprint(socket: TLSSocket, sha256: string): boolean {
  const raw = socket.getPeerX509Certificate()?.raw;
  if (raw === undefined) return false;
  return timingSafeEqual(createHash('sha256').update(raw).digest(), Buffer.from(sha256, 'hex'));
}

export class NodeHttp {
  private readonly base: URL;
  private readonly agent: TrustingAgent;

  /** @param base https address; its path is a prefix of every request's path */
  constructor(base: string, trust: Trust) {
    this.base = new URL(base);
    this.agent = new TrustingAgent(trust);
  }

  /** Never rejects: every result is a kind of HttpReply. */
  async post(request: HttpRequest, stop: AbortSignal): Promise<HttpReply> {
    // Not AbortSignal.any: in Node 20 each call leaves a trace on the long-lived signal for good.
    const deadline = new AbortController();
    const abort = (): void => deadline.abort();
    const timer = setTimeout(abort, request.deadlineMs);
    stop.addEventListener('abort', abort);
    try {
      if (stop.aborted) return { kind: 'unreachable', reason: 'stopped' };
      const first = await this.attempt(request, deadline.signal);
      // A kept connection that the server has closed meanwhile says nothing about the server.
      return first.onStaleConnection ? (await this.attempt(request, deadline.signal)).reply : first.reply;
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    }
  }

  /** Passes on text as it arrives. Never rejects. */
  stream(request: StreamRequest, onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd> {
    return new Promise((resolve) => {
      const outgoing = this.request('GET', request);
      const end = (how: StreamEnd): void => {
        clearTimeout(silence);
        stop.removeEventListener('abort', abort);
        this.agent.dropConnecting();
        outgoing.destroy();
        resolve(how);
      };
      const abort = (): void => end({ kind: 'closed' });
      // Also before the first byte: a network that drops everything sends no error.
      const silence = setTimeout(() => end({ kind: 'silent' }), request.silentMs);
      stop.addEventListener('abort', abort);
      outgoing.on('error', (error) => end({ kind: 'unreachable', reason: error.message }));
      outgoing.on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
        if (status !== 200 || !isStream) return end({ kind: 'refused', status });
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          silence.refresh();
          onText(text);
        });
        response.on('error', () => {});
        response.on('close', () => end({ kind: 'closed' }));
      });
      if (stop.aborted) abort();
      else outgoing.end();
    });
  }

  close(): void {
    this.agent.dropConnecting();
    this.agent.destroy();
  }

  private request(method: string, { path, headers }: RequestTarget): ClientRequest {
    return httpsRequest({
      method,
      // Node writes IPv6 hosts of URLs in brackets, which connect() does not take.
      host: this.base.hostname.replace(/^\[|\]$/g, ''),
      port: this.base.port === '' ? 443 : this.base.port,
      path: this.base.pathname.replace(/\/+$/, '') + path,
      headers: { ...headers },
      agent: this.agent,
    });
  }

  private attempt(
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<{ reply: HttpReply; onStaleConnection: boolean }> {
    return new Promise((resolve) => {
      const body = Buffer.from(request.body, 'utf8');
      const headers = { ...request.headers, 'content-length': String(body.length) };
      const outgoing = this.request('POST', { path: request.path, headers });
      let answering = false;
      const settle = (reply: HttpReply, onStaleConnection = false): void => {
        signal.removeEventListener('abort', abort);
        resolve({ reply, onStaleConnection });
      };
      // Node's own `signal` option only takes effect once there is a connection, which may be never.
      const abort = (): void => {
        settle({ kind: 'unreachable', reason: 'no answer in time' });
        this.agent.dropConnecting();
        outgoing.destroy();
      };
      signal.addEventListener('abort', abort);
      outgoing.on('error', (error) => {
        const stale = outgoing.reusedSocket && !answering && !signal.aborted;
        settle(failureReply(error), stale);
      });
      outgoing.on('response', (response) => {
        answering = true;
        readAnswer(response, request.maxAnswerBytes).then(settle, (error) => settle(failureReply(error)));
      });
      outgoing.end(body);
    });
  }
}

/** Counts while reading: a too long answer is dropped with its connection. */
async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpReply> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the response and its socket.
    if (bytes > maxBytes) return { kind: 'too_long' };
    chunks.push(chunk);
  }
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function failureReply(error: unknown): HttpReply {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message || code : String(error);
  if (error instanceof UntrustedError || CERTIFICATE_FAULT.test(code)) return { kind: 'untrusted', reason };
  return { kind: 'unreachable', reason };
}
