/**
 * Counts the actions of strangers against the budget of the day (domain/strangers/budget), in the database
 * transaction that writes them.
 */
import { hash } from 'node:crypto';
import { KashboxError } from '../../base/errors/errors.js';
import { DAY_MS, DHAKA_OFFSET_MS, dhakaIso } from '../../base/values/clock.js';
import {
  STRANGER_SCOPES,
  type StrangerScope,
  type StrangerUse,
  useFacts,
} from '../../domain/strangers/budget.js';
import type { Db } from '../../store/schema/index.js';
import { strangersBrand, takeStrangerPlace } from '../../store/tables/limits.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { WriteDeps } from '../core/core.js';

/** Brand, link and address against which an action is counted. */
interface Stranger {
  readonly brandId: string;
  readonly merchantId: string;
  /** Null where no payment link is concerned. */
  readonly link: string | null;
  /** Keyed hash of the client's address; null if the address is unknown. */
  readonly addressMark: string | null;
}

export interface OverBudget {
  readonly outcome: 'over_budget';
  /** Time until the next day begins, seconds. */
  readonly retryAfterS: number;
}

/**
 * @returns null where it is booked; else nothing more may be written but the alert, which is raised once a
 *   day for each kind. Narrow scopes first: what one address causes in vain uses nothing of the others.
 */
export async function useBudget(
  core: WriteDeps,
  db: Db,
  use: StrangerUse,
  stranger: Stranger,
): Promise<OverBudget | null> {
  const now = core.clock.now();
  const day = dhakaIso(now).slice(0, 10);
  const { limits } = useFacts(use);
  for (const scope of STRANGER_SCOPES) {
    const most = limits[scope];
    const id = idOf(scope, stranger);
    if (most === undefined || id === null) continue;
    const name = hash('sha256', `${use} ${scope} ${id}`, 'base64url').slice(0, 22);
    if (await takeStrangerPlace(db, { name, day, most })) continue;
    await raiseOverBudget(core, db, { use, scope, limit: most, day }, stranger);
    return { outcome: 'over_budget', retryAfterS: secondsLeft(now) };
  }
  return null;
}

function idOf(scope: StrangerScope, { brandId, link, addressMark }: Stranger): string | null {
  switch (scope) {
    case 'address':
      return addressMark === null ? null : `${brandId} ${addressMark}`;
    case 'link':
      return link;
    case 'brand':
      return brandId;
    default:
      return scope satisfies never;
  }
}

interface Over {
  readonly use: StrangerUse;
  readonly scope: StrangerScope;
  readonly limit: number;
  readonly day: string;
}

async function raiseOverBudget(core: WriteDeps, db: Db, over: Over, stranger: Stranger): Promise<void> {
  const { brandId, merchantId, link } = stranger;
  const brand = await strangersBrand.first(db, { id: brandId });
  await raiseAlert(core, db, {
    kind: 'strangers.limit',
    merchantId,
    incident: `strangers.limit:${brandId}:${over.use}:${over.day}`,
    detail: { ...over, brand: brand?.name ?? '', link },
  });
}

const secondsLeft = (now: number) => Math.ceil((DAY_MS - ((now + DHAKA_OFFSET_MS) % DAY_MS)) / 1_000);

/** @param message what is used up, if the default text is not enough. */
export function overBudget({ retryAfterS }: OverBudget, message?: string): KashboxError {
  const retry = { retryAfterSeconds: retryAfterS };
  return new KashboxError('day_limit_reached', message === undefined ? retry : { ...retry, message });
}
