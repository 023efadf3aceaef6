/** Jobs by the clock: each runs when it is due, never beside itself, and what fails is told. */

import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openJobRecords } from '../../../daemon/loops/job-records.js';
import { startJobs, type Timetable } from '../../../daemon/loops/jobs.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkJobs } from '../../../src/actions/doctor/check-jobs.js';
import { listJobRuns, writeJobRuns } from '../../../src/actions/upkeep/job-runs.js';
import { type Log, openLog } from '../../../src/base/io/log.js';
import { keyFingerprint } from '../../../src/base/io/secret.js';
import { expectedJobs, type JobName } from '../../../src/domain/upkeep/jobs.js';
import { inEnglish } from '../../helpers/in-english.js';
import { startDaemon } from '../../helpers/programs/daemon.js';
import { withinTime } from '../../helpers/programs/processes.js';
import { openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';
import { openApi } from '../api.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A clock that never strikes: a job runs when a test says so, whatever the time of day. */
const never: Timetable = () => ({ stop: async () => {} });

function openJobs(t: ExecutionContext<unknown>, core: Core, log: Log = openLog('silent').log, at = never) {
  const records = openJobRecords(core, log);
  const jobs = startJobs(core, log, records, at);
  t.teardown(async () => {
    await jobs.stop();
    await records.close();
  });
  const recordOf = (name: JobName) => records.all().find((record) => record.name === name);
  return { jobs, records, recordOf };
}

test('sessions whose time is over are closed, and the record says when and how many', async (t) => {
  const { core, clock, shop } = await openApi(t);
  await shop.order(50_000);
  await shop.order(50_000);
  const { jobs, recordOf } = openJobs(t, core);
  t.is(recordOf('expire-sessions')?.last, null);
  await jobs.runAll();
  t.like(recordOf('expire-sessions'), {
    runs: 1,
    errors: 0,
    last: { done: 0, at: clock.now(), error: null },
  });
  clock.advance(HOUR);
  await jobs.runAll();
  t.like(recordOf('expire-sessions'), { runs: 2, last: { done: 2, at: clock.now(), error: null } });
  const rows = await core.store.read((db) => db.query.selectFrom('sessions').select('status').execute());
  t.deepEqual(rows, [{ status: 'FAILED' }, { status: 'FAILED' }]);
});

test('a job that is running is not started again, and stopping waits for it', async (t) => {
  const { core } = await openApi(t);
  let leave: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const write: typeof core.store.write = async (work) => {
    await held;
    return core.store.write(work);
  };
  const { jobs, recordOf } = openJobs(t, { ...core, store: { ...core.store, write } });
  const runs = [jobs.runAll(), jobs.runAll()];
  let stopped = false;
  const stop = jobs.stop().then(() => {
    stopped = true;
  });
  await setImmediate();
  t.false(stopped);
  leave();
  await Promise.all([...runs, stop]);
  t.is(recordOf('expire-sessions')?.runs, 1);
});

test('a strike of its clock runs a job and no other, until all are stopped', async (t) => {
  const { core } = await openApi(t);
  const clocks = new Map<JobName, () => Promise<void>>();
  const byHand: Timetable = (name, _when, run) => {
    clocks.set(name, run);
    return { stop: async () => void clocks.delete(name) };
  };
  const { jobs, records } = openJobs(t, core, openLog('silent').log, byHand);
  const struck: JobName[] = [];
  for (const [name, strike] of clocks) {
    await strike();
    struck.push(name);
    const ran = records.all().filter(({ runs }) => runs === 1);
    t.deepEqual(ran.map((record) => record.name).sort(), struck.toSorted());
  }
  t.true(struck.includes('expire-sessions') && struck.includes('prune'));
  await jobs.stop();
  t.is(clocks.size, 0);
});

test('a job runs by itself on the clock of the machine', async (t) => {
  const { core } = await openApi(t);
  const { log } = openLog('silent');
  const records = openJobRecords(core, log);
  const jobs = startJobs(core, log, records);
  await until(() => records.all().some(({ name, runs }) => name === 'find-gaps' && runs > 0));
  await jobs.stop();
  await records.close();
  t.true(
    (await listJobRuns(core)).some(({ name, last_error }) => name === 'find-gaps' && last_error === null),
  );
});

test('a job that fails is in the log and its record, and runs again', async (t) => {
  const { core } = await openApi(t);
  const lines: string[] = [];
  let broken = true;
  const write: typeof core.store.write = (work) =>
    broken ? Promise.reject(new Error('disk on fire')) : core.store.write(work);
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const { jobs, records, recordOf } = openJobs(t, { ...core, store: { ...core.store, write } }, log);
  await jobs.runAll();
  t.like(recordOf('expire-sessions'), { runs: 1, errors: 1, last: { error: 'disk on fire', done: 0 } });
  t.true(lines.some((line) => line.includes('disk on fire')));
  broken = false;
  await jobs.runAll();
  t.like(recordOf('expire-sessions'), { runs: 2, errors: 1, last: { error: null, done: 0 } });
  await records.close();
  const row = (await listJobRuns(core)).find(({ name }) => name === 'expire-sessions');
  t.like(row, { runs: 2, errors: 1, last_error: null }, 'what could not be written at first is not lost');
});

test('how jobs did is written down for others to see, of a loop not with every run', async (t) => {
  const { core } = await openApi(t);
  let writes = 0;
  const write: typeof core.store.write = (work) => {
    writes += 1;
    return core.store.write(work);
  };
  const { records } = openJobs(t, { ...core, store: { ...core.store, write } });
  const name = 'deliver-notifications';
  for (let at = 1; at <= 100; at += 1) {
    records.record(name, { at, ms: 0.4, done: at, error: at === 7 ? 'no answer' : null });
    while ((await listJobRuns(core)).length === 0) await setImmediate();
  }
  records.record(name, { at: 101, ms: 12.6, done: 0, error: 'x'.repeat(400) });
  await records.close();
  t.is(writes, 2);
  const counted = { name, runs: 101, errors: 2, last_at: 101, last_ms: 13, last_done: null };
  t.deepEqual(await listJobRuns(core), [{ ...counted, last_error: 'x'.repeat(300) }]);
});

test('the runs of several daemons are counted together', async (t) => {
  const { core, clock } = await openApi(t);
  const tally = { name: 'prune', runs: 1, errors: 0, lastMs: 5, lastDone: 3, lastError: null } as const;
  await writeJobRuns(core, { ...tally, lastAt: 1 });
  await writeJobRuns(core, { ...tally, runs: 2, errors: 1, lastAt: clock.now(), lastDone: 0 });
  const row = { name: 'prune', runs: 3, errors: 1, last_at: clock.now(), last_ms: 5, last_done: 0 };
  t.deepEqual(await listJobRuns(core), [{ ...row, last_error: null }]);
});

test('a daemon that starts runs what is late, and leaves what another has just run', async (t) => {
  const { core, clock } = await openApi(t);
  const ran = { runs: 1, errors: 0, lastMs: 0, lastDone: 0, lastError: null };
  await writeJobRuns(core, { ...ran, name: 'prune', lastAt: clock.now() - DAY + 1 });
  await writeJobRuns(core, { ...ran, name: 'watch-devices', lastAt: clock.now() - HOUR });
  const first = openJobs(t, core);
  await first.jobs.catchUp();
  const runs = ({ records }: typeof first) =>
    Object.fromEntries(records.all().map((record) => [record.name, record.runs]));
  t.like(runs(first), { 'expire-sessions': 1, 'watch-devices': 1, prune: 0 });
  await first.records.close();
  clock.advance(1);
  const second = openJobs(t, core);
  await second.jobs.catchUp();
  t.like(runs(second), { 'expire-sessions': 0, 'watch-devices': 0, prune: 1 });
});

test('a job that last ran in the future, by a clock that was ahead, is late', async (t) => {
  const { core, clock } = await openApi(t);
  const ran = { runs: 1, errors: 0, lastMs: 0, lastDone: 0, lastError: null };
  for (const [name, ahead] of [
    ['prune', HOUR],
    ['watch-devices', 2 * DAY],
    ['find-gaps', 3_000],
  ] as const) {
    await writeJobRuns(core, { ...ran, name, lastAt: clock.now() + ahead });
  }
  const { jobs, records } = openJobs(t, core);
  await jobs.catchUp();
  const runs = Object.fromEntries(records.all().map((record) => [record.name, record.runs]));
  t.like(
    runs,
    { prune: 1, 'watch-devices': 1, 'find-gaps': 0 },
    'clocks of several machines differ a little',
  );
});

test('minute jobs use the monotonic clock; setting the system clock reschedules the cron jobs', async (t) => {
  const { core, clock } = await openApi(t);
  const entered: string[] = [];
  const noting: Timetable = (name, when) => {
    entered.push(`${name} ${JSON.stringify(when)}`);
    return { stop: async () => void entered.push(`${name} is left out`) };
  };
  const { jobs, recordOf } = openJobs(t, core, openLog('silent').log, noting);
  t.deepEqual(entered.splice(0), [
    'expire-sessions {"everyMs":60000}',
    'end-dispatches {"everyMs":60000}',
    'watch-devices {"everyMs":60000}',
    'find-gaps {"everyMs":5000}',
    'send-summaries {"everyMs":60000}',
    'make-backup {"at":"10 * * * *"}',
    'prune {"at":"40 4 * * *"}',
  ]);
  await jobs.runAll();
  await until(async () => (await listJobRuns(core)).length >= 7);
  clock.advance(-2 * DAY);
  await jobs.clockWasSet();
  t.deepEqual(entered, [
    'make-backup is left out',
    'make-backup {"at":"10 * * * *"}',
    'prune is left out',
    'prune {"at":"40 4 * * *"}',
  ]);
  t.is(recordOf('expire-sessions')?.runs, 2, 'it has last run in the future, so it is late');
});

test('a daemon that has run for a moment leaves a record of every job behind', async (t) => {
  const home = await temporaryFolder(t);
  const daemon = await startDaemon(t, { home });
  t.is((await daemon.get('/metrics')).status, 200);
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  const core = await openTestCore(t, 'sqlite', { folder: home });
  const rows = await listJobRuns(core);
  t.deepEqual(rows.map(({ name }) => name).sort(), [...expectedJobs({ domain: '' })].sort());
  for (const { name, runs, last_error } of rows) t.true(runs > 0 && last_error === null, name);
  t.deepEqual(
    (await inEnglish(checkJobs(core))).map(({ state }) => state),
    ['ok'],
  );
});

test('no phone is blamed for a clock that was set forward', async (t) => {
  const { core, clock } = await openApi(t);
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const { jobs } = openJobs(t, core, log);
  await core.store.write((db) =>
    db.query.updateTable('devices').set({ agent: 'relay', last_seen_at: clock.now() }).execute(),
  );
  await jobs.runAll();
  clock.advance(2 * DAY);
  await jobs.clockWasSet();
  await jobs.runAll();
  t.deepEqual(lines, []);
  clock.advance(HOUR);
  await jobs.runAll();
  t.is(lines.length, 1, 'an hour later it is');
});

test('a phone that goes silent and comes back is logged once each', async (t) => {
  const { core, clock } = await openApi(t);
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const { jobs } = openJobs(t, core, log);
  const look = async () => {
    await jobs.runAll();
    const told = lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
    return told.map(({ level, msg, name }) => [level, msg, name].join(': '));
  };
  const hear = () =>
    core.store.write((db) =>
      db.query.updateTable('devices').set({ agent: 'relay', last_seen_at: clock.now() }).execute(),
    );
  await hear();
  t.deepEqual(await look(), []);
  clock.advance(HOUR);
  t.deepEqual(await look(), [
    'warn: The phone "Alo Store phone" is offline: it was last seen at 2026-08-21 12:35.: Alo Store phone',
  ]);
  t.deepEqual(await look(), []);
  await hear();
  t.deepEqual(await look(), ['info: The phone "Alo Store phone" is back after 1 hour.: Alo Store phone']);
});

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
