/** What a service manager such as systemd hears of the daemon, on a real datagram socket. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { startDaemon } from '../helpers/programs/daemon.js';
import { startProgram, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const receiver = fileURLToPath(new URL('../../../test/fixtures/notify-socket.py', import.meta.url));

/** A manager that listens, and what it has heard. */
async function openManager(t: ExecutionContext<unknown>) {
  const home = await temporaryFolder(t);
  const socket = join(home, 'notify');
  const manager = startProgram(t, 'python3', [receiver, socket]);
  await manager.printed(/^bound$/m);
  return { home, socket, heard: (pattern: RegExp) => manager.printed(pattern), lines: manager.stdout };
}

test('reports that the daemon listens, reloads and stops, in this order', async (t) => {
  const { home, socket, heard, lines } = await openManager(t);
  const daemon = await startDaemon(t, { home, env: { NOTIFY_SOCKET: socket } });
  const [, status = ''] = await heard(/^READY=1 STATUS=Serving (.+)$/m);
  t.is(status, daemon.url);
  daemon.process.kill('SIGHUP');
  await heard(/^RELOADING=1 MONOTONIC_USEC=\d+\nREADY=1/m);
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  const all = lines().trim().split('\n');
  t.regex(all.at(-1) ?? '', /^STOPPING=1 /);
  t.false(lines().includes('WATCHDOG'), 'nobody asked for signs of life');
});

test('it gets signs of life where it wants them, and none that were meant for another process', async (t) => {
  const { home, socket, heard, lines } = await openManager(t);
  const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' };
  const daemon = await startDaemon(t, { home, env });
  await heard(/(WATCHDOG=1\n[\s\S]*){3}/);
  daemon.process.kill('SIGTERM');
  await withinTime(daemon.process);
  const before = lines();
  const other = await startDaemon(t, { home, env: { ...env, WATCHDOG_PID: '1' } });
  await heard(/STOPPING[\s\S]*READY=1/);
  other.process.kill('SIGTERM');
  await withinTime(other.process);
  t.false(lines().slice(before.length).includes('WATCHDOG'));
});

test('an unreachable manager causes one line of the log and nothing else', async (t) => {
  const home = await temporaryFolder(t);
  const env = { NOTIFY_SOCKET: join(home, 'nobody'), WATCHDOG_USEC: '200000' };
  const daemon = await startDaemon(t, { home, env });
  t.is((await daemon.get('/readyz')).status, 200);
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  t.is(daemon.process.stderr().split('systemd could not be told').length, 2);
});
