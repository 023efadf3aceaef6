/** SMS that the server itself refuses: told, shown, sent once more on some occasions, and never in a loop. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { loadDeadLetters } from '../../src/cli/dead-letters.js';
import { crc32 } from '../../src/core/journal/journal.js';
import { Home } from '../../src/ports/node-home.js';
import { AgentProcess, arrive, pairedHome, runAgent, until } from '../helpers/agent.js';
import { receipted } from '../helpers/receipts.js';
import { answer, TestServer, type WireMessage } from '../helpers/server.js';

const SIMULATOR = ['--platform', 'simulator'];
const REASON = 'body may be at most 5 characters';

/** A server that refuses some messages, each by itself. */
async function strictServer(t: ExecutionContext) {
  const server = await TestServer.start(t);
  const refused = new Set<string>();
  /** Bodies of those that it was sent and refused, each time. */
  const refusals: string[] = [];
  server.fault = ({ body, response, commit }) => {
    if (!body.messages.some((sms) => refused.has(sms.body))) return false;
    const { receipt: _receipt, ...good } = commit(0) as { receipt: string };
    const results = body.messages.map((sms) => judge(sms));
    answer(response, 200, receipted(server.deviceKey, { ...good, results }));
    return true;
  };
  const judge = (sms: WireMessage) => {
    if (refused.has(sms.body)) refusals.push(sms.body);
    else server.stored.set(sms.id, sms);
    return refused.has(sms.body)
      ? { id: sms.id, state: 'rejected', reason: REASON }
      : { id: sms.id, state: 'stored' };
  };
  const home = await pairedHome(t, server);
  const run = () => new AgentProcess(t, ['run', ...SIMULATOR, '--home', home]);
  const call = (...args: string[]) => runAgent([...args, '--home', home]);
  const feed = async (...bodies: string[]) => {
    for (const body of bodies)
      await arrive(join(home, 'inbox'), body, {
        sender: 'bKash',
        body,
        received_at: '2026-01-31T10:00:00+06:00',
      });
  };
  const letters = async () => JSON.parse((await call('dead-letters', 'list', '--json')).stdout);
  const left = () => loadDeadLetters(new Home(home));
  const problem = () => server.syncs.at(-1)?.health.problem;
  return { server, home, refused, refusals, run, call, feed, letters, left, problem };
}

test('refused SMS appear at the server, in status and in a list, and can be resent while the agent runs', async (t) => {
  const { server, home, refused, refusals, run, call, feed, letters, left, problem } = await strictServer(t);
  for (const body of ['first', 'second']) refused.add(body);
  const agent = run();
  await feed('first', 'second', 'third');
  const told = 'the server refuses 2 SMS: kashbox-relay dead-letters list';
  await until('the server hears of the problem', () => problem() === told);
  t.deepEqual([server.stored.size, refusals.length], [1, 2]);
  const [one, two] = await letters();
  t.like(one, { sender: 'bKash', reason: REASON, queued: false, dismissed: false });
  const status = async () => JSON.parse((await call('status', '--json')).stdout);
  await until('status tells it', async () => (await status()).problem?.message === told);
  t.deepEqual((await status()).dead_letters, [one, two]);
  const text = (await call('dead-letters', 'list')).stdout;
  t.regex(text, new RegExp(`^${one.id.slice(0, 12)} \\S+ from bKash, received \\S+: ${REASON}$`, 'm'));
  t.false(text.includes('first'), 'no text of an SMS');
  for (const args of [[], ['x'], [''], [one.id, 'ffff']]) {
    const { code, stdout } = await call('dead-letters', 'retry', ...args, '--json');
    t.deepEqual([code, JSON.parse(stdout).error.code], [2, 'invalid_input'], args.join(' '));
  }

  refused.delete('first');
  const retried = await call('dead-letters', 'retry', one.id.slice(0, 12));
  t.is(retried.code, 0, retried.stderr);
  t.regex(retried.stdout, /^SMS that go to the server once more, within seconds: 1$/m);
  await until('it is stored', () => server.stored.has(one.id));
  await until('one is left', async () => (await left()).length === 1);
  t.is(refusals.length, 2, 'the other was not sent');
  await until('the problem is smaller', () => problem() === told.replace('2', '1'));

  t.deepEqual(JSON.parse((await call('dead-letters', 'retry', '--all', '--json')).stdout), {
    ids: [two.id],
    running: true,
  });
  await until('it is refused again', () => refusals.length === 3);
  await until('it is a dead letter still', async () => (await left())[0]?.queued === false);
  t.is((await call('dead-letters', 'dismiss', two.id)).code, 0);
  await until('the problem is over', () => problem() === null);
  t.like((await letters())[0], { id: two.id, dismissed: true });
  await until('status, too', async () => (await status()).problem === null);
  t.is(await agent.kill('SIGTERM'), 0);
  t.deepEqual(
    (await readdir(home)).filter((name) => name.startsWith('wish')),
    [],
  );
});

