/** What is done by the clock: sessions run out, a job never overlaps itself, a failure is not the end. */
import test from 'ava';
import { startJobs } from '../../daemon/jobs.js';
import { openLog } from '../../src/base/log.js';
import { openApi } from './api.js';

const HOUR = 3_600_000;

test('sessions whose time is over are closed, and the record says when and how many', async (t) => {
  const { core, clock, shop } = await openApi(t);
  await shop.order(50_000);
  await shop.order(50_000);
  const jobs = startJobs(core, openLog('silent').log);
  t.teardown(() => jobs.stop());
  await jobs.runAll();
  t.like(jobs.records()[0], {
    name: 'expire-sessions',
    runs: 1,
    errors: 0,
    lastDone: 0,
    lastRunAt: clock.now(),
  });
  clock.advance(HOUR);
  await jobs.runAll();
  t.like(jobs.records()[0], { runs: 2, lastDone: 2, lastRunAt: clock.now(), lastError: null });
  const rows = await core.store.read((db) => db.query.selectFrom('sessions').select('status').execute());
  t.deepEqual(rows, [{ status: 'FAILED' }, { status: 'FAILED' }]);
});

test('a job that is running is not started again, and stopping waits for it', async (t) => {
  const { core } = await openApi(t);
  let entered = 0;
  let leave: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const write: typeof core.store.write = async (work) => {
    entered += 1;
    await held;
    return core.store.write(work);
  };
  const jobs = startJobs({ ...core, store: { ...core.store, write } }, openLog('silent').log);
  const runs = [jobs.runAll(), jobs.runAll()];
  let stopped = false;
  const stop = jobs.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  t.false(stopped);
  leave();
  await Promise.all([...runs, stop]);
  t.is(entered, 1);
  t.is(jobs.records()[0]?.runs, 1);
});

test('a job that fails is in the log and its record, and runs again', async (t) => {
  const { core } = await openApi(t);
  const lines: string[] = [];
  let broken = true;
  const write: typeof core.store.write = (work) =>
    broken ? Promise.reject(new Error('disk on fire')) : core.store.write(work);
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const jobs = startJobs({ ...core, store: { ...core.store, write } }, log);
  t.teardown(() => jobs.stop());
  await jobs.runAll();
  t.like(jobs.records()[0], { runs: 1, errors: 1, lastError: 'disk on fire', lastDone: null });
  t.true(lines.some((line) => line.includes('disk on fire')));
  broken = false;
  await jobs.runAll();
  t.like(jobs.records()[0], { runs: 2, errors: 1, lastError: null, lastDone: 0 });
});
