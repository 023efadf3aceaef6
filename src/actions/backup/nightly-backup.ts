/** The backup that the daemon makes every night, where a folder is set for it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { keyFingerprint } from '../../base/io/secret.js';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { installationFact, setFact } from '../../store/tables/installation.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { lastBackup, OLD_BACKUP_MS } from './last-backup.js';
import { type BackupMade, type BackupOrder, makeBackup } from './make-backup.js';
import { checkNewPassphrase, settingsPassphrase } from './passphrase.js';

type NightMeans = Pick<BackupOrder, 'signal' | 'freeBytes'>;

/**
 * Makes this night's backup unless the folder has it. Old backups are removed only after a new one has been
 * made. After a lack of space the next attempt is made the following night.
 * @param means.freeBytes as for `makeBackup`
 * @returns the backup; null if no folder is set, if it has this night's backup, or if there was no space for
 * it this night.
 * @throws KashboxError as `makeBackup`, `config_invalid`
 */
export async function nightlyBackup(core: Core, means: NightMeans): Promise<BackupMade | null> {
  if (core.settings.backupFolder === '') return null;
  const name = nightlyName(core.clock.now(), keyFingerprint(core.secrets));
  const file = join(core.settings.backupFolder, name);
  if ((await core.store.read((db) => installationFact(db, 'no_room_for'))) === file) return null;
  try {
    const made = await makeNightly(core, file, means);
    await tellIfOld(core);
    return made;
  } catch (error) {
    if (means.signal.aborted) throw error;
    if (isKashboxError(error, 'store_full')) {
      await core.store.write((db) => setFact(db, 'no_room_for', file));
    }
    await tellFailure(core, isKashboxError(error) ? error.message : 'an unexpected error');
    throw error;
  }
}

/** Alerts if the last record is old; files do not count: a daemon may have none, or unrecorded ones. */
async function tellIfOld(core: Core): Promise<void> {
  const last = await lastBackup(core);
  if (last !== null && core.clock.now() - last.at > OLD_BACKUP_MS) {
    await tellFailure(core, `the newest one is from ${dhakaText(last.at)}`);
  }
}

/** Once a day, however often it is tried. */
async function tellFailure(core: Core, reason: string): Promise<void> {
  const day = dhakaText(core.clock.now()).slice(0, 10);
  const alert = { kind: 'backup.failed', detail: { reason }, merchantId: null } as const;
  await core.store.write((db) => raiseAlert(core, db, { ...alert, incident: `backup.failed:${day}` }));
}

async function makeNightly(core: Core, file: string, means: NightMeans): Promise<BackupMade | null> {
  const { backupFolder: folder, backupKeep } = core.settings;
  // Not made here: a disk that is not mounted would be filled where it should be.
  if (!existsSync(folder)) {
    throw new KashboxError('config_invalid', {
      message: `The backup folder ${folder} does not exist`,
      hint: 'Create it or mount its disk; KASHBOX_BACKUP_FOLDER or kashbox.json names it.',
    });
  }
  if (existsSync(file)) return null;
  const given = settingsPassphrase(core.settings);
  const passphrase = given === null ? null : checkNewPassphrase(given);
  const order = { file, passphrase, isOverwriting: false, ...means, onBytes: () => {} };
  const made = await makeBackup(core, order).catch((error: unknown) => {
    // Another daemon was faster.
    if (isKashboxError(error, 'already_exists') || means.signal.aborted) return null;
    throw error;
  });
  for (const old of surplusBackups(readdirSync(folder), basename(file), backupKeep))
    rmSync(join(folder, old));
  return made;
}

/** End of a night, three in the morning in Bangladesh: sales before it belong to the previous day. */
const NIGHT_ENDS_MS = 3 * 3_600_000;

/** A folder may serve several installations. */
const NIGHTLY = /^(kashbox-[0-9a-f]+-)\d{4}-\d{2}-\d{2}\.backup$/;
/** Number of fingerprint digits in a file name. */
const DIGITS = 8;

/**
 * @param fingerprint of the installation's secret.key, hex digits
 * @returns the name of the backup that there should be, such as `kashbox-4f0c9a31-2026-08-21.backup`.
 */
export function nightlyName(now: number, fingerprint: string): string {
  return `kashbox-${fingerprint.slice(0, DIGITS)}-${dhakaIso(now - NIGHT_ENDS_MS).slice(0, 10)}.backup`;
}

/**
 * @param own name of a nightly backup of this installation
 * @returns this installation's backups beyond the newest `keep`; files with other names belong to others.
 */
export function surplusBackups(names: readonly string[], own: string, keep: number): string[] {
  const whose = NIGHTLY.exec(own)?.[1];
  return names
    .filter((name) => NIGHTLY.exec(name)?.[1] === whose)
    .sort()
    .reverse()
    .slice(keep);
}
