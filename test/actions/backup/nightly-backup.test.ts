/** The backup of every night: which is due, what goes, and who is told where it fails. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { nightlyBackup, nightlyName, surplusBackups } from '../../../src/actions/backup/nightly-backup.js';
import { checkBackup } from '../../../src/actions/backup/restore-backup.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkLastBackup } from '../../../src/actions/doctor/check-home.js';
import { keyFingerprint } from '../../../src/base/io/secret.js';
import { dhakaMs } from '../../../src/base/values/clock.js';
import { inEnglish } from '../../helpers/in-english.js';
import { enginesOfTier, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { QUIET } from './ground.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { signal } = QUIET;
const MIB = 1_048_576;

async function nights(t: ExecutionContext<unknown>, env: Readonly<Record<string, string>> = {}) {
  const clock = testClock(dhakaMs(2026, 8, 21, 2, 59, 59));
  const folder = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { clock, env: { KASHBOX_BACKUP_FOLDER: folder, ...env } });
  return { clock, folder, core, names: () => readdirSync(folder).sort(), night: nightOf(core) };
}

/** @returns what gives the name of the backup of a day of August 2026 */
const nightOf =
  ({ secrets }: Core) =>
  (day: number) =>
    `kashbox-${keyFingerprint(secrets).slice(0, 8)}-2026-08-${day}.backup`;

for (const engine of enginesOfTier) {
  test(`on ${engine}, a night has one backup, which is made from three in the morning on`, async (t) => {
    const clock = testClock(dhakaMs(2026, 8, 21, 2, 59, 59));
    const folder = await temporaryFolder(t);
    const core = await openTestCore(t, engine, { clock, env: { KASHBOX_BACKUP_FOLDER: folder } });
    t.truthy(await nightlyBackup(core, { signal }));
    t.is(await nightlyBackup(core, { signal }), null);
    const night = nightOf(core);
    t.deepEqual(readdirSync(folder), [night(20)]);
    clock.advance(1_000);
    t.truthy(await nightlyBackup(core, { signal }));
    clock.advance(DAY - 1);
    t.is(await nightlyBackup(core, { signal }), null);
    t.deepEqual(readdirSync(folder).sort(), [night(20), night(21)]);
  });
}

test('without a folder none is made', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  t.is(await nightlyBackup(core, { signal }), null);
});

test('the newest are kept, and files of other names are left alone', async (t) => {
  const { clock, folder, core, names, night } = await nights(t, { KASHBOX_BACKUP_KEEP: '2' });
  const others = ['kashbox.backup', `${night(19)}.old`, 'kashbox-before.backup'];
  others.push(...['18', '19'].map((day) => `kashbox-00000000-2026-08-${day}.backup`));
  for (const name of others) {
    writeFileSync(join(folder, name), '');
  }
  for (let night = 0; night < 4; night += 1) {
    await nightlyBackup(core, { signal });
    clock.advance(DAY);
  }
  const kept = names().filter((name) => !others.includes(name));
  t.deepEqual(kept, [night(22), night(23)]);
  t.true(others.every((name) => names().includes(name)));
});

test('leftovers of a killed daemon are deleted after a day, a file still being written stays', async (t) => {
  const { clock, folder, core, names, night } = await nights(t);
  const part = (name: string) => `${name}.part-001122334455`;
  const old = [part(night(19)), `${part(night(19))}.db`, part('before-the-move.backup')];
  const young = part(night(20));
  for (const name of [...old, young]) writeFileSync(join(folder, name), 'half');
  const dayBefore = (clock.now() - DAY - 1_000) / 1_000;
  for (const name of old) utimesSync(join(folder, name), dayBefore, dayBefore);
  utimesSync(join(folder, young), clock.now() / 1_000, clock.now() / 1_000);
  await nightlyBackup(core, { signal });
  t.deepEqual(names(), [night(20), young]);
});

test('a folder that is not there is not made, and old backups stay where a new one fails', async (t) => {
  const { clock, folder, core, names, night } = await nights(t, { KASHBOX_BACKUP_KEEP: '1' });
  await nightlyBackup(core, { signal });
  clock.advance(DAY);
  const broken = { ...core, home: { ...core.home, storeFile: join(folder, 'nothing.db') } };
  await t.throwsAsync(nightlyBackup(broken, { signal }));
  t.deepEqual(names(), [night(20)]);
  rmSync(folder, { recursive: true });
  await t.throwsAsync(nightlyBackup(core, { signal }), { code: 'config_invalid', message: /does not exist/ });
  mkdirSync(folder);
  t.truthy(await nightlyBackup(core, { signal }));
});

test('a backup without enough disk space is not started, and retried the next night', async (t) => {
  const { clock, core, names, night } = await nights(t);
  let free = 256 * MIB;
  const freeBytes = () => free;
  const noRoom = { code: 'store_full', message: /256 MiB are free.*256 MiB stay free for payments/ };
  await t.throwsAsync(nightlyBackup(core, { signal, freeBytes }), noRoom);
  t.deepEqual(names(), []);
  const told = await core.store.read((db) => db.query.selectFrom('alerts').select('kind').execute());
  t.deepEqual(told, [{ kind: 'backup.failed' }]);
  free = 1_000 * MIB;
  t.is(await nightlyBackup(core, { signal, freeBytes }), null, 'in the same night');
  clock.advance(1_000);
  t.truthy(await nightlyBackup(core, { signal, freeBytes }));
  t.deepEqual(names(), [night(21)]);
});

