/**
 * Do the ids that wallets with counters give out stay within what this version of Kashbox forecasts? Told in
 * time, because afterwards SMS may wait for a person.
 */

import { dhakaText } from '../../base/values/clock.js';
import { say } from '../../base/values/say.js';
import { ID_KNOWN_FOR_MS, isExpectedAhead } from '../../channels/mfs/index.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { lastCreditedId } from '../../store/tables/gaps.js';
import type { Core } from '../core/core.js';
import { type Finding, warn } from './check.js';

/** So early there is time to update. */
const AHEAD_MS = 60 * 86_400_000;

export async function checkIdRanges(core: Core): Promise<Finding[]> {
  const counting = WALLETS.filter(({ ids }) => ids.guessable?.kind === 'counter');
  const since = core.clock.now() - ID_KNOWN_FOR_MS;
  const findings: Finding[] = [];
  for (const { channel, name } of counting) {
    const last = await core.store.read((db) => lastCreditedId(db, channel, since));
    if (last === undefined || last.at === null) continue;
    const { reference: id } = last;
    const atMs = Date.parse(last.at);
    if (isExpectedAhead(channel, { id, atMs }, AHEAD_MS)) continue;
    findings.push(
      warn(
        `ids of ${name.en}`,
        say`${name.en} has reached ${id} on ${dhakaText(atMs).slice(0, 10)}, and within 60 days its ids leave what is forecast`,
        say`Update Kashbox before that. Else SMS go to review until you have approved the first: kashbox verifications list`,
      ),
    );
  }
  return findings;
}
