/** What the doctor says of jobs and of notifications that shops did not get. */

import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import type { Check } from '../../../src/actions/doctor/check.js';
import { checkJobs } from '../../../src/actions/doctor/check-jobs.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { type JobTally, writeJobRuns } from '../../../src/actions/upkeep/job-runs.js';
import { isLoop, JOB_NAMES } from '../../../src/domain/upkeep/jobs.js';
import { inEnglish } from '../../helpers/in-english.js';
import { putAttempt, putNotification } from '../../helpers/shop/outbox.js';
import { openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

async function allRan(core: Core, change: Partial<JobTally> = {}): Promise<void> {
  for (const name of JOB_NAMES) {
    const lastAt = core.clock.now();
    const ran = { name, runs: 1, errors: 0, lastAt, lastMs: 3, lastDone: 0, lastError: null };
    await writeJobRuns(core, change.name === name ? { ...ran, ...change } : ran);
  }
}

const told = (checks: readonly Check[]) =>
  checks.map(({ state, name, message }) => `${state} ${name}: ${message}`);

for (const engine of enginesOfTier) {
  test(`on ${engine}, a store that no daemon has used yet raises no warning`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    t.deepEqual(told(await inEnglish(checkJobs(core))), ['ok jobs: no daemon has run yet']);
    const all = await examine(core.home.folder, async () => core);
    t.true(told(all).includes('ok jobs: no daemon has run yet'));
  });

  test(`on ${engine}, jobs that are silent or failed are named`, async (t) => {
    const clock = testClock();
    // With a domain, all of them are expected.
    const core = await openTestCore(t, engine, { clock, env: { KASHBOX_DOMAIN: 'pay.example.com' } });
    await allRan(core, { name: 'prune', errors: 1, lastDone: null, lastError: 'disk\non \u001b[31mfire' });
    t.deepEqual(told(await inEnglish(checkJobs(core))), [
      'warn job prune: last run failed at 2026-08-21 12:35:00: disk on [31mfire',
    ]);
    await allRan(core);
    clock.advance(1.5 * MINUTE);
    t.deepEqual(told(await inEnglish(checkJobs(core))), [
      `ok jobs: all ${JOB_NAMES.length} run, last at 2026-08-21 12:35:00`,
    ]);
    clock.advance(1);
    const at = '2026-08-21 12:35:00';
    const loops = JOB_NAMES.filter(isLoop).map((name) => `${name} last ran at ${at}`);
    t.deepEqual(told(await inEnglish(checkJobs(core))), [`warn jobs: ${loops.join(', ')}`]);
    clock.advance(1.5 * MINUTE);
    const [silent, ...others] = await inEnglish(checkJobs(core));
    t.deepEqual(others, []);
    t.is(silent?.state, 'warn');
    const names = JOB_NAMES.filter((name) => name !== 'prune' && name !== 'make-backup');
    t.is(silent?.message, names.map((name) => `${name} last ran at ${at}`).join(', '));
    t.regex(silent?.remedy ?? '', /^Is the daemon running\?/);
    clock.advance(3 * DAY);
    t.regex((await inEnglish(checkJobs(core)))[0]?.message ?? '', /prune last ran at/);
  });

  test(`on ${engine}, jobs whose last run is in the future are listed with a remedy`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    await allRan(core);
    clock.advance(-DAY);
    const [ahead] = await inEnglish(checkJobs(core));
    t.is(ahead?.state, 'warn');
    t.regex(
      ahead?.message ?? '',
      /expire-sessions last ran at .*: that is in the future, so the clock was set back$/,
    );
    t.regex(ahead?.remedy ?? '', /timedatectl set-ntp true/);
  });

  test(`on ${engine}, an endpoint that has answered 410 is named while something is due to it`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const { brandId: brand_id } = (await openShop(core)).brand;
    const now = core.clock.now();
    await putNotification(core, { id: 'ntf_gone', brand_id, tries: 1, endpoint: 'https://gone.example:443' });
    await putNotification(core, { id: 'ntf_busy', brand_id, tries: 1 });
    await putAttempt(core, { id: 'att_1', of: 'ntf_gone', at: now, status: 410 });
    await putAttempt(core, { id: 'att_2', of: 'ntf_busy', at: now, status: 503 });
    const gone = (await inEnglish(checkJobs(core))).filter(({ message }) => message.includes('410'));
    t.deepEqual(
      gone.map(({ state, name }) => `${state} ${name}`),
      ['warn notifications to https://gone.example:443'],
    );
  });

  test(`on ${engine}, abandoned endpoints are listed with the last answer`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { brandId: brand_id } = (await openShop(core)).brand;
    const now = clock.now();
    const dead = { brand_id, state: 'FAILED' as const };
    const [slow, inside] = ['https://slow.example.com:443', 'https://10.0.0.9:443'];
    await putNotification(core, {
      ...dead,
      id: 'ntf_old',
      endpoint: 'https://old.example.com:443',
      closed_at: now,
    });
    clock.advance(7 * DAY + 1);
    const closed_at = clock.now();
    await putNotification(core, { ...dead, id: 'ntf_1', endpoint: slow, closed_at: closed_at - 5 });
    await putNotification(core, { ...dead, id: 'ntf_2', endpoint: slow, closed_at });
    await putNotification(core, { ...dead, id: 'ntf_3', endpoint: inside, closed_at });
    await putNotification(core, { brand_id, id: 'ntf_4', state: 'DELIVERED', closed_at });
    await putNotification(core, { ...dead, id: 'ntf_5', endpoint: slow, event: 'ping', closed_at });
    await putAttempt(core, { id: 'att_1', of: 'ntf_1', at: closed_at - 5, detail: 'answered 404' });
    await putAttempt(core, { id: 'att_2', of: 'ntf_2', at: closed_at - 9, detail: 'answered 500' });
    await putAttempt(core, { id: 'att_3', of: 'ntf_2', at: closed_at, detail: 'answered 502' });
    await putAttempt(core, {
      id: 'att_4',
      of: 'ntf_3',
      at: closed_at,
      outcome: 'blocked',
      detail: 'private address',
    });
    await allRan(core);
    const [jobs, ...endpoints] = await inEnglish(checkJobs(core));
    t.is(jobs?.state, 'ok');
    t.deepEqual(told(endpoints), [
      `warn notifications to ${slow}: 2 failed permanently in 7 days; last error: answered 502`,
      `warn notifications to ${inside}: 1 failed permanently in 7 days; last error: private address`,
    ]);
    t.regex(
      endpoints[0]?.remedy ?? '',
      /webhooks list --status FAILED.*webhooks replay --failed --since 7d$/,
    );
    t.regex(endpoints[1]?.remedy ?? '', /never calls such an address.*--webhook-url/);
  });

  test(`on ${engine}, due notifications that are not sent are reported after a minute`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { brandId: brand_id } = (await openShop(core)).brand;
    await putNotification(core, { brand_id, id: 'ntf_1' });
    await putNotification(core, { brand_id, id: 'ntf_2', tries: 1 });
    await putNotification(core, { brand_id, id: 'ntf_3', next_at: clock.now() + DAY });
    clock.advance(MINUTE);
    t.is((await inEnglish(checkJobs(core))).length, 1);
    clock.advance(1);
    const [, overdue] = await inEnglish(checkJobs(core));
    t.is(overdue?.message, '2 overdue by more than a minute');
    t.regex(overdue?.remedy ?? '', /^Is the daemon running\?/);
  });
}
