/** Ports for programs under test. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give out by themselves, from 32,768 on. */
const [FIRST_PORT, PORTS] = [12_000, 20_000] as const;

/** Given out by this process, where tests run at the same time: what is chosen now may listen much later. */
const given = new Set<number>();

/**
 * A port of 127.0.0.1 that nobody listens on. A program that is ended and started again must find it free
 * once more: one that the system has chosen may be another program's by then, or the near end of anybody's
 * connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