test('each start sends every dead letter exactly once', async (t) => {
  const { server, refused, refusals, run, feed, left, problem } = await strictServer(t);
  refused.add('first');
  const first = run();
  await feed('first');
  await until('it is refused', () => refusals.length === 1);
  await until('the problem is told', () => typeof problem() === 'string');
  await first.kill('SIGTERM');
  server.nextPollMs = 1_000;
  const second = run();
  const before = server.syncs.length;
  await until('some rounds', () => server.syncs.length >= before + 5);
  t.is(refusals.length, 2);
  await second.kill('SIGTERM');
  refused.clear();
  const third = run();
  await until('it is stored', () => server.stored.size === 1);
  await until('none is left', async () => (await left()).length === 0);
  await until('the problem is over', () => problem() === null);
  await third.kill('SIGTERM');
});

test('a resend request from the server includes the dead letters of that period, once per request', async (t) => {
  const { server, refused, refusals, run, feed, letters } = await strictServer(t);
  for (const body of ['first', 'second']) refused.add(body);
  const agent = run();
  await feed('first');
  await until('it is refused', () => refusals.length === 1);
  server.resendSince = '2026-01-31T10:00:01+06:00';
  await until('that is answered', () => server.resendSince === null);
  t.is(refusals.length, 1, 'it came before that time');
  server.resendSince = '2026-01-31T09:00:00+06:00';
  await until('it is sent again', () => refusals.length === 2);
  await until('that is answered', () => server.resendSince === null);
  refused.delete('first');
  server.resendSince = '2026-01-31T08:00:00+06:00';
  await until('it is stored', () => server.stored.size === 1);
  await until('that is answered', () => server.resendSince === null);
  t.deepEqual(await letters(), []);
  await agent.kill('SIGTERM');
});

test('a wish without an agent waits for the next one', async (t) => {
  const { left, server, refused, refusals, run, call, feed, letters } = await strictServer(t);
  refused.add('first');
  const agent = run();
  await feed('first');
  await until('it is a dead letter', async () => (await left())[0]?.queued === false);
  await agent.kill('SIGTERM');
  t.regex((await call('dead-letters', 'dismiss', '--all')).stdout, /as soon as the agent runs: 1$/m);
  t.regex((await call('dead-letters', 'retry', '--all')).stdout, /as soon as the agent runs: 1$/m);
  const text = await call('run', ...SIMULATOR, '--once');
  t.is(text.code, 0, text.stderr);
  t.is(refusals.length, 2);
  t.like((await letters())[0], { queued: false, dismissed: true });
  refused.clear();
  t.is((await call('run', ...SIMULATOR, '--once')).code, 0);
  t.deepEqual([server.stored.size, await letters()], [1, []]);
});

/** A line as the agent has written it since its first version. */
function line(record: object): string {
  const json = JSON.stringify(record);
  return `${crc32(Buffer.from(json)).toString(16).padStart(8, '0')} ${Buffer.byteLength(json)} ${json}\n`;
}

function oldMessage(id: string): object {
  const [sender, receivedAt] = ['bKash', '2026-01-31T10:00:00.000+06:00'];
  return { id, sender, body: `${id} টাকা`, receivedAt, simSlot: null, takenAt: 1 };
}

test('a home of before opens as it is: what waits is sent, and so is what a proxy had buried', async (t) => {
  const { server, home, call, letters } = await strictServer(t);
  const queue = [
    { t: 'take', inbox: 'stdin', cursor: null, messages: [oldMessage('q1'), oldMessage('q2')] },
    { t: 'take', inbox: 'folder:/x', cursor: '{"taken":[],"part":null}', messages: [oldMessage('q3')] },
    { t: 'done', ids: ['q1', 'd1'] },
  ];
  await writeFile(join(home, 'queue.journal'), queue.map(line).join(''));
  const buried = { message: oldMessage('d1'), reason: 'HTTP 400', at: 1_769_832_000_000 };
  await writeFile(join(home, 'dead-letters.journal'), line(buried));
  t.like((await letters())[0], { id: 'd1', reason: 'HTTP 400', queued: false, dismissed: false });
  const { code, stderr } = await call('run', ...SIMULATOR, '--once');
  t.is(code, 0, stderr);
  t.deepEqual([...server.stored.keys()].sort(), ['d1', 'q2', 'q3']);
  t.deepEqual(await letters(), []);
  t.deepEqual(
    (await readdir(home)).filter((name) => name.includes('damaged')),
    [],
  );
});

test('a damaged journal is reported to the server and by status until its copy is deleted', async (t) => {
  const { home, call, server, problem: told } = await strictServer(t);
  const take = { t: 'take', inbox: 'stdin', cursor: null, messages: [oldMessage('q1')] };
  const damaged = line(take).replace('bKash', 'bKasi');
  await writeFile(join(home, 'queue.journal'), damaged + line({ ...take, messages: [oldMessage('q2')] }));
  const status = async () => JSON.parse((await call('status', '--json')).stdout).problem?.message ?? null;
  for (let run = 0; run < 2; run += 1) {
    t.is((await call('run', ...SIMULATOR, '--once')).code, 0);
    t.regex(
      String(told()),
      /^a journal was damaged, SMS may be lost: check the wallets, then delete queue\.journal/,
    );
    t.is(await status(), told(), `after run ${run + 1}`);
  }
  t.deepEqual([...server.stored.keys()], ['q2']);
  const copies = (await readdir(home)).filter((name) => name.includes('damaged'));
  t.is(copies.length, 1);
  await rm(join(home, copies[0] ?? ''));
  t.is((await call('run', ...SIMULATOR, '--once')).code, 0);
  t.deepEqual([told(), await status()], [null, null]);
});
