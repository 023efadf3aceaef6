/** What makes notifications unsafe is said loudly when the daemon starts, and nothing of what is safe. */
import test, { type ExecutionContext } from 'ava';
import { startDaemon } from '../helpers/programs/daemon.js';
import { type Environment, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

/** The messages of all errors in the log of a daemon that was started and stopped. */
async function errorsOf(t: ExecutionContext<unknown>, env: Environment): Promise<string[]> {
  const daemon = await startDaemon(t, { home: await temporaryFolder(t), env });
  daemon.process.kill('SIGTERM');
  await withinTime(daemon.process);
  const lines = daemon.process.stderr().split('\n');
  return lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly level: string; readonly msg: string })
    .flatMap(({ level, msg }) => (level === 'error' ? [msg] : []));
}

test('private webhooks, extra authorities and unchecked certificates are errors in the log', async (t) => {
  const errors = await errorsOf(t, {
    KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true',
    NODE_EXTRA_CA_CERTS: '/dev/null',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  for (const start of [
    'allowPrivateWebhooks is on: ',
    'NODE_EXTRA_CA_CERTS is set: ',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: ',
  ]) {
    t.true(
      errors.some((text) => text.startsWith(start)),
      start,
    );
  }
});

test('a daemon without any of them logs no error', async (t) => {
  t.deepEqual(await errorsOf(t, { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'false', NODE_EXTRA_CA_CERTS: '' }), []);
});
