/** The clock of the machine is set while a daemon runs: what is done by the clock goes on. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { followClock } from '../../../daemon/loops/clock-watch.js';
import { openLog } from '../../../src/base/io/log.js';
import { startDaemon } from '../../helpers/programs/daemon.js';
import { openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

const DAY = 86_400_000;

test('jobs catch up at the start and whenever the clock was set, once each; times are mended where it went back', async (t) => {
  // It runs on as a real one does, beside being set.
  const base = testClock();
  const clock = { now: () => base.now() + performance.now() };
  const core = await openTestCore(t, 'sqlite', { clock });
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const told: string[] = [];
  const jobs = {
    catchUp: async () => void told.push('catch up'),
    clockWasSet: async () => void told.push('set'),
  };
  let looks = 0;
  const counted = {
    now: () => {
      looks += 1;
      return clock.now();
    },
  };
  const watched = { ...core, clock: counted };
  const following = followClock(watched, log, jobs, 5);
  t.teardown(() => following.stop());
  const someLooks = () => {
    const before = looks;
    return until(() => looks > before + 5);
  };
  await someLooks();
  t.deepEqual(told, ['catch up']);
  base.advance(-2 * DAY);
  await until(() => told.length === 2);
  base.advance(DAY);
  await until(() => told.length === 3);
  base.advance(2_000);
  await someLooks();
  t.deepEqual(told, ['catch up', 'set', 'set'], 'NTP moves it a little now and then');
  t.deepEqual(
    lines.map((line) => JSON.parse(line).seconds),
    [-172_800, 86_400],
  );
});

/** Debian keeps it in the folder of the machine's architecture. */
const FAKETIME = readdirSync('/usr/lib')
  .map((name) => `/usr/lib/${name}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

test('a daemon whose clock was days ahead and is set right runs its jobs at once and on and on', async (t) => {
  if (FAKETIME === undefined) {
    t.log('libfaketime is not here: a clock that is set was only played');
    return t.pass();
  }
  const home = await temporaryFolder(t);
  const timeFile = join(home, 'time');
  const setClock = (days: string) => writeFileSync(timeFile, `${days}\n`);
  setClock('+2d');
  const env = { LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: timeFile };
  const cheat = { FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
  const daemon = await startDaemon(t, { home, env: { ...env, ...cheat } });
  const runs = async () => {
    const { text } = await daemon.get('/metrics');
    const [, count = '0'] = /^kashbox_job_runs_total\{job="find-gaps"\} (\d+)$/m.exec(text) ?? [];
    return Number(count);
  };
  await until(async () => (await runs()) >= 2);
  setClock('+0d');
  const before = await runs();
  await until(async () => (await runs()) >= before + 3);
  const [line] = await daemon.process.logged(/"seconds":-?\d+,"msg":"the clock of this machine was set/);
  t.regex(line, /:-1728\d\d,/);
});
