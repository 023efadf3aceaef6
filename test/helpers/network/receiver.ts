/** A shop's listener: plain HTTP on loopback, which keeps what came and answers as the test wants it. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Owner } from '../programs/processes.js';

export interface Received {
  /** The `webhook-id`. */
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** Everything that came whole, in the order of its coming. */
  readonly received: Received[];
  /** Resolves once so many different notifications have come; rejects after the deadline. */
  different(count: number): Promise<void>;
}

/** Long enough for a machine with much else to do: it is there to say how many came, not how fast. */
const DEADLINE_MS = 240_000;

/** @param answer what to do with each; by default 200 at once. One that does nothing leaves it hanging. */
export async function openReceiver(
  t: Owner,
  answer: (got: Received, response: ServerResponse) => void = (_got, response) => void response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { headers, url: path = '' } = request;
    const body = Buffer.concat(chunks).toString('utf8');
    const got = { id: String(headers['webhook-id']), path, headers, body };
    received.push(got);
    for (const look of waiting) look();
    answer(got, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const distinct = () => new Set(received.map(({ id }) => id)).size;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    different: (count) =>
      new Promise((resolve, reject) => {
        const end = (work: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          work();
        };
        const look = () => {
          if (received.length >= count && distinct() >= count) end(resolve);
        };
        const timer = setTimeout(
          () => end(() => reject(new Error(`${distinct()} of ${count} notifications came`))),
          DEADLINE_MS,
        );
        waiting.add(look);
        look();
      }),
  };
}
