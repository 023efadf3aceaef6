/** Names and literals that lead inside, names that lead nowhere, and answers that point elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ground, Scenarios } from './ground.js';
import { farReceiver, httpsReceiver, tcpReceiver } from './receivers.js';

/** Rows 72 and 74; each is tried as a literal and by name, and beside a public one. */
export const INSIDE = [
  ...['127.0.0.1', '10.0.0.7', '169.254.169.254', '100.64.0.1', '192.168.1.1', '0.0.0.0'],
  ...['::1', 'fd00:ec2::254', '64:ff9b::7f00:1', '::ffff:127.0.0.1', 'fe80::1', '2002:7f00:1::'],
];
export const REDIRECTS = [301, 302, 303, 307, 308];

export function insideScenarios({ host, send, pair }: Ground): Scenarios {
  const guarded = (ips: readonly string[]) => ({ allowPrivate: false, resolve: async () => ips });
  return Object.fromEntries(
    INSIDE.flatMap((ip) => {
      const url = (port: number) => `https://${ip.includes(':') ? `[${ip}]` : ip}:${port}/`;
      const watched = async (attempt: (port: number) => ReturnType<typeof send>) => {
        const inside = await tcpReceiver('127.0.0.1', (socket) => socket.destroy());
        const result = await attempt(inside.port);
        return { ...result, seen: inside.hits() };
      };
      const besides = async () => {
        const open = await httpsReceiver(host, pair, (_request, response) => response.end());
        const result = await send(open.port, guarded(['11.22.33.44', ip]));
        return { ...result, seen: open.hits() };
      };
      return [
        [`literal ${ip}`, () => watched((port) => send(url(port), { allowPrivate: false }))],
        [`name of ${ip}`, () => watched((port) => send(port, guarded([ip])))],
        [`public and ${ip}`, besides],
      ];
    }),
  );
}

export function nameScenarios({ host, send, pair }: Ground): Scenarios {
  return {
    'rebinding name': async () => {
      const open = await httpsReceiver(host, pair, (_request, response) => response.end('open'));
      const inside = await tcpReceiver('127.0.0.2', (socket) => socket.destroy(), open.port);
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [asked === 1 ? host : '127.0.0.2'];
      };
      const result = await send(open.port, { resolve });
      return { ...result, seen: { asked, open: open.hits(), inside: inside.hits() } };
    },
    'name without addresses': () => send(443, { resolve: async () => [] }),
    'unknown name': () =>
      send(443, { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) }),
    'broken DNS': () =>
      send(443, { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ESERVFAIL' })) }),
    'look-up of 20 s': () => send(443, { resolve: () => sleep(20_000, [host], { ref: false }) }),
    // The kernel refuses to connect to it before anything is sent, and so before anybody listens.
    'no way there': () => send(443, { allowPrivate: true, resolve: async () => ['255.255.255.255'] }),
    'first of two addresses refuses': async () => {
      const open = await httpsReceiver(host, pair, (_request, response) => response.end('second'));
      // Nobody listens on the first: the port is taken on `host` alone.
      return send(open.port, { allowPrivate: true, resolve: async () => ['127.0.0.3', host] });
    },
    'first of two addresses is far away': async () => {
      const port = await farReceiver('127.0.0.4');
      // What would be tried if the first were given up before its time.
      const resolve = async () => ['127.0.0.4', '255.255.255.255'];
      return send(`http://shop.example:${port}/`, { allowPrivate: true, resolve });
    },
  };
}

export function redirectScenarios({ host, send, pair }: Ground): Scenarios {
  return Object.fromEntries(
    REDIRECTS.map((status) => [
      `redirect ${status}`,
      async () => {
        const target = await httpsReceiver(host, pair, (_request, response) => response.end());
        const location = `https://shop.example:${target.port}/next`;
        const first = await httpsReceiver(host, pair, (_request, response) => {
          response.writeHead(status, { location }).end();
        });
        const result = await send(first.port);
        return { ...result, seen: { first: first.hits(), target: target.hits() } };
      },
    ]),
  );
}
