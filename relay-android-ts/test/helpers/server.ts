/**
 * A real HTTPS server on loopback that plays the daemon: it stores messages by id, remembers everything,
 * and misbehaves when told to.
 */
import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { generate } from 'selfsigned';
import { receipted } from './receipts.js';

export interface WireMessage {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  readonly received_at: string;
  readonly sim_slot?: number;
}

export interface WireReport {
  readonly id: string;
  readonly state: string;
  readonly error?: string;
}

export interface SyncBody {
  readonly messages: readonly WireMessage[];
  readonly reports: readonly WireReport[];
  readonly outbox?: { readonly journal: string; readonly held: readonly string[] };
  readonly wait_ms?: number;
  readonly resent_since?: string;
  readonly health: Readonly<Record<string, unknown>>;
}

export interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** What the server does with one request instead of answering well. */
export type Fault = (exchange: {
  readonly body: SyncBody;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Stores the messages, or the first so many of them, and gives the object to answer with. */
  readonly commit: (count?: number) => object;
}) => boolean;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly sha256: string;
}

const DAY_MS = 86_400_000;

export async function makeCertificate(altNames: readonly string[] = ['127.0.0.1']): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'kashbox test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: altNames.map((ip) => ({ type: 7, ip })) },
    ],
  });
  const sha256 = createHash('sha256').update(new X509Certificate(made.cert).raw).digest('hex');
  return { key: made.private, cert: made.cert, sha256 };
}

let shared: Promise<Certificate> | undefined;
/** Making keys costs time; most tests can share one. */
export function sharedCertificate(): Promise<Certificate> {
  shared ??= makeCertificate();
  return shared;
}

export class TestServer {
  /** First delivery of each id. */
  readonly stored = new Map<string, WireMessage>();
  readonly seen: Seen[] = [];
  readonly syncs: SyncBody[] = [];
  /** Bytes that came out of TLS, whether or not they made a request. */
  plainBytes = 0;
  inFlight = 0;
  mostInFlight = 0;
  deliveries = 0;
  code = 'ABCD-EFGH';
  deviceKey = 'dk_test_0123456789';
  nextPollMs = 1_000;
  /** Handed out with the next answer, once. */
  dispatches: object[] = [];
  /** Asked for with every answer until the phone says that it is done. */
  resendSince: string | null = null;
  /** What the event stream is answered with instead of a stream. */
  noStreams = 0;
  /** Those that listen now. */
  readonly streams = new Set<ServerResponse>();
  /** Return true when the fault has dealt with the request. */
  fault: Fault = () => false;
  /** Answers every request in the server's place, as a proxy, a firewall or a portal does. */
  front: ((response: ServerResponse) => void) | null = null;
  readonly certificate: Certificate;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  #port = 0;

  private constructor(certificate: Certificate) {
    this.certificate = certificate;
    this.#server = createServer(certificate, (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('secureConnection', (socket) => {
      socket.on('data', (chunk: Buffer) => {
        this.plainBytes += chunk.length;
      });
    });
  }

  static async start(t: ExecutionContext, certificate?: Certificate): Promise<TestServer> {
    const server = new TestServer(certificate ?? (await sharedCertificate()));
    await server.up();
    t.teardown(() => server.down());
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The text that a QR code would hold. */
  get link(): string {
    const { url, code, certificate } = this;
    return `kashbox://pair?${new URLSearchParams({ url, code, fp: certificate.sha256 })}`;
  }

  /** Comes up on the port it had before. */
  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.headers['device-key']?.toString();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // A killed agent breaks off in the middle of a request.
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    this.seen.push({ path: request.url ?? '', key, body: text });
    if (this.front !== null) this.front(response);
    else if (request.url === '/api/v2/relay/pair') this.#pair(text, response);
    else if (request.url === '/api/v2/relay/sync') this.#sync(text, key, request, response);
    else if (request.url === '/api/v2/relay/events') this.#events(key, response);
    else if (request.url === '/api/v2/relay/sms') this.#sms(key, response);
    else answer(response, 404, { status: false, message: 'There is nothing at this address' });
  }

  #pair(text: string, response: ServerResponse): void {
    const { code } = JSON.parse(text) as { code: string };
    if (code !== this.code) {
      answer(response, 401, { status: false, message: 'The pairing code is wrong, used or expired' });
      return;
    }
    answer(response, 200, {
      status: true,
      device: { id: 'dev_test', name: 'Counter phone' },
      device_key: this.deviceKey,
      gateway_key: 'GATEWAYKEY12345678',
      server_time: new Date().toISOString(),
    });
  }

  /** Takes nothing: the doctor's look. */
  #sms(key: string | undefined, response: ServerResponse): void {
    if (key === this.deviceKey) answer(response, 200, receipted(key, { status: true, results: [] }));
    else answer(response, 401, { status: false, message: 'Invalid or revoked DEVICE-KEY provided' });
  }

  /** Calls every phone that listens. */
  call(reason = 'dispatch'): void {
    for (const stream of this.streams) stream.write(`event: wake\ndata: {"reason":"${reason}"}\n\n`);
  }

  #events(key: string | undefined, response: ServerResponse): void {
    const status = key === this.deviceKey ? this.noStreams : 401;
    if (status !== 0) {
      answer(response, status, { status: false });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  #sync(text: string, key: string | undefined, request: IncomingMessage, response: ServerResponse): void {
    if (key !== this.deviceKey) {
      answer(response, 401, { status: false, message: 'Invalid or revoked DEVICE-KEY provided' });
      return;
    }
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    response.on('close', () => {
      this.inFlight -= 1;
    });
    const body = JSON.parse(text) as SyncBody;
    this.syncs.push(body);
    const commit = (count?: number): object => this.#commit(body, body.messages.slice(0, count));
    if (!this.fault({ body, request, response, commit })) answer(response, 200, commit());
  }

  #commit(body: SyncBody, messages: readonly WireMessage[]): object {
    this.deliveries += messages.length;
    const results = messages.map((message) => {
      const known = this.stored.has(message.id);
      if (!known) this.stored.set(message.id, message);
      return { id: message.id, state: known ? 'duplicate' : 'stored' };
    });
    const { nextPollMs, dispatches } = this;
    this.dispatches = [];
    if (body.resent_since !== undefined) this.resendSince = null;
    return receipted(this.deviceKey, {
      status: true,
      results,
      dispatches,
      ...(this.resendSince === null ? {} : { resend_since: this.resendSince }),
      next_poll_ms: nextPollMs,
      server_time: new Date().toISOString(),
    });
  }
}

export function answer(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
