/** The log is a pipe, and whoever reads it may go away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { temporaryFolder } from '../helpers/engines.js';
import { kashboxProgram } from '../helpers/processes.js';

test('a daemon whose log nobody reads any more still stops in order', async (t) => {
  const home = await temporaryFolder(t);
  const args = [kashboxProgram, 'daemon', '--port', '0', '--http-port', '0', '--json'];
  const env = { PATH: process.env.PATH, KASHBOX_HOME: home };
  const daemon = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => daemon.kill('SIGKILL'));
  await once(daemon.stdout, 'data');
  daemon.stderr.destroy();
  const ended = once(daemon, 'exit', { signal: AbortSignal.timeout(10_000) });
  daemon.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});
