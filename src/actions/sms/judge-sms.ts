/**
 * Reasons not to count an SMS as money automatically, whether it came in or was sent to a customer, in
 * addition to those in its text. Needs the store, so it runs in the database transaction that stores the SMS.
 *
 * - **Id range.** The next ids of a wallet are a forecast of its counter, so they decide nothing alone. A
 *   text that is suspicious only because of its id counts as usual if adjacent ids are known, or if its
 *   balance follows from the SMS before it. A stranger who forges a text can cause neither: they do not know
 *   the balance, and only ids are known that an operator approved or imported, or whose own balance followed
 *   (settlement/learn-ids).
 * - **Simulated.** Anyone with the link can read the texts simulated for a test brand on its page. If a real
 *   phone receives one of them, it is not from the wallet, whoever seems to have sent it.
 * - **Source.** The text of an operator's source is weak evidence only while the source is trusted.
 * - **Route.** The SMS arrived over another SMS centre than the wallet's (../settlement/sms-centres).
 */
import { areIdsConsistent, type IssuedId, type SmsReason } from '../../channels/mfs/index.js';
import { MFS_CHANNELS } from '../../domain/accounts/channels.js';
import type { Db, PlainProof, SmsTable } from '../../store/schema/index.js';
import { playedReferences } from '../../store/tables/sessions.js';
import { adjacentWalletIds } from '../../store/tables/wallet-ids.js';
import { followsInStore } from '../balance-gaps/scan-wallet.js';
import type { Core } from '../core/core.js';
import { isStrangeRoute } from '../settlement/sms-centres.js';
import type { SmsAsRead } from './prepare-sms.js';
import { judgeSources } from './trust-sources.js';

const DOUBTED = JSON.stringify(['id_range'] satisfies SmsReason[]);
/** Number of known ids that are checked before and after an id. */
const NEAREST = 3;

/** @returns the SMS of one merchant, marked as money by rule or for manual review, with the reason. */
export async function judgeSms(
  core: Core,
  db: Db,
  texts: readonly SmsAsRead[],
): Promise<readonly SmsAsRead[]> {
  const ranged = await trustRanges(db, texts);
  const known = await judgeSources(core, db, ranged);
  const played = await playedAmong(db, known);
  return Promise.all(
    known.map(async (item) => {
      if (item.row.payee === null && item.proofs.every(({ settle }) => settle === 'review')) return item;
      if (moneyOf(item).some((money) => played.has(nameOf(money)))) return doubted(item, 'played_here');
      return (await isStrangeRoute(core, db, item.row)) ? doubted(item, 'other_route') : item;
    }),
  );
}

function doubted(item: SmsAsRead, reason: SmsReason): SmsAsRead {
  const reasons = [...(JSON.parse(item.row.reasons) as string[]), reason];
  return {
    ...item,
    row: {
      ...item.row,
      settle: item.row.settle === 'never' ? 'never' : 'review',
      reasons: JSON.stringify(reasons),
    },
    proofs: item.proofs.map((proof) => ({ ...proof, settle: 'review' })),
  };
}

type MoneyName = Pick<PlainProof, 'channel' | 'reference'>;

const nameOf = ({ channel, reference }: MoneyName) => `${channel} ${reference}`;

/** Money that came in, or was sent to a customer. */
function moneyOf({ row, proofs }: SmsAsRead): readonly MoneyName[] {
  const { channel, payee, trx_id: reference } = row;
  return payee === null || channel === null || reference === null ? proofs : [{ channel, reference }];
}

/** @returns the ids that the tests of that merchant have invented. */
async function playedAmong(db: Db, texts: readonly SmsAsRead[]): Promise<ReadonlySet<string>> {
  const money = texts.flatMap(moneyOf);
  const merchant = texts[0]?.row.merchant_id;
  if (merchant === undefined || money.length === 0) return new Set();
  const references = [...new Set(money.map(({ reference }) => reference))];
  return new Set((await playedReferences(db, { merchant }, references)).map(nameOf));
}

/** True if the only reason against a message is that its id is outside the forecast range. */
function isOnlyUnforecast({ row }: Pick<SmsAsRead, 'row'>): boolean {
  return row.settle === 'review' && row.reasons === DOUBTED;
}

/** @returns the messages, those as money by rule whose ids are known otherwise. */
async function trustRanges(db: Db, texts: readonly SmsAsRead[]): Promise<readonly SmsAsRead[]> {
  if (!texts.some(isOnlyUnforecast)) return texts;
  const done = [...texts];
  // Of what comes together each may follow from the one before it.
  const order = texts.map((_, index) => index).sort((one, other) => timeOf(done, one) - timeOf(done, other));
  for (const index of order) {
    const item = done[index];
    if (item === undefined || !isOnlyUnforecast(item)) continue;
    const reason = await evidenceFor(
      db,
      item.row,
      done.map(({ row }) => row),
    );
    if (reason !== null) done[index] = believed(item, reason);
  }
  return done;
}

function timeOf(all: readonly SmsAsRead[], index: number): number {
  return Date.parse(all[index]?.row.at ?? '') || 0;
}

function believed(item: SmsAsRead, reason: SmsReason): SmsAsRead {
  return {
    ...item,
    row: { ...item.row, settle: 'auto', reasons: JSON.stringify([reason]) },
    proofs: item.proofs.map((proof) => ({ ...proof, settle: 'auto' })),
  };
}

async function evidenceFor(db: Db, row: SmsTable, others: readonly SmsTable[]): Promise<SmsReason | null> {
  const { trx_id: id, at, merchant_id: merchant, recipient, source_name: source } = row;
  const channel = MFS_CHANNELS.find((known) => known === row.channel);
  if (source !== null || channel === undefined || id === null || at === null) return null;
  if (
    recipient !== null &&
    (await followsInStore(db, { merchant_id: merchant, recipient, channel }, row, others))
  )
    return 'balance_follows';
  const own: IssuedId = { id, atMs: Date.parse(at) };
  const known = await adjacentWalletIds(db, { channel, merchant, id }, NEAREST);
  return known.some((one) => areIdsConsistent(channel, { id: one.id, atMs: one.at }, own))
    ? 'id_near_accepted'
    : null;
}
