/** Endpoints that answer right, wrong, late, endlessly or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { freePort } from '../helpers/network/free-port.js';
import type { Ground, Scenarios } from './ground.js';
import { httpsReceiver, pourInto, rawReceiver, tcpReceiver } from './receivers.js';

export const REFUSED = [201, 202, 204, 400, 404, 410, 500, 503];
/** Each flood is let loose so many times, one after the other, so that what is kept would show. */
const FLOODS = 10;
const OK = 'HTTP/1.1 200 OK\r\n';

export function plainScenarios({ host, pair, send }: Ground): Scenarios {
  const statuses = REFUSED.map((status) => [
    `status ${status}`,
    async () => {
      const receiver = await httpsReceiver(host, pair, (_request, response) => {
        response.writeHead(status, { 'retry-after': '120' }).end(status === 204 ? '' : 'not so');
      });
      return { ...(await send(receiver.port)), seen: receiver.hits() };
    },
  ]);
  return {
    ...Object.fromEntries(statuses),
    'answers 200': async () => {
      let seen: object = {};
      const receiver = await httpsReceiver(host, pair, async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString();
        const { servername } = request.socket as { readonly servername?: string };
        seen = { method: request.method, path: request.url, headers: request.headers, body, servername };
        response.end('thanks\n\u0000\u001b[2J');
      });
      return { ...(await send(receiver.port)), seen };
    },
    'long answer': async () => {
      const receiver = await httpsReceiver(host, pair, (_request, response) =>
        response.end('ক'.repeat(5_000)),
      );
      return send(receiver.port);
    },
  };
}

export function lateScenarios({ host, pair, send }: Ground): Scenarios {
  /** Counted from when the attempt began. */
  const after = async (ms: number) => {
    let began = 0;
    const receiver = await httpsReceiver(host, pair, async (_request, response) => {
      await sleep(ms - (performance.now() - began));
      response.end();
    });
    began = performance.now();
    return send(receiver.port);
  };
  /** Of a machine that stands still for a moment just then the sender knows nothing. */
  const inTime = async (ms: number) => {
    for (let left = 3; ; left -= 1) {
      const result = await after(ms);
      if (result.outcome === 'delivered' || left === 1) return result;
    }
  };
  const drip = async (head: string) => {
    const receiver = await rawReceiver(host, pair, (socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 100).unref();
      socket.on('close', () => clearInterval(timer));
    });
    return send(receiver.port);
  };
  return {
    '200 after 4,800 ms': () => inTime(4_800),
    '200 after 5,200 ms': () => after(5_200),
    'body in drips': () => drip(`${OK}content-length: 4000\r\n\r\n`),
    'headers in drips': () => drip(OK),
    'accepts and says nothing': async () => send((await tcpReceiver(host, () => {})).port),
    'TLS in drips': async () => {
      const receiver = await tcpReceiver(host, (socket) => {
        // The beginning of a handshake record of 16 KiB.
        socket.write(Buffer.from([22, 3, 3, 0x40, 0]));
        const timer = setInterval(() => socket.write(Buffer.alloc(1)), 100).unref();
        socket.on('close', () => clearInterval(timer));
      });
      return send(receiver.port);
    },
  };
}

export function brokenScenarios({ host, pair, send }: Ground): Scenarios {
  const says = async (text: string) => {
    const receiver = await rawReceiver(host, pair, (socket) => socket.end(text));
    return send(receiver.port);
  };
  return {
    'closes before the answer': async () => {
      const receiver = await rawReceiver(host, pair, (socket) => socket.destroy());
      return send(receiver.port);
    },
    'closes inside the body': () => says(`${OK}content-length: 100\r\n\r\nonly this`),
    'closes inside a chunk': () => says(`${OK}transfer-encoding: chunked\r\n\r\n64\r\nonly this`),
    'closes at the end of a body without length': () => says(`${OK}\r\nall of it`),
    'is no web server': () => says('220 mail.shop.example ESMTP\r\n'),
    'switches protocols': () =>
      says('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'hints before it answers': () =>
      says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    'nobody listens': async () => send(await freePort()),
  };
}

/** `seen` is how many bytes an endpoint could push, and how much more memory is held afterwards. */
export function floodScenarios({ host, pair, send }: Ground): Scenarios {
  const flood = async (head: string, chunk: Buffer) => {
    let counts: (() => number)[] = [];
    const receiver = await rawReceiver(host, pair, (socket) => {
      socket.write(head);
      counts = [...counts, pourInto(socket, chunk)];
    });
    const last = () => send(receiver.port);
    let result = await last();
    const before = heldBytes();
    for (let i = 1; i < FLOODS; i += 1) result = await last();
    const pushed = Math.max(...counts.map((count) => count()));
    return { ...result, seen: { pushed, grown: heldBytes() - before, times: counts.length } };
  };
  const filler = Buffer.alloc(65_536, 'x');
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  return {
    'endless body': () => flood(`${OK}\r\n`, filler),
    'endless refusal': () => flood('HTTP/1.1 500 Oh\r\n\r\n', filler),
    'gzip bomb': () => flood(`${OK}content-encoding: gzip\r\n\r\n`, bomb),
    'headers without end': () => flood(`${OK}x-long: `, filler),
    'interim answers without end': () => flood('', Buffer.from('HTTP/1.1 102 Processing\r\n\r\n')),
  };
}

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
