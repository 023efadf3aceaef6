/** Checks the complete installation and reports problems with remedies. Changes no shop data. */

import { isKashboxError } from '../../base/errors/errors.js';
import { type Translate, translate } from '../../base/values/msg.js';
import type { Core } from '../core/core.js';
import { type Check, type Finding, fail, localizeCheck } from './check.js';
import {
  checkCertificate,
  checkDomain,
  checkFormats,
  checkHome,
  checkLastBackup,
  checkSenders,
  checkStoreFiles,
} from './check-home.js';
import { checkAlerts, checkJobs } from './check-jobs.js';
import { checkShops } from './check-shops.js';
import { checkOutside } from './check-sources.js';
import { checkStore } from './check-store.js';

/**
 * @param folder path of the home folder.
 * @param open opens the core; its error becomes a failed check.
 * @param speak translates a text; default: English.
 * @returns all checks, in the order in which problems should be repaired.
 */
export async function examine(
  folder: string,
  open: () => Promise<Core>,
  speak: Translate = translate,
): Promise<Check[]> {
  return (await findings(folder, open)).map((finding) => localizeCheck(finding, speak));
}

async function findings(folder: string, open: () => Promise<Core>): Promise<Finding[]> {
  // First, because opening the core makes the folder and tightens the key file.
  const home = checkHome(folder);
  try {
    const core = await open();
    return [
      ...home,
      ...(core.store.engine === 'sqlite' ? checkStoreFiles(core.home.storeFile) : []),
      ...(await checkStore(core)),
      await checkCertificate(core),
      ...(await checkDomain(core)),
      ...checkFormats(core),
      ...(await checkSenders(core)),
      ...(await checkShops(core)),
      ...(await checkJobs(core)),
      ...(await checkLastBackup(core)),
      ...(await checkAlerts(core)),
      ...(await checkOutside(core)),
    ];
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    const name = error.code === 'config_invalid' ? 'settings' : 'store';
    return [...home, fail(name, error.message, error.hint)];
  }
}
