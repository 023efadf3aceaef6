/** The backup that the daemon makes every night, where a folder is set for it. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { isBackupDraft, nightlyName, surplusBackups } from '../../domain/upkeep/nightly-backups.js';
import type { Core } from '../core/core.js';
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
  const { backupFolder: folder, backupKeep } = core.settings;
  if (folder === '') return null;
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
