/**
 * What lies between a relay phone and its daemon on a bad day. It shows the daemon's own certificate, so it
 * sees whole requests and can lose what it means to lose.
 */
import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

/**
 * `refuses`: no connection is made, and those there are break. `swallows`: requests go nowhere and nothing
 * comes back until the spell is over, when their connections break. `cuts`: half of a request arrives.
 * `drags`: what is asked arrives late, and so does the answer. `talks`: something else answers in the
 * daemon's place, every second time after the daemon has heard the request.
 */
export type Weather = 'fine' | 'refuses' | 'swallows' | 'cuts' | 'drags' | 'talks';

const DRAG_MS = 250;
/** What proxies, firewalls and portals say. */
const TALK = [400, 200, 451, 403, 302, 502, 410];
/** Of all answers to requests that brought SMS, each such one is lost. */
const EVERY = 5;

export class BadNetwork {
  /** How many requests each weather met; of `refuses` connections. */
  readonly met: Record<Weather, number> = { fine: 0, refuses: 0, swallows: 0, cuts: 0, drags: 0, talks: 0 };
  /** Answers to SMS, stored by the daemon, which the phone never got. */
  lost = 0;
  private weather: Weather = 'fine';
  private brought = 0;
  private swallowed: Socket[] = [];
  private readonly sockets = new Set<Socket>();

  /** @param daemonUrl asked for every request, since a daemon that was killed may come back elsewhere. */
  constructor(private readonly daemonUrl: () => string) {}

  /** Ends the spell that was before. */
  turn(weather: Weather): void {
    for (const socket of this.swallowed) socket.destroy();
    this.swallowed = [];
    this.weather = weather;
    if (weather === 'refuses') this.breakAll();
  }

  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  connected(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
    if (this.weather !== 'refuses') return;
    this.met.refuses += 1;
    socket.destroy();
  }

  async take(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const { weather } = this;
    this.met[weather] += 1;
    if (weather === 'swallows') {
      this.swallowed.push(asked.socket);
      return;
    }
    if (weather === 'drags') await sleep(DRAG_MS);
    if (weather === 'cuts') {
      const passed = this.pass(asked);
      passed.write(body.subarray(0, body.length >> 1), () => passed.destroy());
      return;
    }
    if (weather === 'talks') {
      this.talk(asked, body, answer);
      return;
    }
    const brings = bringsSms(body);
    if (brings) this.brought += 1;
    const isLost = brings && this.brought % EVERY === 0;
    this.pass(asked)
      .on('response', (said) => {
        if (isLost) {
          this.lost += 1;
          said.destroy();
          asked.socket.destroy();
          return;
        }
        answer.writeHead(said.statusCode ?? 502, said.headers);
        said.on('error', () => asked.socket.destroy()).pipe(answer);
        answer.on('close', () => said.destroy());
      })
      .end(body);
  }

  private talk(asked: IncomingMessage, body: Buffer, answer: ServerResponse): void {
    const turn = this.met.talks;
    if (turn % 2 === 0) {
      this.pass(asked)
        .on('response', (said) => said.resume())
        .end(body);
    }
    answer.writeHead(TALK[turn % TALK.length] ?? 500, { 'content-type': 'text/html', location: '/' });
    answer.end('<html><body>Not here</body></html>');
  }

  private pass({ url, method, headers, socket }: IncomingMessage): ClientRequest {
    const options = { method, headers, rejectUnauthorized: false };
    return request(`${this.daemonUrl()}${url}`, options).on('error', () => socket.destroy());
  }
}

/** @returns a bad network in fine weather, and where a phone finds the daemon behind it. */
export async function openBadNetwork(
  t: ExecutionContext<unknown>,
  { home, daemonUrl }: { readonly home: string; readonly daemonUrl: () => string },
): Promise<{ readonly network: BadNetwork; readonly url: string }> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(home, 'tls', name)));
  const network = new BadNetwork(daemonUrl);
  const server = createServer({ key, cert }, (asked, answer) => {
    network.take(asked, answer).catch(() => asked.socket.destroy());
  });
  server.on('connection', (socket: Socket) => network.connected(socket)).on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    network.breakAll();
    server.close();
  });
  return { network, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function bringsSms(body: Buffer): boolean {
  if (body.length === 0) return false;
  const { messages = [] } = JSON.parse(body.toString()) as { readonly messages?: readonly unknown[] };
  return messages.length > 0;
}
