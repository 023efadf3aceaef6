/**
 * Scans a wallet's balance chain and records new gaps, and gaps that closed because the missing SMS arrived.
 */
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { isCredit } from '../../channels/mfs/index.js';
import { type ChainGap, findBalanceGaps } from '../../domain/balance-gaps/balance-chain.js';
import { followsTrusted, type ReadText, toChainLinks } from '../../domain/balance-gaps/balance-link.js';
import { GAP_LIFE_MS } from '../../domain/balance-gaps/gap-steps.js';
import type { Db, SmsGapTable, SmsTable } from '../../store/schema/index.js';
import {
  approvedSms,
  type ChainSms,
  chainBefore,
  chainSince,
  chainUpTo,
  changeGap,
  closeGapRow,
  listOpenGaps,
  openGap,
  smsTimes,
  undatedBetween,
  type WalletRef,
} from '../../store/tables/gaps.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { endAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

const MINUTE = 60_000;
/** SMS before those in question, so that it is known which of them came last. */
const LOOK_BACK = 50;
/** Maximum number of SMS checked at once; a minute with more, which no wallet has, is skipped. */
const LOOK_AHEAD = 500;
/** Maximum number of open gaps: with more, the texts are not a readable chain. */
const MOST_OPEN = 50;

/** Initial values of a gap, also of one that was closed before and is opened again. */
const UNTOUCHED = { asked_at: null, answered_at: null, alert: null, closed_at: null, closed_by: null };

/** SMS of one wallet in order of time, and the period in which the previous SMS of each is known. */
interface ScanWindow {
  readonly sms: readonly ReadText[];
  readonly rows: ReadonlyMap<string, ChainSms>;
  /** Milliseconds since the epoch, both inclusive. */
  readonly from: number;
  readonly until: number;
}

/**
 * @param moments times of SMS around which the chain may have changed, milliseconds since the epoch.
 * @returns how many gaps were opened or closed.
 */
export async function scanWallet(core: Core, wallet: WalletRef, moments: readonly number[]): Promise<number> {
  let done = 0;
  let left = [...moments].sort((one, other) => one - other);
  for (let from = left[0]; from !== undefined; from = left[0]) {
    const moment = from;
    const seen = await core.store.read((db) => findChanges(core, db, wallet, moment));
    const { opened, changed, closed } = seen.changes;
    // Most scans find no change and need no commit.
    if (opened.length + changed.length + closed.length > 0) done += await keep(core, wallet, moment);
    left = left.filter((at) => at > seen.stretch.until);
  }
  return done;
}

function keep(core: Core, wallet: WalletRef, moment: number): Promise<number> {
  return core.store.write(async (db) => {
    await lockMerchant(db, wallet.merchant_id);
    const now = core.clock.now();
    const { stretch, changes } = await findChanges(core, db, wallet, moment);
    for (const row of changes.closed) {
      if (await closeGapRow(db, row.id, now, 'sms')) await endGapAlert(core, db, row);
    }
    for (const { row, gap } of changes.changed) await changeGap(db, row.id, valuesOf(stretch, gap));
    // The wallet may be a row of a gap, with an id of its own.
    const { merchant_id, recipient, channel } = wallet;
    for (const gap of changes.opened) {
      await openGap(db, {
        id: newRowId(core.random, now, 'gap'),
        merchant_id,
        recipient,
        channel,
        device_id: stretch.rows.get(gap.id)?.device_id ?? stretch.rows.get(gap.beforeId)?.device_id ?? null,
        sms_id: gap.id,
        ...valuesOf(stretch, gap),
        found_at: now,
        look_at: now,
        ...UNTOUCHED,
      });
    }
    return changes.opened.length + changes.closed.length;
  });
}

function valuesOf({ rows }: ScanWindow, gap: ChainGap) {
  const before = rows.get(gap.beforeId);
  const since = before === undefined ? 0 : Math.min(timeOfSms(before), before.received_at);
  return { before_id: gap.beforeId, missing_paisa: gap.missingPaisa, since };
}

async function findChanges(core: Core, db: Db, wallet: WalletRef, moment: number) {
  const stretch = await stretchFrom(db, wallet, moment);
  const open = await listOpenGaps(db, wallet);
  return { stretch, changes: changesOf(stretch, open, core.clock.now()) };
}

function changesOf(stretch: ScanWindow, open: readonly SmsGapTable[], now: number) {
  const judged = new Map(
    stretch.sms
      .filter(({ atMs }) => atMs >= stretch.from && atMs <= stretch.until)
      .map((sms) => [sms.id, sms]),
  );
  const gaps = new Map(
    findBalanceGaps(toChainLinks(stretch.sms)).flatMap((gap) =>
      judged.has(gap.id) ? [[gap.id, gap] as const] : [],
    ),
  );
  const known = new Set(open.map(({ sms_id }) => sms_id));
  const isRecent = ({ id }: ChainGap) => (judged.get(id)?.atMs ?? 0) >= now - GAP_LIFE_MS;
  const fresh = [...gaps.values()].filter((gap) => !known.has(gap.id) && isRecent(gap));
  return {
    opened: fresh.slice(0, Math.max(0, MOST_OPEN - open.length)),
    changed: open.flatMap((row) => {
      const gap = gaps.get(row.sms_id);
      const isSame = gap?.missingPaisa === row.missing_paisa && gap.beforeId === row.before_id;
      return gap === undefined || isSame ? [] : [{ row, gap }];
    }),
    closed: open.filter(({ sms_id }) => judged.has(sms_id) && !gaps.has(sms_id)),
  };
}

