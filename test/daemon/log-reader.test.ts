/** Whoever reads the log may go away, stop reading, or be a full disk: the daemon goes on all the same. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { kashboxProgram, startProgram, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { smallDisk } from '../helpers/stores/small-disk.js';
import { amount } from '../helpers/tiers.js';
import { until } from '../helpers/until.js';

const DAEMON = [kashboxProgram, 'daemon', '--port', '0', '--http-port', '0'];
const LISTENS = /listens on (https:\/\/[\d.:]+)/;
const inTerminal = fileURLToPath(new URL('../../../test/fixtures/terminal.py', import.meta.url));
const ASKED = 20;
/** Of ten connections: some 900 lines in all, where a pipe holds 64 KiB. */
const ROUNDS = amount(4, 10);

/** The status of a request, on a connection of its own unless there is an agent. */
function statusOf(url: string, agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, rejectUnauthorized: false, timeout: 20_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
}

/** Each answer is a line of the log, of more than a hundred bytes. */
async function stillServes(t: ExecutionContext<unknown>, url: string, agent?: Agent): Promise<void> {
  for (let asked = 0; asked < ASKED; asked += 1) t.is(await statusOf(`${url}/readyz`, agent), 200);
}

/** More lines than a pipe or a terminal holds, over ten connections; new ones are taken before and after. */
async function servesMany(t: ExecutionContext<unknown>, url: string): Promise<void> {
  await stillServes(t, url);
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let round = 0; round < ROUNDS; round += 1) await stillServes(t, url, agent);
    }),
  );
  agent.destroy();
  await stillServes(t, url);
}

/** A daemon whose stderr is this descriptor or a pipe; what it prints goes to a pipe. */
async function daemonLoggingTo(t: ExecutionContext<unknown>, stderr: number | 'pipe') {
  const home = await temporaryFolder(t);
  const env = { PATH: process.env.PATH, KASHBOX_HOME: home };
  const daemon = spawn(process.execPath, DAEMON, { env, stdio: ['ignore', 'pipe', stderr] });
  t.teardown(() => daemon.kill('SIGKILL'));
  const ended = once(daemon, 'exit');
  const [printed] = (await once(daemon.stdout as NonNullable<typeof daemon.stdout>, 'data')) as [Buffer];
  const [, url = ''] = LISTENS.exec(String(printed)) ?? [];
  return { daemon, url, ended };
}

test('a daemon whose log reader has gone keeps serving and stops in order', async (t) => {
  const { daemon, url, ended } = await daemonLoggingTo(t, 'pipe');
  daemon.stderr?.destroy();
  await stillServes(t, url);
  daemon.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});

test('a daemon whose log is a full disk from the start serves and stops in order', async (t) => {
  const { daemon, url, ended } = await daemonLoggingTo(t, openSync('/dev/full', 'w'));
  await stillServes(t, url);
  daemon.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});

test('a reader that is there and does not read holds up neither answers nor the end', async (t) => {
  const { daemon, url, ended } = await daemonLoggingTo(t, 'pipe');
  daemon.stderr?.pause();
  await servesMany(t, url);
  daemon.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});

for (const hangUp of ['closed', 'left unread'] as const) {
  test(`a daemon whose terminal is ${hangUp} serves on, and SIGTERM ends it with 0`, async (t) => {
    const home = await temporaryFolder(t);
    const env = { KASHBOX_HOME: home, HOME: home, TERM: 'xterm' };
    const terminal = startProgram(t, 'python3', [inTerminal, process.execPath, ...DAEMON], env);
    const [, url = ''] = await terminal.printed(LISTENS);
    const [, pid = ''] = await terminal.printed(/^pid (\d+)/);
    await terminal.printed(/ INFO {2}listening {2}https=https:/);
    if (hangUp === 'closed') terminal.stdin.end();
    else terminal.kill('SIGSTOP');
    await servesMany(t, url);
    process.kill(Number(pid), 'SIGTERM');
    if (hangUp === 'left unread') {
      // The terminal's program cannot say how it ended while it is stopped.
      await until(() => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
      terminal.kill('SIGCONT');
      terminal.stdin.end();
    }
    const [, code] = await terminal.printed(/\nended (-?\d+)\n/);
    t.is(code, '0');
  });
}

test('a disk that fills under the log costs nobody an answer, and what was kept is written when there is room', async (t) => {
  const disk = await smallDisk(t, 128);
  if (disk === null) return t.pass();
  const env = { KASHBOX_HOME: await temporaryFolder(t) };
  const daemon = disk.start(DAEMON, env);
  const [, url = ''] = await daemon.printed(LISTENS);
  const lines = () => readFileSync(`${disk.seen()}/log`, 'utf8').split('\n').length - 1;
  await stillServes(t, url);
  await until(() => lines() >= ASKED);
  disk.fill();
  const before = lines();
  // More than what is left of the page at the end of the file.
  for (let round = 0; round < 4; round += 1) await stillServes(t, url);
  disk.free();
  await stillServes(t, url);
  await until(() => lines() >= before + 5 * ASKED);
  disk.fill();
  await stillServes(t, url);
  daemon.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon), { code: 0, signal: null });
});
