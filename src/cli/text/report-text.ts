/** Reports in a terminal: a bar for each row, as long as its money is of the most, and lengths of time. */
import type { BalanceRow } from '../../actions/reports/report-balances.js';
import { sumOf } from '../../actions/reports/report-payments.js';
import { minute } from '../../base/values/clock.js';
import { formatTaka, parseTaka } from '../../base/values/money.js';
import { counted } from '../../base/values/text.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { numberColumn } from './table.js';

/** Cells of the longest bar where there is room. */
const WIDTH = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** @param taka decimal text; a negative amount gives 0, which has no bar. */
const paisaOf = (taka: string) => {
  const parsed = parseTaka(taka);
  return parsed.ok ? parsed.paisa : 0;
};

/** A column of bars; any money at all is seen. */
export function barColumn<Row>(rows: readonly Row[], amount: (row: Row) => string) {
  const most = rows.reduce((sofar, row) => Math.max(sofar, paisaOf(amount(row))), 1);
  const bar = (row: Row, width: number) => {
    const paisa = paisaOf(amount(row));
    if (paisa === 0) return '';
    const eighths = Math.max(1, Math.round((paisa / most) * width * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  };
  return { head: '', text: (row: Row) => bar(row, WIDTH), shrinks: true as const, scaled: bar };
}

/** @param minutes an integer. @returns `45m`, `3h 5m`, `2d 4h`; a dash for 0. */
export function lengthText(minutes: number): string {
  if (minutes === 0) return '–';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** The sum of the rows of each label, in the order in which the labels come. */
export function sumByLabel<Row>(
  rows: readonly Row[],
  label: (row: Row) => string,
  amount: (row: Row) => string,
) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(label(row), (sums.get(label(row)) ?? 0) + paisaOf(amount(row)));
  return [...sums].map(([name, paisa]) => ({ label: name, paisa, text: `${formatTaka(paisa)} BDT` }));
}

/** @returns `3`, or `3 (1 open)` if `some` is not 0. */
export const countWithSome = (count: number, some: number, word: string) =>
  some === 0 ? String(count) : `${count} (${some} ${word})`;

/** `bKash 01711000001` */
export const walletText = ({ channel, recipient }: Pick<BalanceRow, 'channel' | 'recipient'>) =>
  `${CHANNEL[channel].name.en} ${recipient}`;

type Reason = BalanceRow['reasons'][number];

/** Each problem is two lines; those before it are in the table. */
const MOST = 5;

type RefundLine = Readonly<Record<'refunded' | 'refund_fee' | 'net', string>>;

/** Columns about refunds; none if nothing was refunded. */
export const refundColumns = (rows: readonly RefundLine[]) =>
  sumOf(rows, 'refunded') === '0.00'
    ? []
    : [numberColumn('refunded'), { ...numberColumn('refund_fee'), head: 'COST' }, numberColumn('net')];

/** Sums below a report of payments. */
export function paidLine(rows: readonly (RefundLine & { readonly paid: string })[]): string {
  const refunded = sumOf(rows, 'refunded');
  const paid = `Paid in all: ${sumOf(rows, 'paid')} BDT`;
  return refunded === '0.00' ? paid : `${paid}; refunded: ${refunded} BDT`;
}

/** @param date `2026-08-21`. @param rows of that day. @returns a line, and others where something is open. */
export function dayVerdict(date: string, rows: readonly BalanceRow[]): string[] {
  const day = `Wallets on ${date}:`;
  if (rows.length === 0) return [`${day} no SMS of a wallet arrived, so nothing can be compared.`];
  const missing = inState(rows, 'missing');
  if (missing.length > 0) {
    return [
      `${day} the balances do NOT match (${walletsText(missing)}).`,
      `  See: kashbox report balances --since ${date}`,
      ...unclaimedLines(rows),
    ];
  }
  const sums = `${sumOf(rows, 'in')} in, ${sumOf(rows, 'out')} out, ${sumOf(rows, 'fee')} fees`;
  const known = rows.length - inState(rows, 'unknown').length;
  return [
    ...(known === 0 ? [] : [`${day} the balances match: ${sums}.`]),
    ...explainedLines(rows),
    ...unknownLines(rows),
    ...unclaimedLines(rows),
    ...transferLines(rows),
  ];
}

const inState = (rows: readonly BalanceRow[], wanted: BalanceRow['state']) =>
  rows.filter(({ state }) => state === wanted);

const walletsText = (rows: readonly BalanceRow[]) => [...new Set(rows.map(walletText))].join(', ');

function explainedLines(rows: readonly BalanceRow[]): string[] {
  const explained = inState(rows, 'explained');
  return explained.length === 0
    ? []
    : [`You have explained the differences (${walletsText(explained)}): kashbox gaps list`];
}

function unknownLines(rows: readonly BalanceRow[]): string[] {
  const unknown = inState(rows, 'unknown');
  return unknown.length === 0
    ? []
    : [`No SMS contains a balance of ${walletsText(unknown)}, so nothing can be compared.`];
}

function unclaimedLines(rows: readonly BalanceRow[]): string[] {
  const open = sumOf(rows, 'unclaimed');
  const since = rows[0]?.date ?? '';
  return open === '0.00'
    ? []
    : [
        `${open} BDT came in and belongs to no payment.`,
        `  See: kashbox sms list --unmatched --since ${since}`,
      ];
}

/** Lines below the table of the balance report. @param rows sorted oldest first. */
export function booksLines(rows: readonly BalanceRow[]): string[] {
  const missing = inState(rows, 'missing');
  const shown = missing.slice(-MOST);
  const isWhole = missing.length === 0 && inState(rows, 'unknown').length < rows.length;
  return [
    ...(isWhole ? ['The balances match.'] : []),
    ...(missing.length > 0
      ? [`The balances do NOT match: ${missing.length} of ${rows.length} days of wallets do not add up.`]
      : []),
    ...(missing.length > shown.length ? [`The last ${shown.length} of them:`] : []),
    ...shown.flatMap(problemLines),
    ...explainedLines(rows),
    ...unknownLines(rows),
    ...unclaimedLines(rows),
    ...transferLines(rows),
  ];
}

/** Lists refunds, and other transfers, the newest of each. */
function transferLines(rows: readonly BalanceRow[]): string[] {
  const all = rows.flatMap(({ date, transfers }) => transfers.map((transfer) => ({ date, ...transfer })));
  const refunds = all.filter(({ refund }) => refund !== null);
  const others = all.filter(({ refund, closed_as }) => refund === null && closed_as === null);
  const listed = (some: typeof all) =>
    some
      .slice(-MOST)
      .map(
        ({ date, amount, payee, reference, refund }) =>
          `  ${date}: ${amount} BDT to ${payee} (${reference})${refund === null ? '' : `, refund ${refund}`}`,
      );
  return [
    ...(refunds.length === 0
      ? []
      : [
          `${sumOf(rows, 'refunded')} BDT went out as refunds:`,
          ...listed(refunds),
          ...(refunds.length > MOST ? ['  All of them: kashbox refunds list'] : []),
        ]),
    ...(others.length === 0
      ? []
      : [
          `${counted(others.length, 'transfer')} went out without a refund:`,
          ...listed(others),
          '  See: kashbox refunds list --sent',
        ]),
  ];
}

function problemLines(row: BalanceRow): string[] {
  return row.reasons
    .filter(({ cause }) => cause !== 'closed')
    .slice(0, MOST)
    .flatMap((reason) => [
      `${row.date}, ${walletText(row)}: ${whatMoved(reason)},`,
      `  ${where(reason)}`,
      `  ${nextStep(row, reason)}`,
    ]);
}

function whatMoved({ difference }: Reason): string {
  const moved = difference.startsWith('-') ? 'went out' : 'came in';
  return `${difference.replace('-', '')} BDT more ${moved} than its SMS say`;
}

function where({ from, until, cause }: Reason): string {
  const why = cause === 'text_unclear' ? 'one of them is not clear' : 'an SMS is missing';
  return `between ${minute(from)} and ${minute(until)}: ${why}.`;
}

function nextStep({ date }: BalanceRow, { cause, gap }: Reason): string {
  if (gap !== null) return 'See: kashbox gaps list --open';
  if (cause === 'text_unclear') return `See: kashbox sms list --since ${date}`;
  return "Check the wallet's own statement, and add what is missing: kashbox sms add";
}
