/** The nightly backup as a job of the daemon: in its log and record, and ended with the daemon. */
import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { openJobRecords } from '../../../daemon/loops/job-records.js';
import { startJobs } from '../../../daemon/loops/jobs.js';
import type { Core } from '../../../src/actions/core/core.js';
import { type Log, openLog } from '../../../src/base/io/log.js';
import { keyFingerprint } from '../../../src/base/io/secret.js';
import type { JobName } from '../../../src/domain/upkeep/jobs.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';
import { openApi } from '../api.js';

function openJobs(t: ExecutionContext<unknown>, core: Core, log: Log = openLog('silent').log) {
  const records = openJobRecords(core, log);
  const jobs = startJobs(core, log, records, () => ({ stop: async () => {} }));
  t.teardown(async () => {
    await jobs.stop();
    await records.close();
  });
  const recordOf = (name: JobName) => records.all().find((record) => record.name === name);
  return { jobs, recordOf };
}

test('where a folder is set the night has its backup, and the log says so once', async (t) => {
  const { core } = await openApi(t);
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const backupFolder = await temporaryFolder(t);
  const settings = { ...core.settings, backupFolder };
  const { jobs, recordOf } = openJobs(t, { ...core, settings }, log);
  await jobs.runAll();
  await jobs.runAll();
  t.deepEqual(readdirSync(backupFolder), [
    `kashbox-${keyFingerprint(core.secrets).slice(0, 8)}-2026-08-21.backup`,
  ]);
  t.like(recordOf('make-backup'), { runs: 2, errors: 0 });
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0] ?? ''), { level: 'info', msg: 'backup made', encrypted: false });
});

test('a backup under way ends with the daemon, and nothing of it stays', async (t) => {
  const { core } = await openApi(t);
  const backupFolder = await temporaryFolder(t);
  const settings = { ...core.settings, backupFolder };
  const { jobs, recordOf } = openJobs(t, { ...core, settings });
  const running = jobs.runAll();
  await jobs.stop();
  await running;
  t.like(recordOf('make-backup'), { runs: 1, errors: 0, last: { done: 0, error: null } });
  t.deepEqual(readdirSync(backupFolder), []);
});
