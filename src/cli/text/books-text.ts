/** The books of wallets in sentences: whole, or what is missing, where, and which command shows it. */
import type { BalanceRow } from '../../actions/reports/report-balances.js';
import { formatTaka } from '../../base/values/money.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { minute } from './sheets.js';

/** `bKash 01711000001` */
export const walletText = ({ channel, recipient }: Pick<BalanceRow, 'channel' | 'recipient'>) =>
  `${CHANNEL[channel].name.en} ${recipient}`;

type Reason = BalanceRow['reasons'][number];

/** Each problem is two lines; those before it are in the table. */
const MOST = 5;

const paisaOf = (taka: string) => Number(taka.replace('.', ''));
const sum = (rows: readonly BalanceRow[], field: 'in' | 'out' | 'fee' | 'unclaimed') =>
  formatTaka(rows.reduce((all, row) => all + paisaOf(row[field]), 0));

/** @param date `2026-08-21`. @param rows of that day. @returns one line, and others where money is open. */
export function dayVerdict(date: string, rows: readonly BalanceRow[]): string[] {
  if (rows.length === 0) return [`Wallets on ${date}: no SMS of a wallet came, so nothing can be compared.`];
  const missing = rows.filter(({ state }) => state === 'missing');
  const unknown = rows.filter(({ state }) => state === 'unknown');
  const known = rows.length - missing.length - unknown.length;
  const lines =
    missing.length > 0
      ? [
          `Wallets on ${date}: the books are NOT whole (${missing.map(walletText).join(', ')}).`,
          `  See: kashbox report balances --since ${date}`,
        ]
      : [
          `Wallets on ${date}: the books are whole: ${sum(rows, 'in')} in, ${sum(rows, 'out')} out, ` +
            `${sum(rows, 'fee')} fees.`,
        ];
  if (missing.length === 0 && known === 0) lines.splice(0, 1, `Wallets on ${date}: no SMS told a balance.`);
  return [...lines, ...unclaimedLines(rows)];
}

function unclaimedLines(rows: readonly BalanceRow[]): string[] {
  const open = sum(rows, 'unclaimed');
  const since = rows[0]?.date ?? '';
  return open === '0.00'
    ? []
    : [
        `${open} BDT came in that belongs to no payment.`,
        `  See: kashbox sms list --unmatched --since ${since}`,
      ];
}

/** What a report of wallets says below its table. @param rows the oldest first. */
export function booksLines(rows: readonly BalanceRow[]): string[] {
  const missing = rows.filter(({ state }) => state === 'missing');
  const shown = missing.slice(-MOST);
  const explained = rows.filter(({ state }) => state === 'explained').length;
  return [
    ...(missing.length === 0
      ? ['The books are whole: every balance follows from the SMS.']
      : [`NOT whole: ${missing.length} of ${rows.length} days of wallets do not add up.`]),
    ...(missing.length > shown.length ? [`The last ${shown.length} of them:`] : []),
    ...shown.flatMap(problemLines),
    ...(explained === 0 ? [] : [`Closed with a note: ${explained} (kashbox sms gaps shows the gaps).`]),
    ...unclaimedLines(rows),
  ];
}

function problemLines(row: BalanceRow): string[] {
  return row.reasons
    .filter(({ cause }) => cause !== 'closed')
    .slice(0, MOST)
    .flatMap((reason) => [
      `${row.date}, ${walletText(row)}: ${whatMoved(reason)}`,
      `  ${nextStep(row, reason)}`,
    ]);
}

function whatMoved({ difference, from, until, cause }: Reason): string {
  const isOut = difference.startsWith('-');
  const span = `between ${minute(from)} and ${minute(until)}`;
  const moved = `${difference.replace('-', '')} BDT more ${isOut ? 'went out' : 'came in'} ${span}`;
  return cause === 'text_unclear'
    ? `${moved} than the texts say; one of them is not clear.`
    : `${moved} than the texts say; an SMS is missing.`;
}

function nextStep({ date }: BalanceRow, { cause, gap }: Reason): string {
  if (gap !== null) return 'See: kashbox sms gaps --open';
  if (cause === 'text_unclear') return `See: kashbox sms list --since ${date}`;
  return "Look into the wallet's own statement, and add what is missing: kashbox sms add";
}