test('a backup leaves no trace when others use up the disk space', async (t) => {
  const { core, names } = await nights(t);
  for (let at = 0; at < 3; at += 1) {
    const bytes = randomBytes(4 * MIB).toString('hex');
    await core.store.write((db) =>
      db.query
        .insertInto('installation')
        .values({ name: `filler-${at}` as 'certificate', value: bytes })
        .execute(),
    );
  }
  let looks = 0;
  const freeBytes = () => {
    looks += 1;
    return looks === 1 ? 1_000 * MIB : 200 * MIB;
  };
  await t.throwsAsync(nightlyBackup(core, { signal, freeBytes }), { code: 'store_full' });
  t.is(looks, 2);
  t.deepEqual(names(), []);
});

test('two installations may share a folder', async (t) => {
  const one = await nights(t);
  const other = await openTestCore(t, 'sqlite', {
    clock: one.clock,
    env: { KASHBOX_BACKUP_FOLDER: one.folder, KASHBOX_BACKUP_KEEP: '1' },
  });
  t.truthy(await nightlyBackup(one.core, { signal }));
  t.truthy(await nightlyBackup(other, { signal }));
  t.deepEqual(one.names(), [one.night(20), nightOf(other)(20)].sort());
});

test('it is encrypted where a passphrase is set', async (t) => {
  const words = 'boat river morning seven';
  const { core } = await nights(t, { KASHBOX_BACKUP_PASSPHRASE: words });
  const made = await nightlyBackup(core, { signal });
  t.true(made?.encrypted);
  const file = made?.file ?? '';
  await t.throwsAsync(checkBackup(file, { ...QUIET, passphrase: null }), { code: 'passphrase_wrong' });
  t.true((await checkBackup(file, { ...QUIET, passphrase: words })).encrypted);
});

test('a daemon that stops during a backup makes none and reports no failure', async (t) => {
  const { core, names } = await nights(t);
  t.is(await nightlyBackup(core, { signal: AbortSignal.abort() }), null);
  t.deepEqual(names(), []);
});

test('the doctor warns where there was none, or none for two days, and of a folder that is not there', async (t) => {
  const { clock, folder, core } = await nights(t);
  const states = async () =>
    (await inEnglish(checkLastBackup(core))).map(({ name, state }) => `${name} ${state}`);
  t.deepEqual(await states(), ['backup warn']);
  await nightlyBackup(core, { signal });
  t.deepEqual(await states(), ['backup ok']);
  clock.advance(2 * DAY);
  t.deepEqual(await states(), ['backup ok']);
  clock.advance(1);
  t.deepEqual(await states(), ['backup warn']);
  const [{ message, remedy } = { message: '', remedy: '' }] = await inEnglish(checkLastBackup(core));
  t.regex(message, /last backup 2026-08-21 02:59:59, .*kashbox-[0-9a-f]{8}-2026-08-20\.backup$/);
  t.regex(remedy ?? '', /kashbox backup/);
  clock.advance(-3 * DAY);
  t.deepEqual(await states(), ['backup warn'], 'noted by a clock that was ahead');
  rmSync(folder, { recursive: true });
  t.deepEqual(await states(), ['backup warn', 'backup folder warn']);
});

const KEY = '4f0c9a31d2e85b76';

test('the day of a backup ends at three in the morning in Bangladesh', (t) => {
  t.is(nightlyName(Date.parse('2026-08-22T02:59:59.999+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-21.backup');
  t.is(nightlyName(Date.parse('2026-08-22T03:00:00+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-22.backup');
  t.is(nightlyName(Date.parse('2026-08-22T23:59:00+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-22.backup');
});

const night = (day: number, key = '4f0c9a31') =>
  `kashbox-${key}-2026-08-${String(day).padStart(2, '0')}.backup`;

test('backups beyond the newest are surplus, in whatever order the files are listed', (t) => {
  const names = [night(3), night(10), night(1), night(2)];
  t.deepEqual(surplusBackups(names, night(9), 2), [night(2), night(1)]);
  t.deepEqual(surplusBackups(names, night(9), 4), []);
  t.deepEqual(surplusBackups(names, night(9), 0), [night(10), night(3), night(2), night(1)]);
});

test('files of other names, and of other installations, are somebody else to remove', (t) => {
  const others = [
    night(1, '00000000'),
    `my-${night(1)}`,
    `${night(1)}.gz`,
    'kashbox-2026-08-01.backup',
    'kashbox-4f0c9a31-2026-8-1.backup',
    'kashbox-4f0c9a31-2026-08-011.backup',
    'kashbox.db',
  ];
  t.deepEqual(surplusBackups(others, night(9), 0), []);
});
