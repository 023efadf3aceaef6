/** A gap in a wallet's balances, told to a person: what is missing, and what to do about it. */
import type { GapRow } from '../../actions/balance-gaps/list-gaps.js';
import { minute } from './sheets.js';

/** @returns a few lines and an empty one. */
export function gapLines(gap: GapRow): string[] {
  const { missing, direction, recipient, channel, merchant } = gap;
  const [from, until] = [minute(gap.before_at), minute(gap.sms_at)];
  const moved = direction === 'in' ? 'came in' : 'went out';
  return [
    `${gap.id}  ${merchant}, ${recipient} (${channel})`,
    `  ${missing} BDT ${moved} between ${from} and ${until}, and no SMS tells of it.`,
    `  ${stateText(gap)}`,
    ...(gap.closed_at === null ? adviceLines(gap, from, until) : []),
    '',
  ];
}

function stateText({ closed_at, closed_by, asked_at, answered_at, device }: GapRow): string {
  if (closed_at !== null) {
    return closed_by === 'sms'
      ? `Closed ${minute(closed_at)}: what was missing came.`
      : `Closed ${minute(closed_at)} by ${closed_by}.`;
  }
  const phone = device === null ? 'the phone' : `the phone "${device}"`;
  if (asked_at === null) return `Open; ${phone} was not asked for it.`;
  if (answered_at === null) return `Open; ${phone} was asked at ${minute(asked_at)} to send its SMS again.`;
  return `Open; ${phone} sent its SMS again at ${minute(answered_at)}, and it was not among them.`;
}

function adviceLines({ direction }: GapRow, from: string, until: string): string[] {
  const open = `  Open the statement in the wallet's app between ${from} and ${until}.`;
  return direction === 'in'
    ? [open, '  If a payment is there, add its SMS with "kashbox sms add"; if not, "kashbox sms close-gap".']
    : [open, '  If you know what it is (savings, a charge), say so with "kashbox sms close-gap".'];
}
