/** Requests over TLS, as a customer's phone makes them, on connections whose bytes are counted. */
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Daemon } from './servers.js';

interface Line {
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
