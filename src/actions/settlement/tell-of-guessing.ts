/** Raises an alert that somebody tries out ids, inside the unit of work that finds it. */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { QR } from '../../domain/accounts/channels.js';
import { GUESS_WINDOW_MS, weakWalletIds } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { pricedClaims } from '../../store/tables/guesses.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import type { ClaimingSession } from './settle-claim.js';

/** Told once an hour for each channel of a merchant, whatever the price. */
const INCIDENT_MS = 3_600_000;

export interface Guessing {
  readonly merchant: string;
  readonly channel: string;
  readonly paisa: Paisa;
  /** Ids that were claimed for that price and that no money has come under. */
  readonly guesses: number;
}

/** Ids that one session names in vain before it is called guessing: who mistypes does so a few times. */
const MANY_OF_SESSION = 10;
/** Of all sessions of a price in an hour; shops sell to dozens who pay at the same moment. */
const MANY_IDS = 40;
const MANY_NUMBERS = 10;

/** After a claim of something that is not there. */
export async function lookForGuessing(
  core: Core,
  db: Db,
  session: Pick<ClaimingSession, 'amount_paisa' | 'fees'> & { readonly misses: number },
  { merchant, channel }: { readonly merchant: string; readonly channel: string },
): Promise<void> {
  if (channel !== QR && weakWalletIds(channel) === null) return;
  const paisa = dueOn(channel, session).totalPaisa;
  const limit = channel === QR ? MANY_NUMBERS : MANY_IDS;
  const since = core.clock.now() - GUESS_WINDOW_MS;
  const rows = await pricedClaims.all(db, { merchant, channel, paisa, since, limit });
  const isMany = rows.length >= limit || session.misses + 1 >= MANY_OF_SESSION;
  if (isMany) await tellOfGuessing(core, db, { merchant, channel, paisa, guesses: rows.length });
}

export async function tellOfGuessing(core: Core, db: Db, guessing: Guessing): Promise<void> {
  const { merchant, channel, paisa, guesses } = guessing;
  const hour = Math.floor(core.clock.now() / INCIDENT_MS);
  await raiseAlert(core, db, {
    kind: 'payment.guessing',
    detail: { channel, amount: formatTaka(paisa), guesses },
    merchantId: merchant,
    deviceId: null,
    incident: `payment.guessing:${merchant}:${channel}:${hour}`,
  });
}
