/**
 * The listeners of many shops, in a process of their own: plain HTTP on 127.0.0.1, a port each. Its argument
 * is their number; the first line that it prints is the list of their ports. What came, and when, it tells
 * its parent when asked.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** From the parent: forget what came; the last so many listeners take and never answer. */
export interface Reset {
  readonly hanging: number;
}

/** To the parent, once so many have come. */
export interface Came {
  /** Milliseconds since the epoch, of each different notification that came to a listener which answers. */
  readonly at: readonly number[];
}

const [, , count = '1'] = process.argv;
const shops = Number(count);
let hanging = 0;
let came = new Map<string, number>();
let wanted = Number.POSITIVE_INFINITY;

function tell(): void {
  if (came.size < wanted) return;
  wanted = Number.POSITIVE_INFINITY;
  process.send?.({ at: [...came.values()] } satisfies Came);
}

async function open(shop: number): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    const isHanging = shop >= shops - hanging;
    request.on('end', () => {
      if (isHanging) return;
      const id = String(request.headers['webhook-id']);
      if (!came.has(id)) came.set(id, performance.timeOrigin + performance.now());
      response.end('ok');
      tell();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const ports = await Promise.all(Array.from({ length: shops }, (_, shop) => open(shop)));
process.on('message', (message: Reset | number) => {
  if (typeof message === 'number') {
    wanted = message;
    tell();
  } else {
    ({ hanging } = message);
    came = new Map();
  }
});
process.on('disconnect', () => process.exit(0));
process.stdout.write(`${JSON.stringify(ports)}\n`);
