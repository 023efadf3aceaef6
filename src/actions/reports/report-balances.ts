/**
 * Daily accounting of wallets: what the SMS of each wallet say about its day, what part of it was credited to
 * payments, and whether the balances add up. For gaps that were found, it shows the difference.
 */
import { refuse } from '../../base/errors/refuse.js';
import { DAY_MS, dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import {
  type Difference,
  UNKNOWN_WALLET,
  type WalletDay,
  type WalletState,
  walletDay,
} from '../../domain/balance-gaps/wallet-day.js';
import type { Db } from '../../store/schema/index.js';
import {
  chainBefore,
  gapsBefore,
  moneyOfSms,
  textsOfDay,
  transfersOfSms,
  type WalletRef,
  walletsOfMerchant,
} from '../../store/tables/gaps.js';
import { allMerchants } from '../../store/tables/merchants.js';
import { timeOfSms, toSmsText } from '../balance-gaps/scan-wallet.js';
import type { Core } from '../core/core.js';
import { idOfMerchant } from '../input/require-row.js';
import { defineView, isoOrNull } from '../input/view.js';
import { formatDay, listDays, type ReportDays, startOfDay, toSpan } from './report-span.js';

interface ReportBalances extends ReportDays {
  /** Identifier or name; absent for all. */
  readonly merchant?: string | undefined;
}

/**
 * Result: `whole` if the balances follow from the texts, to the paisa; `explained` if not, but an operator
 * gave a reason for each gap; `missing` if not; `unknown` if no text contained a balance.
 */
type BooksState = 'whole' | 'explained' | 'missing' | 'unknown';

type DifferenceCause = 'sms_missing' | 'text_unclear' | 'closed';

interface WalletBooks extends WalletDay {
  readonly date: string;
  readonly merchant: string;
  readonly wallet: WalletRef;
  readonly money: MoneyOfDay;
  readonly transfers: readonly TransferRow[];
  readonly reasons: readonly DifferenceRow[];
}

/** Paisa that came in, by what it is. `parts` is in `credited`; `other` has closed money without a kind. */
type MoneyOfDay = Readonly<Record<'credited' | 'parts' | 'unclaimed' | 'returned' | 'own' | 'other', number>>;

/** Money that was sent to a number. */
type TransferRow = Awaited<ReturnType<typeof transfersOfSms>>[number];

interface DifferenceRow {
  readonly difference: string;
  readonly from: string;
  readonly until: string;
  readonly cause: DifferenceCause;
  /** The gap that was found there, if any. */
  readonly gap: string | null;
}

const taka = (paisa: number | null) => (paisa === null ? null : formatTaka(paisa));

/** BDT with two decimals. end = begin + in - out - fee + difference. */
export const balanceView = defineView<WalletBooks>()(({ same }) => ({
  ...same('date', 'merchant'),
  channel: ({ wallet }) => wallet.channel,
  recipient: ({ wallet }) => wallet.recipient,
  ...same('texts'),
  begin: ({ begin }) => taka(begin),
  in: ({ inPaisa }) => formatTaka(inPaisa),
  out: ({ outPaisa }) => formatTaka(outPaisa),
  fee: ({ feePaisa }) => formatTaka(feePaisa),
  end: ({ end }) => taka(end),
  difference: ({ differences }) => formatTaka(differences.reduce((sum, { paisa }) => sum + paisa, 0)),
  /** Shares of the incoming money: credited to payments, of that to payments in parts, and unclaimed. */
  credited: ({ money }) => formatTaka(money.credited),
  parts: ({ money }) => formatTaka(money.parts),
  unclaimed: ({ money }) => formatTaka(money.unclaimed),
  /** Closed money by its kind. */
  returned: ({ money }) => formatTaka(money.returned),
  own: ({ money }) => formatTaka(money.own),
  other: ({ money }) => formatTaka(money.other),
  /** Share of the outgoing money that completed refunds. */
  refunded: ({ transfers }) =>
    formatTaka(transfers.reduce((sum, row) => sum + (row.refund === null ? 0 : (row.amount_paisa ?? 0)), 0)),
  state: (books) => stateOf(books),
  last_text_at: ({ lastMs }) => isoOrNull(lastMs),
  ...same('reasons'),
  /** Transfers to numbers. `refund`: the refund that it completed; `closed_as`: what the operator says. */
  transfers: ({ transfers }) =>
    transfers.map(({ amount_paisa, ...row }) => ({ ...row, amount: taka(amount_paisa) })),
}));

export type BalanceRow = ReturnType<typeof balanceView>;

function stateOf({ end, reasons }: WalletBooks): BooksState {
  if (end === null) return 'unknown';
  if (reasons.length === 0) return 'whole';
  return reasons.every(({ cause }) => cause === 'closed') ? 'explained' : 'missing';
}

/** Each is a question of its own to the store. */
const MAX_DAYS = 366;

/**
 * Days of wallets on which texts came, the oldest first. A wallet without texts says nothing: what moved on
 * such a day is seen in the next text.
 * @throws KashboxError `not_found`, `invalid_input` for more than a year
 */
export async function reportBalances(core: Core, input: ReportBalances): Promise<BalanceRow[]> {
  const days = listDays(toSpan(input, core.clock.now()));
  if (days.length > MAX_DAYS) {
    refuse('That is more than a year', 'Give a start: --since 90d, --since 2026-08-21.');
  }
  const merchantId = await core.store.read((db) => idOfMerchant(db, input.merchant));
  const merchants = await core.store.read((db) => allMerchants(db));
  const all: WalletBooks[] = [];
  for (const { id, name } of merchants) {
    if (merchantId !== null && merchantId !== id) continue;
    for (const wallet of await core.store.read((db) => walletsOfMerchant(db, id)))
      all.push(...(await core.store.read((db) => booksOf(db, name, wallet, days))));
  }
  return all
    .sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map((row) => balanceView(row));
}

/** Reports the balances of one day. @param date `2026-08-21` */
export function booksOfDay(core: Core, date: string): Promise<BalanceRow[]> {
  const fromMs = Date.parse(`${date}T00:00:00+06:00`);
  return reportBalances(core, { fromMs, toMs: fromMs + DAY_MS });
}

async function booksOf(
  db: Db,
  merchant: string,
  wallet: WalletRef,
  days: readonly number[],
): Promise<WalletBooks[]> {
  const books: WalletBooks[] = [];
  let state = await stateBefore(db, wallet, startOfDay(days[0] ?? 0));
  for (const number of days) {
    const [fromMs, toMs] = [startOfDay(number), startOfDay(number) + DAY_MS];
    const span = { fromMs, toMs, fromIso: dhakaIso(fromMs), toIso: dhakaIso(toMs) };
    const rows = await textsOfDay(db, wallet, span);
    const texts = rows.map(toSmsText).sort((one, other) => one.atMs - other.atMs);
    const { day, state: after } = walletDay(state, texts);
    state = after;
    if (day.texts === 0) continue;
    const ids = rows.map(({ id }) => id);
    const money = await moneyOfDay(db, ids);
    const transfers = await transfersOfSms(db, ids);
    const reasons = await reasonsOf(db, day.differences);
    books.push({ ...day, money, transfers, date: formatDay(number), merchant, wallet, reasons });
  }
  return books;
}

/** Number of SMS before the first day that are read to find its opening balance. */
const LOOK_BACK = 50;
const MINUTE = 60_000;

async function stateBefore(db: Db, wallet: WalletRef, fromMs: number): Promise<WalletState> {
  const rows = (await chainBefore(db, wallet, dhakaIso(fromMs), LOOK_BACK)).reverse();
  const [first] = rows;
  // Of a minute that was read in part it cannot be said how it ends.
  const minuteOf = (row: (typeof rows)[number]) => Math.floor(timeOfSms(row) / MINUTE);
  const isPart = (row: (typeof rows)[number]) =>
    rows.length === LOOK_BACK && first !== undefined && minuteOf(row) === minuteOf(first);
  return walletDay(UNKNOWN_WALLET, rows.filter((row) => !isPart(row)).map(toSmsText)).state;
}

async function moneyOfDay(db: Db, ids: readonly string[]): Promise<MoneyOfDay> {
  const sums = { credited: 0, parts: 0, unclaimed: 0, returned: 0, own: 0, other: 0 };
  for (const { amount_paisa, closed_note, closed_as, session_id, rest_paisa } of await moneyOfSms(db, ids)) {
    const paisa = amount_paisa ?? 0;
    if (session_id !== null) {
      sums.credited += paisa;
      sums.parts += rest_paisa === 0 ? 0 : paisa;
    } else if (closed_note === null) sums.unclaimed += paisa;
    else sums[closed_as ?? 'other'] += paisa;
  }
  return sums;
}

async function reasonsOf(db: Db, differences: readonly Difference[]): Promise<DifferenceRow[]> {
  if (differences.length === 0) return [];
  const gaps = await gapsBefore(
    db,
    differences.map(({ id }) => id),
  );
  return differences.map(({ id, paisa, fromMs, untilMs, isUnclear }) => {
    const gap = gaps.find(({ sms_id }) => sms_id === id);
    const isClosed = gap !== undefined && gap.closed_at !== null && gap.closed_by !== 'sms';
    return {
      difference: formatTaka(paisa),
      from: dhakaIso(fromMs),
      until: dhakaIso(untilMs),
      cause: isClosed ? 'closed' : isUnclear ? 'text_unclear' : 'sms_missing',
      gap: gap?.id ?? null,
    };
  });
}
