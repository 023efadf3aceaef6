/**
 * A proxy of TCP connections that can fall silent as mobile networks do: connections that there are stay open
 * and nothing comes through them any more, in either direction; new ones work. Reads nothing of what it
 * carries.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Owner } from '../programs/processes.js';

export interface MuteProxy {
  /** An address of the daemon as it is behind this proxy. */
  through(url: string): string;
  /** From now on nothing comes through the connections that there are. @returns how many those were. */
  mute(): number;
}

/** @param port of the daemon, on this machine. */
export async function openMuteProxy(t: Owner, port: number): Promise<MuteProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const socket of pair) {
      socket.on('error', () => {}).on('close', () => pairs.delete(pair));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const muted: Socket[] = [];
  t.teardown(() => {
    for (const socket of [...muted, ...[...pairs].flat()]) socket.destroy();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    through: (url) => {
      const behind = new URL(url);
      behind.port = String(own);
      return behind.href;
    },
    mute: () => {
      const count = pairs.size;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        // Read on, so that nobody notices.
        near.resume();
        far.resume();
        muted.push(near, far);
      }
      pairs.clear();
      return count;
    },
  };
}
