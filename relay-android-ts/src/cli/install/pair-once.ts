/** Pairing as a part of `install`, which may be run again with the same link. */
import { RelayError } from '../../core/errors.js';
import type { Home } from '../../ports/node-home.js';
import { probe } from '../paired-server.js';

/**
 * @param pairWith pairs this home by a link
 * @returns whom the agent is paired with, for people
 * @throws RelayError `not_paired` without a link where there is no pairing yet, and what `pairWith` throws
 */
export async function pairOnce(
  home: Home,
  link: string | undefined,
  pairWith: (link: string) => Promise<void>,
): Promise<string> {
  const before = await home.readConfig();
  if (link !== undefined) {
    await pairWith(link).catch(async (error: unknown) => {
      // The line was pasted twice: its code is used, but the key from it is valid.
      const isUsed = error instanceof RelayError && error.code === 'pairing_refused';
      const isGood = isUsed && before !== undefined && (await probe(before)).kind === 'well';
      if (!isGood) throw error;
    });
  }
  const config = await home.readConfig();
  if (config === undefined) throw new RelayError('not_paired');
  return `${config.url} as "${config.deviceName}"`;
}
