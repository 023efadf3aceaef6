/**
 * Learns how far the counters of wallets have come, in the database transaction that credits. An SMS that was
 * credited to nobody teaches nothing: anyone who forges a text could move the counter.
 */
import { DAY_MS } from '../../base/values/clock.js';
import { ID_KNOWN_FOR_MS } from '../../channels/mfs/index.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { matchesIdShape } from '../../domain/matching/reference.js';
import type { Db } from '../../store/schema/index.js';
import { datedSmsOfProof, forgetWalletIds, idOfDay, putWalletId } from '../../store/tables/wallet-ids.js';
import { followsInStore } from '../balance-gaps/scan-wallet.js';
import type { WriteDeps } from '../core/core.js';

/** An id that is newer by less than that adds nothing. */
const STEP_MS = 3_600_000;

/**
 * Stores the id of a credited SMS, if an operator approved it or its balance follows: the newest of each day.
 * @param by `rule`, or the operator who approved it.
 */
export async function learnId(
  core: WriteDeps,
  db: Db,
  { id: proof, channel: paid }: { readonly id: string; readonly channel: PayChannel },
  by: string,
): Promise<void> {
  const row = CHANNEL[paid];
  if (row.kind !== 'sms' || row.wallet.ids.guessable?.kind !== 'counter') return;
  const { channel } = row;
  const sms = await datedSmsOfProof.first(db, { proof });
  if (sms === undefined || sms.at === null) return;
  const { merchant_id, recipient, reference: id } = sms;
  // Weak money has ids of another series.
  if (!matchesIdShape(channel, id)) return;
  const [at, now] = [Date.parse(sms.at), core.clock.now()];
  if (at > now + DAY_MS || at < now - ID_KNOWN_FOR_MS) return;
  const day = sms.at.slice(0, 10);
  const known = await idOfDay.first(db, { channel, merchant_id, day });
  if (known !== undefined && at < known.at + (by === 'rule' ? STEP_MS : 0)) return;
  if (by === 'rule') {
    if (recipient === null) return;
    if (!(await followsInStore(db, { merchant_id, recipient, channel }, sms))) return;
  }
  const learnt_from = by === 'rule' ? 'balance' : 'approved';
  await putWalletId.all(db, { channel, merchant_id, day, id, at, learnt_from, stored_at: now });
  await forgetWalletIds.all(db, { channel, merchant_id, before: now - ID_KNOWN_FOR_MS });
}
