/** What an operator meets whose secret.key is gone: a daemon that does not start, and the way on. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openCli } from '../helpers/programs/cli.js';
import { startDaemon } from '../helpers/programs/daemon.js';

test('without the key of its store the daemon does not start, doctor reports it, and rebind takes another', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const key = join(kashbox.home, 'secret.key');
  rmSync(key);

  const daemon = await kashbox('daemon', '--port', '0', '--http-port', '0');
  t.is(daemon.code, 5);
  t.regex(
    daemon.stderr,
    /^Error: .*secret\.key is missing.*\nNext: Restore it from a backup.*secret-key rebind/m,
  );
  const doctor = await kashbox('doctor');
  t.is(doctor.code, 4);
  t.regex(doctor.stdout, /FAIL {2}secret key: .*secret\.key is missing/);
  t.regex(doctor.stdout, /ok {4}tables/, 'everything else is looked at all the same');
  t.is((await kashbox('payments', 'list')).code, 0);
  t.false(existsSync(key));

  const accepted = await kashbox('secret-key', 'rebind');
  t.is(accepted.code, 0, accepted.stderr);
  t.regex(
    accepted.stdout,
    /^The key [0-9a-f]{16} is that of this store from now on, instead of [0-9a-f]{16}\.$/m,
  );
  t.regex(
    accepted.stdout,
    /^ {2}Alo: new webhook secret, for the shop too: kashbox webhooks rotate --brand$/m,
  );
  await kashbox('webhooks', 'rotate', '--brand', 'Alo');
  const again = await kashbox('secret-key', 'rebind');
  t.regex(again.stdout, /is that of this store already\.\nIt opens every secret\.$/m);
  const json = (await kashbox('secret-key', 'rebind', '--json')).json<Record<string, unknown>>();
  t.deepEqual(Object.keys(json), ['fingerprint', 'before', 'shut']);
  const well = await kashbox('doctor');
  t.regex(well.stdout, new RegExp(`ok {4}secret key: matches this store, fingerprint ${json.fingerprint}`));
  const started = await startDaemon(t, { home: kashbox.home });
  t.is((await started.get('/readyz')).status, 200);
});
