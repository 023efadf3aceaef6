/** The daemon's backup of each night: when it is due, what is kept, and what the doctor says. */

import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { nightlyBackup } from '../../../src/actions/backup/nightly-backup.js';
import { checkBackup } from '../../../src/actions/backup/read-backup.js';
import { checkLastBackup } from '../../../src/actions/doctor/check-backup.js';
import { dhakaMs } from '../../../src/base/values/clock.js';
import { inEnglish } from '../../helpers/in-english.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { QUIET } from './ground.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { signal } = QUIET;

async function nights(t: ExecutionContext<unknown>, env: Readonly<Record<string, string>> = {}) {
  const clock = testClock(dhakaMs(2026, 8, 21, 2, 59, 59));
  const folder = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { clock, env: { KASHBOX_BACKUP_FOLDER: folder, ...env } });
  return { clock, folder, core, names: () => readdirSync(folder).sort() };
}

for (const engine of engines) {
  test(`on ${engine}, a night has one backup, which is made from three in the morning on`, async (t) => {
    const clock = testClock(dhakaMs(2026, 8, 21, 2, 59, 59));
    const folder = await temporaryFolder(t);
    const core = await openTestCore(t, engine, { clock, env: { KASHBOX_BACKUP_FOLDER: folder } });
    t.truthy(await nightlyBackup(core, signal));
    t.is(await nightlyBackup(core, signal), null);
    t.deepEqual(readdirSync(folder), ['kashbox-2026-08-20.backup']);
    clock.advance(1_000);
    t.truthy(await nightlyBackup(core, signal));
    clock.advance(DAY - 1);
    t.is(await nightlyBackup(core, signal), null);
    t.deepEqual(readdirSync(folder).sort(), ['kashbox-2026-08-20.backup', 'kashbox-2026-08-21.backup']);
  });
}

test('without a folder none is made', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  t.is(await nightlyBackup(core, signal), null);
});

test('the newest are kept, and files of other names are left alone', async (t) => {
  const { clock, folder, core, names } = await nights(t, { KASHBOX_BACKUP_KEEP: '2' });
  for (const name of ['kashbox.backup', 'kashbox-2020-01-01.backup.old', 'kashbox-before.backup']) {
    writeFileSync(join(folder, name), '');
  }
  const others = names();
  for (let night = 0; night < 4; night += 1) {
    await nightlyBackup(core, signal);
    clock.advance(DAY);
  }
  const kept = names().filter((name) => !others.includes(name));
  t.deepEqual(kept, ['kashbox-2026-08-22.backup', 'kashbox-2026-08-23.backup']);
  t.true(others.every((name) => names().includes(name)));
});

test('what a killed daemon has left goes after a day, what another one is writing stays', async (t) => {
  const { clock, folder, core, names } = await nights(t);
  const old = ['kashbox-2026-08-19.backup.part-00', 'kashbox-2026-08-19.backup.part-00.db'];
  const young = 'kashbox-2026-08-20.backup.part-11';
  for (const name of [...old, young]) writeFileSync(join(folder, name), 'half');
  const dayBefore = (clock.now() - DAY - 1_000) / 1_000;
  for (const name of old) utimesSync(join(folder, name), dayBefore, dayBefore);
  utimesSync(join(folder, young), clock.now() / 1_000, clock.now() / 1_000);
  await nightlyBackup(core, signal);
  t.deepEqual(names(), ['kashbox-2026-08-20.backup', young]);
});

test('a folder that is not there is not made, and old backups stay where a new one fails', async (t) => {
  const { clock, folder, core, names } = await nights(t, { KASHBOX_BACKUP_KEEP: '1' });
  await nightlyBackup(core, signal);
  clock.advance(DAY);
  const broken = { ...core, home: { ...core.home, storeFile: join(folder, 'nothing.db') } };
  await t.throwsAsync(nightlyBackup(broken, signal));
  t.deepEqual(names(), ['kashbox-2026-08-20.backup']);
  rmSync(folder, { recursive: true });
  await t.throwsAsync(nightlyBackup(core, signal), { code: 'config_invalid', message: /is not there/ });
  mkdirSync(folder);
  t.truthy(await nightlyBackup(core, signal));
});

test('it is encrypted where a passphrase is set', async (t) => {
  const words = 'boat river morning seven';
  const { core } = await nights(t, { KASHBOX_BACKUP_PASSPHRASE: words });
  const made = await nightlyBackup(core, signal);
  t.true(made?.encrypted);
  const file = made?.file ?? '';
  await t.throwsAsync(checkBackup(file, { ...QUIET, passphrase: null }), { code: 'passphrase_wrong' });
  t.true((await checkBackup(file, { ...QUIET, passphrase: words })).encrypted);
});

test('a daemon that ends in the middle of one makes none, and that is no failure', async (t) => {
  const { core, names } = await nights(t);
  t.is(await nightlyBackup(core, AbortSignal.abort()), null);
  t.deepEqual(names(), []);
});

test('the doctor warns where there was none, or none for two days, and of a folder that is not there', async (t) => {
  const { clock, folder, core } = await nights(t);
  const states = async () =>
    (await inEnglish(checkLastBackup(core))).map(({ name, state }) => `${name} ${state}`);
  t.deepEqual(await states(), ['backup warn']);
  await nightlyBackup(core, signal);
  t.deepEqual(await states(), ['backup ok']);
  clock.advance(2 * DAY);
  t.deepEqual(await states(), ['backup ok']);
  clock.advance(1);
  t.deepEqual(await states(), ['backup warn']);
  const [{ message, remedy } = { message: '', remedy: '' }] = await inEnglish(checkLastBackup(core));
  t.regex(message, /the last one is of 2026-08-21 02:59:59, .*kashbox-2026-08-20\.backup$/);
  t.regex(remedy ?? '', /kashbox backup/);
  clock.advance(-3 * DAY);
  t.deepEqual(await states(), ['backup warn'], 'noted by a clock that was ahead');
  rmSync(folder, { recursive: true });
  t.deepEqual(await states(), ['backup warn', 'backup folder warn']);
});
