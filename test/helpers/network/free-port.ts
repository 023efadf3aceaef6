/** Ports for programs under test. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give out by themselves, from 32,768 on. */
const [FIRST_PORT, PORTS] = [12_000, 20_000] as const;

/**
 * A port of 127.0.0.1 that nobody listens on. A program that is ended and started again must find it free
 * once more: one that the system has chosen may be another program's by then, or the near end of anybody's
 * connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
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
