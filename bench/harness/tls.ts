/** Requests over TLS, as a customer's phone makes them, on connections whose bytes are counted. */
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Daemon } from './servers.js';

export interface Line {
  readonly secure: TLSSocket;
  /** Below the encryption: handshake, certificate and all. */
  readonly wire: Socket;
}

export async function openLine({ url, certificate }: Daemon): Promise<Line> {
  const { hostname, port } = new URL(url);
  const wire = connectTcp(Number(port), hostname);
  const secure = connect({ socket: wire, ca: certificate, host: hostname });
  await once(secure, 'secureConnect');
  return { secure, wire };
}

/** Sends a GET. Its answer comes on `line.secure`. */
export function ask({ secure }: Line, path: string, headers: Readonly<Record<string, string>>): void {
  const lines = Object.entries({ host: 'pay.example.com', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  secure.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** GETs one path and reads its answer to the end; the line stays open for the next. */
export function get(line: Line, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  ask(line, path, headers);
  return answer(line);
}

/** POSTs JSON and reads the answer to the end; the line stays open for the next. */
export function post(
  line: Line,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Answer> {
  const text = JSON.stringify(body);
  const all = {
    host: 'pay.example.com',
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  line.secure.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  return answer(line);
}

async function answer({ secure }: Line): Promise<Answer> {
  let received = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(secure, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) continue;
    const head = received.toString('latin1', 0, headEnd);
    const start = headEnd + HEAD_END.length;
    const end = start + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (received.length >= end)
      return { status: Number(head.slice(9, 12)), body: received.subarray(start, end) };
  }
}
