/**
 * Load for the benchmark: requests over kept connections, each timed by itself. Its own few
 * lines on a bare socket, because a general load tool costs more processor time per request than the server
 * that is measured, and then measures itself. Knows no endpoint.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  /** As it came over the wire. */
  readonly body: Buffer;
}

interface Target {
  /** Port on 127.0.0.1: plain HTTP, or HTTPS where there is a certificate to trust (PEM). */
  readonly port: number;
  readonly certificate?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** The status that every answer must have; any other ends the run. */
  readonly expect: number;
}

export interface Job extends Target {
  readonly path: string;
  /** One JSON text for each request. */
  readonly bodies: readonly string[];
  /** Told every answer's body, with the index of its request. */
  onAnswer?(index: number, body: string): void;
}

interface Visits extends Target {
  /** One for each request. */
  readonly paths: readonly string[];
}

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One kept connection, one request at a time. */
class Caller {
  private received = Buffer.alloc(0);
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;

  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      this.settle();
    });
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('the server closed a kept connection')));
  }

  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private settle(): void {
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const start = headEnd + HEAD_END.length;
    const end = start + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (this.received.length < end) return;
    const body = this.received.subarray(start, end);
    this.received = this.received.subarray(end);
    const waiting = this.waiting;
    this.waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

function openCaller({ port, certificate }: Target): Promise<Caller> {
  const to = { port, host: '127.0.0.1' };
  return new Promise((resolve, reject) => {
    const done = () => resolve(new Caller(socket));
    const socket: Socket =
      certificate === undefined ? connect(to, done) : connectTls({ ...to, ca: certificate }, done);
    socket.once('error', reject);
  });
}

/** As a reverse proxy on this machine would pass it on. */
function headersOf(own: Readonly<Record<string, string>>): string {
  const headers = {
    host: 'pay.example.com',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.7',
    ...own,
  };
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** POSTs every body once; a connection takes the next one as soon as its last is answered. */
export function load(job: Job): Promise<Load> {
  const { path, bodies, onAnswer } = job;
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  const head = `POST ${path} HTTP/1.1\r\n${headersOf({ ...json, ...job.headers })}content-length: `;
  const requests = bodies.map((body) => () => `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return send(job, requests, (index, { body }) => onAnswer?.(index, body.toString()));
}

/** GETs every path once, in the same way. */
export function visit(visits: Visits): Promise<Load> {
  const head = ` HTTP/1.1\r\n${headersOf(visits.headers)}\r\n`;
  const requests = visits.paths.map((path) => () => `GET ${path}${head}`);
  return send(visits, requests, () => {});
}

async function send(
  target: Target,
  requests: readonly (() => string)[],
  onAnswer: (index: number, answer: Answer) => void,
): Promise<Load> {
  const { connections, expect } = target;
  const callers = await Promise.all(Array.from({ length: connections }, () => openCaller(target)));
  const took = new Float64Array(requests.length);
  let next = 0;
  const work = async (caller: Caller): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      const request = requests[index]?.();
      if (request === undefined) return;
      const began = performance.now();
      const answer = await caller.ask(request);
      took[index] = performance.now() - began;
      if (answer.status !== expect) {
        const [line] = request.split('\r\n', 1);
        throw new Error(`${line} answered ${answer.status}, not ${expect}: ${answer.body}`);
      }
      onAnswer(index, answer);
    }
  };
  const started = performance.now();
  try {
    await Promise.all(callers.map(work));
  } finally {
    for (const caller of callers) caller.close();
  }
  const seconds = (performance.now() - started) / 1000;
  took.sort();
  return { perSecond: took.length / seconds, p50Ms: took[Math.floor(took.length / 2)] ?? Number.NaN };
}
