/** For commands that only read: they create no home, key or store. */
import { existsSync } from 'node:fs';
import { KashboxError } from '../../base/errors/errors.js';
import { openHome, sealingKeyFile } from '../../config/home.js';
import { readSettings } from '../../config/settings.js';
import type { CoreOptions } from './core.js';

/**
 * Creates nothing. On PostgreSQL only the home is looked at.
 * @throws KashboxError `store_unreachable` where no command has made an installation, `config_invalid`
 */
export function requireHome({ folder, env, given = {} }: CoreOptions): void {
  // Each of them is made by whatever opens the installation first.
  if (!existsSync(folder)) throw missing(folder, 'there is no such folder');
  if (!existsSync(sealingKeyFile(folder))) throw missing(folder, 'it has no secret.key');
  const { settings, storeFile } = openHome(folder);
  if (readSettings(given, env, settings).databaseUrl !== '' || existsSync(storeFile)) return;
  throw missing(folder, 'it has no kashbox.db');
}

function missing(folder: string, why: string): KashboxError {
  return new KashboxError('store_unreachable', {
    message: `There is no Kashbox in ${folder}: ${why}`,
    hint: 'Set KASHBOX_HOME to the home folder of the installation, or make one with `kashbox setup`.',
  });
}
