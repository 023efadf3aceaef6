/** The real agent on a phone that behaves as Termux does, and on the simulator: sending, waking, the end. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { APP_VERSION } from '../../src/version.js';
import { AgentProcess, arrive, pairedHome, runAgent, until } from '../helpers/agent.js';
import { wireDispatch } from '../helpers/dispatches.js';
import { FakePhone } from '../helpers/fake-phone.js';
import { TestServer, type WireReport } from '../helpers/server.js';
import { amount } from '../helpers/tiers.js';

function reportsOf(server: TestServer): WireReport[] {
  return server.syncs.flatMap(({ reports }) => reports);
}

async function pairedPhone(t: ExecutionContext, plan: object) {
  const server = await TestServer.start(t);
  server.nextPollMs = 60_000;
  const home = await pairedHome(t, server);
  const phone = await FakePhone.open(t, plan);
  const run = () =>
    new AgentProcess(t, ['run', '--poll-ms', '100', '--home', home], {
      PATH: phone.path,
      PREFIX: '/com.termux/usr',
    });
  return { server, home, phone, run };
}

test('in Termux the agent finds its phone by itself: SMS in, SMS out, awake, and in plain sight', async (t) => {
  const plan = {
    sending: 'sent',
    print: { 'termux-battery-status': JSON.stringify({ percentage: 81, plugged: 'PLUGGED_AC' }) },
  };
  const { server, phone, run } = await pairedPhone(t, plan);
  const agent = run();
  await until('the stream is open', () => server.streams.size === 1);
  await phone.has([{ _id: 1, date: Date.now(), body: 'আপনি ৫০০ টাকা পেয়েছেন' }]);
  await until('the SMS is stored', () => server.stored.size === 1);
  t.is([...server.stored.values()][0]?.body, 'আপনি ৫০০ টাকা পেয়েছেন');
  server.dispatches = [wireDispatch('d1', { sim_slot: 1 })];
  server.call();
  await until('it is reported', () => reportsOf(server).length > 0);
  t.deepEqual(reportsOf(server), [{ id: 'd1', state: 'SENT' }]);
  await until('the health is told', () => server.syncs.some(({ health }) => health.battery === 81));
  await until('it is shown', async () =>
    JSON.stringify(await phone.called('termux-notification')).includes('connected, 0 waiting, last SMS '),
  );
  t.is(await agent.kill('SIGTERM'), 0);
  const called = (await phone.called()).map(({ program }) => program);
  for (const name of ['termux-wake-lock', 'termux-notification-remove', 'termux-wake-unlock'])
    t.true(called.includes(name), name);
  t.is((await phone.called('termux-sms-send')).length, 1);
});

test('after a kill during sending, UNKNOWN is reported and the SMS is never sent again', async (t) => {
  const { server, phone, run } = await pairedPhone(t, { hang: ['termux-sms-send'] });
  server.dispatches = [wireDispatch('d1')];
  const first = run();
  await until('it is being sent', async () => (await phone.called('termux-sms-send')).length === 1);
  await first.kill('SIGKILL');
  await phone.plan({ sending: 'sent' });
  const second = run();
  // The server may believe that the answer was lost.
  server.dispatches = [wireDispatch('d1'), wireDispatch('d2')];
  await until('both are reported', () => reportsOf(server).some(({ id }) => id === 'd2'));
  t.is(await second.kill('SIGTERM'), 0);
  const told = reportsOf(server).map(({ id, state }) => `${id} ${state}`);
  t.deepEqual([...new Set(told)].sort(), ['d1 UNKNOWN', 'd2 SENT']);
  t.is((await phone.called('termux-sms-send')).length, 2, 'one call for each');
});

test('a phone that may not read SMS says so to its server, in status and in plain sight, until it may', async (t) => {
  const { server, home, phone, run } = await pairedPhone(t, {});
  const agent = run();
  const last = () => server.syncs.at(-1)?.health.problem;
  await until('all is well', () => server.streams.size === 1 && last() === null);
  const refusal = 'Please grant the following permission(s) to use this command: android.permission.READ_SMS';
  await phone.plan({ refuse: { 'termux-sms-list': refusal } });
  const problem = 'cannot read SMS: Termux:API lacks the SMS permission';
  await until('the server hears of it', () => last() === problem);
  const status = async (...more: string[]) => (await runAgent(['status', '--home', home, ...more])).stdout;
  await until('status says it', async () => JSON.parse(await status('--json')).problem?.message === problem);
  t.regex(
    await status(),
    /^Problem +since .*\+06:00: cannot read SMS: Termux:API lacks the SMS permission$/m,
  );
  await until('it is shown', async () =>
    JSON.stringify(await phone.called('termux-notification')).includes(`"${problem}; connected, 0 waiting`),
  );
  await phone.plan({});
  await until('the server hears that it is over', () => last() === null);
  await until('status, too', async () => /^Problem +none$/m.test(await status()));
  t.is(await agent.kill('SIGTERM'), 0);
});

async function sentFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith('d') && name.endsWith('.json')).sort();
}

test('kills of an agent that sends: nothing is sent twice, and everything ends in a word', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const outbox = join(home, 'outbox');
  // What was handed out in an answer that the agent did not live to read, the server hands out again.
  const open = new Map<string, object>();
  const kills = amount(6, 20);
  for (let number = 0; number < kills; number++) {
    const id = `d${String(number).padStart(2, '0')}`;
    open.set(id, wireDispatch(id));
  }
  server.fault = ({ body }) => {
    for (const { id } of body.reports) open.delete(id);
    const held = new Set(body.outbox?.held ?? []);
    server.dispatches = [...open].filter(([id]) => !held.has(id)).map(([, one]) => one);
    return false;
  };
  const args = ['run', '--platform', 'simulator', '--poll-ms', '1000', '--home', home];
  for (let kill = 0; kill < kills; kill++) {
    const agent = new AgentProcess(t, args);
    const before = (await sentFiles(outbox)).length;
    await until('it sends, or there is nothing to send', async () => {
      return open.size === 0 || (await sentFiles(outbox)).length > before;
    });
    await agent.kill('SIGKILL');
  }
  const last = new AgentProcess(t, args);
  // All may be told before this one is up, and a signal that comes earlier than its handler ends it.
  await until('all is told', () => open.size === 0 && last.stderr.includes('connected to'));
  t.is(await last.kill('SIGTERM'), 0);
  const files = await sentFiles(outbox);
  t.deepEqual(
    files.filter((name) => !name.endsWith('.1.json')),
    [],
    'a second file would be a second SMS',
  );
  const words = new Map(reportsOf(server).map(({ id, state }) => [id, state]));
  t.is(words.size, kills);
  const sent = [...words].filter(([, state]) => state === 'FAILED').map(([id]) => `${id}.1.json`);
  t.true(sent.every((name) => files.includes(name)));
  t.log(`${sent.length} told, ${kills - sent.length} UNKNOWN`);
});

test('the simulator writes SMS into a folder and never reports one as sent', async (t) => {
  const server = await TestServer.start(t);
  server.nextPollMs = 60_000;
  const home = await pairedHome(t, server);
  const outbox = join(home, 'outbox');
  const once = ['run', '--platform', 'simulator', '--once', '--home', home];
  server.dispatches = [wireDispatch('d1', { sim_slot: 2 })];
  t.is((await runAgent(once)).code, 0);
  t.deepEqual(reportsOf(server), [{ id: 'd1', state: 'FAILED', error: 'simulated: no SMS was sent' }]);
  t.is(server.syncs.at(-1)?.health?.app_version, `${APP_VERSION} (simulator)`);
  t.deepEqual(await sentFiles(outbox), ['d1.1.json']);
  t.deepEqual(JSON.parse(await readFile(join(outbox, 'd1.1.json'), 'utf8')), {
    id: 'd1',
    number: '+8801700000001',
    message: 'text of d1',
    sim_slot: 2,
  });
  const status = JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
  t.deepEqual(status.outbox, { waiting: 0, unreported: 0 });
});

test('a server that misses an SMS gets everything since then again and a notice when that is done', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  for (const hour of [1, 2, 3]) {
    const received_at = `2026-01-31T0${hour}:00:00Z`;
    await arrive(inbox, hour, { sender: 'bKash', body: `text ${hour}`, received_at });
  }
  new AgentProcess(t, ['run', '--inbox', inbox, '--home', home]);
  await until('all are stored', () => server.stored.size === 3);
  const before = server.deliveries;
  server.resendSince = '2026-01-31T02:00:00Z';
  server.call('resend');
  const done = () => server.syncs.find(({ resent_since }) => resent_since !== undefined)?.resent_since;
  await until('it is done', () => done() !== undefined);
  t.is(done(), '2026-01-31T02:00:00.000Z');
  t.deepEqual([server.deliveries - before, server.stored.size], [2, 3], 'with the ids that they had');
});

test('without streams the agent waits at the server', async (t) => {
  const server = await TestServer.start(t);
  server.noStreams = 404;
  const home = await pairedHome(t, server);
  new AgentProcess(t, ['run', '--platform', 'simulator', '--home', home]);
  await until('it waits there', () => server.syncs.some(({ wait_ms }) => wait_ms === 25_000));
  t.pass();
});
