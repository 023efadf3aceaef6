/** The backup that the daemon makes every night, where a folder is set for it. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { isBackupDraft, nightlyName, surplusBackups } from '../../domain/upkeep/nightly-backups.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { lastBackup, OLD_BACKUP_MS } from './last-backup.js';
import { type BackupMade, makeBackup } from './make-backup.js';
import { checkNewPassphrase, settingsPassphrase } from './passphrase.js';

/** Longer than any backup takes: another daemon may be at work on one in the same folder. */
const DRAFT_LIFE_MS = 86_400_000;

/**
 * What is due is seen in the folder: whoever asks again makes no second one. Old ones go only after a new one
 * has been made.
 * @returns what was made; null where no folder is set, or where this night's is there already.
 * @throws KashboxError as `makeBackup`, `config_invalid`
 */
export async function nightlyBackup(core: Core, signal: AbortSignal): Promise<BackupMade | null> {
  if (core.settings.backupFolder === '') return null;
  try {
    const made = await makeNightly(core, signal);
    await tellIfOld(core);
    return made;
  } catch (error) {
    if (!signal.aborted)
      await tellFailure(core, isKashboxError(error) ? error.message : 'an unexpected error');
    throw error;
  }
}

/** Another daemon's folder may hold none, and this one's may hold files that were never recorded. */
async function tellIfOld(core: Core): Promise<void> {
  const last = await lastBackup(core);
  if (last !== null && core.clock.now() - last.at > OLD_BACKUP_MS) {
    await tellFailure(core, `the newest one is of ${dhakaText(last.at)}`);
  }
}

/** Once a day, however often it is tried. */
async function tellFailure(core: Core, reason: string): Promise<void> {
  const day = dhakaText(core.clock.now()).slice(0, 10);
  const alert = { kind: 'backup.failed', detail: { reason }, merchantId: null } as const;
  await core.store.write((db) => raiseAlert(core, db, { ...alert, incident: `backup.failed:${day}` }));
}

async function makeNightly(core: Core, signal: AbortSignal): Promise<BackupMade | null> {
  const { backupFolder: folder, backupKeep } = core.settings;
  // Not made here: a disk that is not mounted would be filled where it should be.
  if (!existsSync(folder)) {
    throw new KashboxError('config_invalid', {
      message: `The folder for backups ${folder} is not there`,
      hint: 'Make it, or mount its disk; it is named by KASHBOX_BACKUP_FOLDER or kashbox.json.',
    });
  }
  const now = core.clock.now();
  const names = readdirSync(folder);
  for (const draft of names.filter(isBackupDraft)) removeOld(join(folder, draft), now);
  const name = nightlyName(now);
  if (names.includes(name)) return null;
  const given = settingsPassphrase(core.settings);
  const passphrase = given === null ? null : checkNewPassphrase(given);
  const order = { file: join(folder, name), passphrase, isOverwriting: false, signal, onBytes: () => {} };
  const made = await makeBackup(core, order).catch((error: unknown) => {
    // Another daemon was faster.
    if (isKashboxError(error, 'already_exists') || signal.aborted) return null;
    throw error;
  });
  for (const old of surplusBackups(readdirSync(folder), backupKeep)) rmSync(join(folder, old));
  return made;
}

function removeOld(draft: string, now: number): void {
  const made = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? now;
  if (now - made > DRAFT_LIFE_MS) rmSync(draft, { force: true });
}