async function stretchFrom(db: Db, wallet: WalletRef, moment: number): Promise<ScanWindow> {
  const from = Math.floor(moment / MINUTE) * MINUTE;
  const back = (await chainBefore(db, wallet, dhakaIso(from), LOOK_BACK)).reverse();
  const ahead = await chainSince(db, wallet, dhakaIso(from), LOOK_AHEAD);
  const isCut = ahead.length === LOOK_AHEAD;
  // Of a minute that was read in part it cannot be said how it ends.
  const whole = [
    ...(back.length === LOOK_BACK ? withoutMinute(back, back[0]) : back),
    ...(isCut ? withoutMinute(ahead, ahead.at(-1)) : ahead),
  ];
  const last = ahead.at(-1);
  const until = isCut && last !== undefined ? minuteOf(last) - 1 : Number.MAX_SAFE_INTEGER;
  const begin = whole[0] === undefined ? from : Math.min(from, minuteOf(whole[0]));
  const undated = await undatedBetween(db, wallet, begin, until, LOOK_AHEAD);
  const rows = [...whole, ...undated].sort((one, other) => timeOfSms(one) - timeOfSms(other));
  return {
    sms: rows.map(toSmsText),
    rows: new Map(rows.map((row) => [row.id, row])),
    from,
    // A minute with too many SMS is skipped.
    until: Math.max(until, from + MINUTE - 1),
  };
}

function withoutMinute(rows: readonly ChainSms[], row: ChainSms | undefined): readonly ChainSms[] {
  return row === undefined ? rows : rows.filter((one) => minuteOf(one) !== minuteOf(row));
}

/** The times of SMS by their ids. */
export async function loadSmsTimes(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return new Map((await smsTimes(db, ids)).map((row) => [row.id, timeOfSms(row)]));
}

const minuteOf = (sms: ChainSms): number => Math.floor(timeOfSms(sms) / MINUTE) * MINUTE;

/** @returns the transaction's time from the text, otherwise that of receipt; ms since the epoch. */
export function timeOfSms(sms: { readonly at: string | null; readonly received_at: number }): number {
  const ms = sms.at === null ? Number.NaN : Date.parse(sms.at);
  return Number.isNaN(ms) ? sms.received_at : ms;
}

export function toSmsText(row: ChainSms): ReadText {
  return {
    id: row.id,
    body: row.body,
    kind: row.kind,
    credit: isCredit(row.kind),
    amountPaisa: row.amount_paisa,
    feePaisa: row.fee_paisa,
    balancePaisa: row.balance_paisa,
    trxId: row.trx_id,
    format: row.format,
    reasons: JSON.parse(row.reasons) as string[],
    atMs: timeOfSms(row),
  };
}

/** The alert of a wallet's gaps is over when the last is closed. @param gap as it was read before it was. */
export async function endGapAlert(core: Core, db: Db, gap: SmsGapTable): Promise<void> {
  if (gap.alert === null) return;
  const left = await listOpenGaps(db, gap);
  if (!left.some(({ alert }) => alert === gap.alert)) await endAlert(core, db, gap.alert);
}

/** SMS before the one in question: since the last trusted one, money may have moved a few times. */
const CHAIN_LENGTH = 60;

/**
 * True if the balance before an SMS follows from a trusted SMS of the wallet: one that counts by rule, or
 * whose money an operator has approved.
 * @param sms its id, and its time as in the text, ISO 8601.
 * @param beside rows that are stored in the same database transaction.
 */
export async function followsInStore(
  db: Db,
  wallet: WalletRef,
  { id, at }: Pick<SmsTable, 'id' | 'at'>,
  beside: readonly SmsTable[] = [],
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
  const stored = (await chainUpTo(db, wallet, at, CHAIN_LENGTH)).reverse();
  const rows = new Map([...stored, ...own].map((row) => [row.id, row]));
  const texts = [...rows.values()].map(toSmsText).sort((one, other) => one.atMs - other.atMs);
  const text = texts.find((one) => one.id === id);
  if (text === undefined) return false;
  const earlier = texts.filter((one) => one !== text && (one.trxId === null || one.trxId !== text.trxId));
  const approved = await approvedSms(db, {}, [...rows.keys()]);
  const isTrusted = (known: string) =>
    rows.get(known)?.settle === 'auto' || approved.some((one) => one.id === known);
  return followsTrusted(text, earlier, isTrusted);
}
