/** The real agent against a real server under real problem: nothing is lost, nothing is stored twice. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { AgentProcess, arrive, pairedHome, runAgent, until } from '../helpers/agent.js';
import { answer, TestServer } from '../helpers/server.js';
import { amount } from '../helpers/tiers.js';

function sms(number: number): { sender: string; body: string; received_at: string; sim_slot: number } {
  return {
    sender: number % 3 === 0 ? 'NAGAD' : 'bKash',
    body: `You have received Tk ${number}.00 from 01700000000. TrxID KILL${String(number).padStart(6, '0')} টাকা`,
    received_at: new Date(Date.UTC(2026, 0, 31, 4, 0, 0) + number).toISOString(),
    sim_slot: 1 + (number % 2),
  };
}

/** Every SMS is stored, under one id each. */
function assertComplete(t: ExecutionContext, server: TestServer, count: number): void {
  const bodies = [...server.stored.values()].map(({ body }) => body);
  t.is(new Set(bodies).size, count, 'every SMS is stored');
  t.is(bodies.length, count, 'no SMS is stored under two ids');
  t.is(server.mostInFlight, 1);
}

/** Every second request fails: refused, broken off before or after the commit, or only half stored. */
function makeUnreliable(server: TestServer): { readonly faults: () => number } {
  let requests = 0;
  let faults = 0;
  server.fault = ({ body, request, response, commit }) => {
    if (body.messages.length === 0) return false;
    requests += 1;
    if (requests % 2 !== 0) return false;
    faults += 1;
    switch (faults % 4) {
      case 0:
        answer(response, 500, { status: false, message: 'Something unexpected went wrong' });
        return true;
      case 1:
        request.socket.destroy();
        return true;
      case 2:
        commit();
        request.socket.destroy();
        return true;
      default:
        answer(response, 200, commit(Math.ceil(body.messages.length / 2)));
        return true;
    }
  };
  return { faults: () => faults };
}

/** SMS arrive as at a phone, alone and in groups, until all are there. */
async function feed(folder: string, count: number, everyMs: number): Promise<void> {
  for (let from = 0, step = 0; from < count; step++) {
    const end = Math.min(count, from + ([1, 7, 1, 40][step % 4] ?? 1));
    for (; from < end; from++) await arrive(folder, String(from).padStart(6, '0'), sms(from));
    await sleep(everyMs);
  }
}

test('SMS through kills of the agent and a failing server: all stored, none under two ids', async (t) => {
  const kills = amount(8, 20);
  const total = kills * 100;
  const server = await TestServer.start(t);
  const { faults } = makeUnreliable(server);
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  const feeding = feed(inbox, total, 60);
  for (let kill = 0; kill < kills; kill++) {
    const before = server.deliveries;
    const agent = new AgentProcess(t, ['run', '--inbox', inbox, '--home', home]);
    // Some are killed while starting, some right after a delivery, some later.
    if (kill % 5 !== 0)
      await until('a delivery', () => server.deliveries > before || server.stored.size === total);
    await sleep((kill * 37) % 150);
    t.is(agent.child.exitCode, null, agent.stderr);
    await agent.kill('SIGKILL');
  }
  await feeding;
  const last = new AgentProcess(t, ['run', '--inbox', inbox, '--home', home]);
  // All may be stored before this one is up, and a signal that comes earlier than its handler ends it.
  await until('the last agent is up', () => last.stderr.includes('connected to'));
  await until('everything is stored', () => server.stored.size >= total);
  t.is(await last.kill('SIGTERM'), 0);
  assertComplete(t, server, total);
  // On a slow machine there are few deliveries, and each of them is large.
  t.true(faults() >= amount(2, 4), `${faults()} faults`);
  server.fault = () => false;
  t.is((await runAgent(['run', '--inbox', inbox, '--once', '--home', home])).code, 0);
  assertComplete(t, server, total);
  const report = JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
  t.deepEqual([report.queued, report.dead_letters], [0, []]);
});

test('while the server is away SMS are kept, and when it is back they are delivered in few requests', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  const agent = new AgentProcess(t, ['run', '--inbox', inbox, '--home', home]);
  await until('connected', () => agent.stderr.includes('connected to'));
  await server.down();
  await feed(inbox, 60, 0);
  await until('the problem is told', () => agent.stderr.includes('cannot be reached'));
  const status = async () => JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
  await until('all are in the queue', async () => (await status()).queued === 60);
  await server.up();
  const before = server.syncs.length;
  await until('everything is stored', () => server.stored.size === 60);
  t.true(server.syncs.length - before <= 3, `${server.syncs.length - before} requests`);
  await until('connected again', () => agent.stderr.split('connected to').length === 3);
  assertComplete(t, server, 60);
});

test('a phone with a revoked key keeps its SMS, reports it clearly, and delivers them after pairing again', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  server.deviceKey = 'dk_another_key_0123456789';
  await arrive(join(home, 'inbox'), 1, sms(1));
  const once = ['run', '--platform', 'simulator', '--once', '--home', home];
  const first = await runAgent(once);
  t.is(first.code, 4);
  t.regex(first.stderr, /this phone is not paired any more; run kashbox-relay pair/);
  t.is((await runAgent(['pair', server.link, '--home', home])).code, 0);
  t.is((await runAgent(once)).code, 0);
  assertComplete(t, server, 1);
});

test('a change of health is reported at once', async (t) => {
  const server = await TestServer.start(t);
  server.nextPollMs = 60_000;
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  new AgentProcess(t, ['run', '--inbox', inbox, '--home', home]);
  await until('the stream is open', () => server.streams.size === 1);
  t.true(server.syncs.every(({ health }) => health.battery === null));
  await arrive(inbox, 'health', { battery: 12, charging: false, network: 'mobile' });
  await until('the change', () => server.syncs.at(-1)?.health.battery === 12);
  const { battery, charging, network } = server.syncs.at(-1)?.health ?? {};
  t.deepEqual([battery, charging, network], [12, false, 'mobile']);
});
