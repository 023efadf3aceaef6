/** Limits of a session that take a minute or more, with shorter times; and what becomes of a connection. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Handler } from '../../../daemon/http/bare.js';
import { addHttp2 } from '../../../daemon/http/http2.js';
import type { SessionLimits } from '../../../daemon/http/http2-sessions.js';
import { tlsPair } from '../../helpers/network/tls-pair.js';
import { until } from '../../helpers/until.js';
import {
  ask,
  block,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  number,
  openFrames,
  openSession,
  request,
} from './session.js';

async function openServer(t: ExecutionContext<unknown>, serve: Handler, limits: Partial<SessionLimits>) {
  const server = createServer({ ...(await tlsPair()), ALPNProtocols: ['h2', 'http/1.1'] }, serve);
  addHttp2(server, serve, { sweepMs: 50, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { server, port: (server.address() as AddressInfo).port, connections };
}

const GET = frame(FRAME.headers, END_STREAM | END_HEADERS, 1, block(request('GET', '/')));

test('a session without requests ends in good order, pings or not; one that waits for an answer does not', async (t) => {
  const { port } = await openServer(t, (_request, response) => void response.writeHead(200).end('x'), {
    idleMs: 1_000,
  });
  const waiting = await openServer(t, (_request, response) => void response.writeHead(200), {
    idleMs: 1_000,
  });
  const idle = await openFrames(t, port);
  const kept = await openFrames(t, waiting.port);
  const begun = performance.now();
  for (const client of [idle, kept]) client.send(GET);
  await until(() => idle.of(FRAME.data).length > 0 && kept.of(FRAME.headers).length > 0);
  const pings = setInterval(() => idle.send(frame(FRAME.ping, 0, 0, Buffer.alloc(8))), 100);
  const took = (await idle.closed) - begun;
  clearInterval(pings);
  t.true(took >= 1_000 && took < 30_000, String(took));
  const [goaway] = idle.of(FRAME.goaway);
  t.is(goaway?.payload.readUInt32BE(4), 0, 'no error');
  t.false(kept.socket.destroyed);
});

test('an answer that nobody reads is given up, and its session with it if that does not help', async (t) => {
  const { port, connections } = await openServer(
    t,
    (_request, response) => void response.writeHead(200).end('x'.repeat(100_000)),
    { unreadMs: 500, idleMs: 1_000 },
  );
  // A window of no bytes for each stream; and a client that takes nothing from its socket.
  const closedWindow = await openFrames(t, port, [[4, 0]]);
  closedWindow.send(GET);
  await until(() => closedWindow.of(FRAME.reset).length > 0);
  t.is(closedWindow.of(FRAME.reset)[0]?.payload.readUInt32BE(0), 8, 'cancelled');
  const deaf = await openFrames(t, port, [[4, 2 ** 30]]);
  deaf.socket.pause();
  const gets = Array.from({ length: 90 }, (_, at) =>
    frame(FRAME.headers, END_STREAM | END_HEADERS, 1 + 2 * at, block(request('GET', '/'))),
  );
  deaf.send(frame(FRAME.window, 0, 0, number(2 ** 30)), ...gets);
  await until(async () => (await connections()) === 0);
  t.pass();
});

test('who does not hang up after the last words is cut', async (t) => {
  const { server, port, connections } = await openServer(t, (_request, response) => void response.end(), {
    lingerMs: 300,
  });
  const client = await openFrames(t, port);
  client.send(GET);
  await until(() => client.of(FRAME.headers).length > 0);
  client.socket.pause();
  const begun = performance.now();
  server.closeIdleConnections();
  await until(async () => (await connections()) === 0);
  t.true(performance.now() - begun < 5_000);
});

test('requests that are given up are counted, whoever gave them up, and are forgotten again', async (t) => {
  let served = 0;
  const { port } = await openServer(
    t,
    () => {
      served += 1;
    },
    { givenUp: 20, givenUpPerS: 10 },
  );
  const open = (at: number) =>
    frame(FRAME.headers, END_STREAM | END_HEADERS, 1 + 2 * at, block(request('GET', '/')));
  const cancel = (at: number) => frame(FRAME.reset, 0, 1 + 2 * at, number(8));
  // A window that grows by nothing would make the server give up the stream: Node ends the session.
  const provoke = (at: number) => frame(FRAME.window, 0, 1 + 2 * at, number(0));
  for (const [end, least] of [
    [cancel, 20],
    [provoke, 1],
  ] as const) {
    served = 0;
    const client = await openFrames(t, port);
    for (let at = 0; at < 300 && !client.socket.destroyed; at += 1) {
      client.send(open(at));
      await until(() => served > at || client.socket.destroyed);
      client.send(end(at));
    }
    await client.closed;
    t.true(served >= least && served < 150, `${end.name} ${served}`);
  }
  const patient = await openFrames(t, port);
  served = 0;
  for (let at = 0; at < 30; at += 1) {
    patient.send(open(at));
    await until(() => served > at);
    patient.send(cancel(at));
    await sleep(60);
  }
  t.false(patient.socket.destroyed);
});

test('a session takes a hundred requests at once, and the next ones when those are answered', async (t) => {
  const waiting: (() => void)[] = [];
  const { port } = await openServer(
    t,
    (_request, response) => void waiting.push(() => response.writeHead(200).end('x')),
    {},
  );
  const client = await openFrames(t, port);
  await until(() => client.of(FRAME.settings).length > 1);
  const gets = Array.from({ length: 101 }, (_, at) =>
    frame(FRAME.headers, END_STREAM | END_HEADERS, 1 + 2 * at, block(request('GET', '/'))),
  );
  client.send(...gets);
  await until(() => client.of(FRAME.reset).length + client.of(FRAME.goaway).length > 0);
  t.true(waiting.length <= 100);
  const session = await openSession(t, port);
  const asked = Promise.all(Array.from({ length: 150 }, () => ask(session, { ':path': '/' })));
  const answer = setInterval(() => {
    for (const say of waiting.splice(0)) say();
  }, 50);
  const answers = await asked;
  clearInterval(answer);
  t.true(
    answers.every(({ status }) => status === 200),
    'Node’s client waits for its turn',
  );
});
