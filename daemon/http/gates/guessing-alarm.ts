/**
 * Tells operators of addresses that use up their failed authentications. It remembers whom it has told of,
 * so that a flood costs no row a request, and tells of few addresses an hour, however many there are.
 */
import { tellGuessing } from '../../../src/actions/access/authenticate-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import type { Log } from '../../../src/base/io/log.js';
import { logFailure } from '../../loops/store-watch.js';

const HOUR_MS = 3_600_000;
/** A botnet has thousands; whoever is told of twenty knows enough. */
const MAX_AN_HOUR = 20;

/** @returns what is to be called with each such address; it never throws and makes nobody wait. */
export function guessingAlarm(core: Core, log: Log): (address: string) => void {
  let hour = 0;
  const told = new Set<string>();
  return (address) => {
    const now = Math.floor(core.clock.now() / HOUR_MS);
    if (now !== hour) told.clear();
    hour = now;
    if (told.has(address) || told.size >= MAX_AN_HOUR) return;
    told.add(address);
    tellGuessing(core, address, core.settings.failedAuthPerMinute).catch((error: unknown) =>
      logFailure(core, log, { err: error, address }, 'that somebody guesses keys could not be written down'),
    );
  };
}
