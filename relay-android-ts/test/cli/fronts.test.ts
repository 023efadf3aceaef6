/**
 * Something answers in the server's place: a proxy, a firewall, a portal. Whatever it says, every SMS stays
 * on the phone, and is delivered when the server itself answers again.
 */
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadJournal } from '../../src/cli/context.js';
import { DeadLetterState } from '../../src/core/inbox/dead-letters.js';
import { QueueState } from '../../src/core/inbox/queue.js';
import { Home } from '../../src/ports/node-home.js';
import { AgentProcess, arrive, pairedHome, until } from '../helpers/agent.js';
import { wireDispatch } from '../helpers/dispatches.js';
import { smsText } from '../helpers/messages.js';
import { answer, type SyncBody, TestServer } from '../helpers/server.js';

type Front = readonly [name: string, answers: (response: ServerResponse, body: SyncBody) => void];

const html = (status: number, headers: Readonly<Record<string, string>> = {}): Front => [
  `HTML ${status} ${JSON.stringify(headers)}`,
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end(`<html><body>${status}</body></html>`);
  },
];

const json = (status: number, of: (body: SyncBody) => object): Front => [
  `JSON ${status} ${JSON.stringify(of({ messages: [], reports: [], health: {} }))}`,
  (response, body) => answer(response, status, of(body)),
];

const results = ({ messages }: SyncBody, state: string) => messages.map(({ id }) => ({ id, state }));

const broken: readonly Front[] = [
  [
    'an answer that is cut off',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"status":true,"results":[', () => response.socket?.destroy());
    },
  ],
  ['half of a JSON text', (response) => response.end('{"status":true,"results":[')],
  ['no HTTP at all', (response) => response.socket?.end('220 mail.example.com ESMTP\r\n')],
];

const groups: readonly (readonly [what: string, fronts: readonly Front[]])[] = [
  [
    'the nine statuses that speak of the moment, the route or the server',
    [404, 405, 407, 408, 409, 421, 423, 425, 429].map((status) => html(status)),
  ],
  [
    'statuses that speak of the request or the caller',
    [400, 401, 402, 403, 410, 413, 414, 415, 422, 431, 451].map((status) => html(status)),
  ],
  [
    'statuses of a broken server, a page of 200, and redirects',
    [...[500, 502, 503, 504, 200, 204].map((status) => html(status)), html(302, { location: '/sign-in' })],
  ],
  [
    'JSON of somebody else, without a receipt or with a wrong one',
    [
      json(200, () => ({ status: true })),
      json(200, (body) => ({ status: true, results: results(body, 'stored') })),
      json(200, (body) => ({ status: true, results: results(body, 'rejected'), receipt: 'a'.repeat(64) })),
      json(200, () => ({ status: true, results: [], dispatches: [wireDispatch('d1')] })),
      json(400, (body) => ({ status: false, message: 'No', results: results(body, 'rejected') })),
      json(403, () => ({ error: 'Forbidden' })),
    ],
  ],
  ['answers that break off, or are none', broken],
];

const PER_FRONT = 3;

async function someArrive(inbox: string, from: number): Promise<void> {
  for (let number = from; number < from + PER_FRONT; number += 1) {
    const sms = { sender: 'bKash', body: smsText(number), received_at: '2026-01-31T10:00:00+06:00' };
    await arrive(inbox, number, { ...sms, sim_slot: 1 });
  }
}

function bodyOf(text: string): SyncBody {
  return text === '' ? { messages: [], reports: [], health: {} } : (JSON.parse(text) as SyncBody);
}

async function assertKept(t: ExecutionContext, home: Home, name: string): Promise<void> {
  const queue = await loadJournal(home.queuePath, new QueueState());
  const dead = await loadJournal(home.deadLettersPath, new DeadLetterState());
  t.deepEqual([queue.messages.size, dead.letters.size], [PER_FRONT, 0], name);
}

for (const [what, fronts] of groups) {
  test(`every SMS is kept, and delivered afterwards: ${what}`, async (t) => {
    const server = await TestServer.start(t);
    const home = new Home(await pairedHome(t, server));
    const inbox = join(home.path, 'inbox');
    const agent = new AgentProcess(t, ['run', '--inbox', inbox, '--home', home.path]);
    await until('connected', () => agent.stderr.includes('connected to'));
    for (const [index, [name, answers]] of fronts.entries()) {
      const from = server.seen.length;
      const asked = () => server.seen.slice(from).filter(({ body }) => body.includes('TrxID'));
      server.front = (response) => answers(response, bodyOf(server.seen.at(-1)?.body ?? ''));
      await someArrive(inbox, index * PER_FRONT);
      const kept = async () => (await loadJournal(home.queuePath, new QueueState())).messages.size;
      await until(`${name}: all are taken in`, async () => (await kept()) === PER_FRONT);
      await until(`${name}: it was asked twice`, () => asked().length >= 2);
      await assertKept(t, home, name);
      server.front = null;
      await until(`${name}: all are stored`, () => server.stored.size === (index + 1) * PER_FRONT);
      await until(`${name}: none waits`, async () => (await kept()) === 0);
    }
    const bodies = [...server.stored.values()].map(({ body }) => body);
    t.is(new Set(bodies).size, fronts.length * PER_FRONT);
    t.is(bodies.length, fronts.length * PER_FRONT, 'no SMS is stored under two ids');
    t.notRegex(agent.stderr, /not paired any more|refuses a message/);
    t.deepEqual(await readdir(join(home.path, 'outbox')).catch(() => []), [], 'no SMS was sent');
    t.is(await agent.kill('SIGTERM'), 0);
  });
}

test('SMS that the server stored are not lost when a proxy then answers in its place', async (t) => {
  const server = await TestServer.start(t);
  const home = new Home(await pairedHome(t, server));
  const inbox = join(home.path, 'inbox');
  let replaced = 0;
  server.fault = ({ body, response, commit }) => {
    if (body.messages.length === 0 || replaced >= 3) return false;
    replaced += 1;
    commit();
    response.writeHead(400, { 'content-type': 'text/html' }).end('<html>Bad Request</html>');
    return true;
  };
  await someArrive(inbox, 0);
  const agent = new AgentProcess(t, ['run', '--inbox', inbox, '--home', home.path]);
  const waiting = async () => (await loadJournal(home.queuePath, new QueueState())).messages.size;
  await until('all are confirmed', async () => replaced === 3 && (await waiting()) === 0);
  t.is(server.stored.size, PER_FRONT);
  t.is(await agent.kill('SIGTERM'), 0);
});
