/** When the last backup was made, and whether the next night's can be. */

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { dhakaText } from '../../base/values/clock.js';
import { say } from '../../base/values/say.js';
import { quoted } from '../../base/values/text.js';
import { lastBackup, OLD_BACKUP_MS } from '../backup/last-backup.js';
import type { Core } from '../core/core.js';
import { type Finding, ok, warn } from './check.js';

const MINUTE_MS = 60_000;
/** The home can be written by whoever runs commands; where they stand need not be. */
const remedyFor = ({ home }: Core) =>
  say`Make one: kashbox backup ${quoted(join(home.folder, 'kashbox.backup'))}, and move it to another machine. KASHBOX_BACKUP_FOLDER makes one every night.`;

export async function checkLastBackup(core: Core): Promise<Finding[]> {
  return [await checkAge(core), ...checkFolder(core.settings.backupFolder)];
}

async function checkAge(core: Core): Promise<Finding> {
  const last = await lastBackup(core);
  if (last === null)
    return warn('backup', say`none was made since this store began or was restored`, remedyFor(core));
  const age = core.clock.now() - last.at;
  const said = say`the last one is of ${dhakaText(last.at)}, ${last.file}`;
  // One of the future was noted by a wrong clock.
  return age > OLD_BACKUP_MS || age < -MINUTE_MS ? warn('backup', said, remedyFor(core)) : ok('backup', said);
}

function checkFolder(folder: string): Finding[] {
  if (folder === '') return [];
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch {
    const remedy = say`Make it, mount its disk, or give it to the user of the daemon.`;
    return [warn('backup folder', say`${folder} is not there, or cannot be written`, remedy)];
  }
}
