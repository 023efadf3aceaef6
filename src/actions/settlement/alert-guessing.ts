/** Raises an alert about guessed ids, inside the unit of work that finds them. */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { GUESS_WINDOW_MS, isGuessable } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { pricedClaims } from '../../store/tables/claims.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Means } from '../core/core.js';
import type { ClaimingSession } from './settle-claim.js';

/** At most one alert per hour, merchant and channel. */
const INCIDENT_MS = 3_600_000;

export interface Guessing {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly paisa: Paisa;
  /** Ids that were claimed for that price and that no money has come under. */
  readonly guesses: number;
}

/** Wrong ids of one session before it counts as guessing; a few may be typing errors. */
const MANY_OF_SESSION = 10;
/** Of all sessions of a price in an hour; shops sell to dozens who pay at the same moment. */
const MANY_IDS = 40;
const MANY_NUMBERS = 10;

/** After a claim of something that is not there. */
export async function checkForGuessing(
  core: Means,
  db: Db,
  session: Pick<ClaimingSession, 'amount_paisa' | 'fees'> & { readonly misses: number },
  { merchant, channel }: { readonly merchant: string; readonly channel: PayChannel },
): Promise<void> {
  if (!isGuessable(channel)) return;
  const paisa = dueOn(channel, session).totalPaisa;
  const limit = CHANNEL[channel].given === 'number' ? MANY_NUMBERS : MANY_IDS;
  const since = core.clock.now() - GUESS_WINDOW_MS;
  const rows = await pricedClaims.all(db, { merchant, channel, paisa, since, limit });
  const isMany = rows.length >= limit || session.misses + 1 >= MANY_OF_SESSION;
  if (isMany) await alertGuessing(core, db, { merchant, channel, paisa, guesses: rows.length });
}

export async function alertGuessing(core: Means, db: Db, guessing: Guessing): Promise<void> {
  const { merchant, channel, paisa, guesses } = guessing;
  const hour = Math.floor(core.clock.now() / INCIDENT_MS);
  await raiseAlert(core, db, {
    kind: 'payment.guessing',
    detail: { channel, amount: formatTaka(paisa), guesses },
    merchantId: merchant,
    incident: `payment.guessing:${merchant}:${channel}:${hour}`,
  });
}
