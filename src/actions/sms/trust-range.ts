/**
 * Which ids a wallet gives out next is a forecast of somebody else's counter, so it decides nothing alone. A
 * text that is doubted only because its id was not forecast counts like any other where ids beside it were
 * accepted here, or where its balance follows from the SMS before it. A stranger who writes a text in the
 * wallet's name can bring about neither: they do not know the balance, and what is accepted are SMS that a
 * person has approved or whose own balance followed.
 */
import { type IssuedId, isBeside, type MfsChannel, type SmsReason } from '../../channels/mfs/index.js';
import { followsTrusted } from '../../domain/balance-gaps/balance-link.js';
import type { Db, SmsTable } from '../../store/schema/index.js';
import type { Wallet } from '../../store/tables/gaps.js';
import { type CreditedId, chainUpTo, idsBeside } from '../../store/tables/gaps.js';
import { textOf } from '../balance-gaps/scan-wallet.js';
import type { Prepared } from './prepare-sms.js';

const DOUBTED = JSON.stringify(['id_range'] satisfies SmsReason[]);
/** SMS before the one in question: since the last one that came in, money may have gone out a few times. */
const LOOK_BACK = 20;
/** Credited ids that are looked at, before and behind. */
const NEAREST = 3;

/** Whether all but its id's place in the forecast speaks for a message. */
function isOnlyUnforecast({ row }: Pick<Prepared, 'row'>): boolean {
  return row.settle === 'review' && row.reasons === DOUBTED;
}

/** @returns the messages, those as money by rule whose ids are known otherwise. */
export async function trustRanges(db: Db, prepared: readonly Prepared[]): Promise<readonly Prepared[]> {
  if (!prepared.some(isOnlyUnforecast)) return prepared;
  const done = [...prepared];
  // Of what comes together each may follow from the one before it.
  const order = prepared
    .map((_, index) => index)
    .sort((one, other) => timeOf(done, one) - timeOf(done, other));
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

function timeOf(all: readonly Prepared[], index: number): number {
  return Date.parse(all[index]?.row.at ?? '') || 0;
}

function believed(item: Prepared, reason: SmsReason): Prepared {
  return {
    ...item,
    row: { ...item.row, settle: 'auto', reasons: JSON.stringify([reason]) },
    proofs: item.proofs.map((proof) => ({ ...proof, settle: 'auto' })),
  };
}

async function evidenceFor(db: Db, row: SmsTable, beside: readonly SmsTable[]): Promise<SmsReason | null> {
  const { channel, trx_id: id, at } = row;
  if (channel === null || id === null || at === null) return null;
  const wallet = walletOf(row, channel);
  if (wallet !== null && (await isInOrder(db, wallet, row, beside))) return 'balance_follows';
  const own: IssuedId = { id, atMs: Date.parse(at) };
  for (const credited of await idsBeside(db, channel, id, NEAREST)) {
    const known: IssuedId = { id: credited.reference, atMs: Date.parse(credited.at ?? '') };
    if (isBeside(channel, known, own) && (await isAccepted(db, channel, credited))) return 'id_near_accepted';
  }
  return null;
}

function walletOf(row: Pick<SmsTable, 'merchant_id' | 'recipient'>, channel: MfsChannel): Wallet | null {
  const { merchant_id, recipient } = row;
  return recipient === null ? null : { merchant_id, recipient, channel };
}

/** A person has approved it, or its balance followed when the rule credited it. */
async function isAccepted(db: Db, channel: MfsChannel, credited: CreditedId): Promise<boolean> {
  if (credited.credited_by !== 'rule') return true;
  const wallet = walletOf(credited, channel);
  if (wallet === null || credited.at === null) return false;
  return isInOrder(db, wallet, { id: credited.sms_id, at: credited.at }, []);
}

/** @param beside rows that are stored together with it. */
async function isInOrder(
  db: Db,
  wallet: Wallet,
  { id, at }: Pick<SmsTable, 'id' | 'at'>,
  beside: readonly SmsTable[],
): Promise<boolean> {
  if (at === null) return false;
  const { merchant_id, recipient, channel } = wallet;
  const own = beside.filter(
    (row) =>
      row.merchant_id === merchant_id &&
      row.recipient === recipient &&
      row.channel === channel &&
      row.at !== null &&
      row.at <= at,
  );
  const stored = (await chainUpTo(db, wallet, at, LOOK_BACK)).reverse();
  const rows = new Map([...stored, ...own].map((row) => [row.id, row]));
  const texts = [...rows.values()].map(textOf).sort((one, other) => one.atMs - other.atMs);
  const text = texts.find((one) => one.id === id);
  if (text === undefined) return false;
  const earlier = texts.filter((one) => one !== text && one.trxId !== text.trxId);
  return followsTrusted(text, earlier, (earlierId) => rows.get(earlierId)?.settle === 'auto');
}
