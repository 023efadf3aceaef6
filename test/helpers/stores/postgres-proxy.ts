/**
 * A proxy before a PostgreSQL server that reads what the server says, message by message, and can break the
 * connection between any two messages. Without TLS, as the test server is.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Owner } from '../programs/processes.js';

export interface PostgresProxy {
  /** The server's address behind this proxy. */
  readonly url: string;
  /**
   * Asked about each message of the server: whether its connection breaks before it arrives.
   * @param type its first byte, as in the protocol: `C` for CommandComplete, `Z` for ReadyForQuery
   */
  cutsBefore: (type: string) => boolean;
  /** Breaks all connections. */
  cut(): void;
}

/** A type of one byte, and a length of four that counts itself. */
const HEADER = 5;

/** @returns what hands on the server's bytes in whole messages, until one that must not arrive. */
function messagesTo(near: Socket, cutsBefore: (type: string) => boolean): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isCut = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (!isCut && rest.length >= HEADER && rest.length > rest.readInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readInt32BE(1));
      rest = rest.subarray(message.length);
      isCut = cutsBefore(String.fromCharCode(message[0] ?? 0));
      if (isCut) near.destroySoon();
      else near.write(message);
    }
  };
}

/** @param url of a server on this machine. */
export async function openPostgresProxy(t: Owner, url: string): Promise<PostgresProxy> {
  const address = new URL(url);
  const { hostname, port } = address;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    far.on(
      'data',
      messagesTo(near, (type) => proxy.cutsBefore(type)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    cut();
    server.close();
  });
  address.port = String((server.address() as AddressInfo).port);
  const proxy: PostgresProxy = { url: address.href, cutsBefore: () => false, cut };
  return proxy;
}
