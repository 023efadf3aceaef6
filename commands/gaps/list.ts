/** `kashbox gaps list` */

import { boolean } from '@oclif/core/flags';
import { type GapRow, gapPages, gapView } from '../../src/actions/balance-gaps/list-gaps.js';
import { minute } from '../../src/base/values/clock.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { merchantFlag, spanFlags } from '../../src/cli/command/flags.js';
import { channelText } from '../../src/domain/accounts/channels.js';

export default pagedList({
  summary: 'List missing SMS detected from wallet balances.',
  description:
    'Each wallet SMS contains the new balance. If it does not follow from the balance before, money moved ' +
    'without an SMS. Kashbox asks the phone to send its SMS again; if the SMS is still missing, an alert ' +
    'follows.',
  examples: ['$ --open', '$ --merchant "Amar Dokan" --since 7d --csv'],
  flags: {
    merchant: merchantFlag,
    open: boolean({ description: 'Only open gaps.' }),
    ...spanFlags,
  },
  empty: 'There are no such gaps: the balances in the SMS of each wallet follow one another.',
  async read({ core, flags: { merchant, open }, sinceMs, untilMs, limit }) {
    return pagesAs(gapPages(core, { merchant, open, sinceMs, untilMs, limit }), {
      lines: gapLines,
      csv: gapView.csv(),
    });
  },
});

/** @returns a few lines and an empty one. */
function gapLines(gap: GapRow): string[] {
  const { missing, direction, recipient, channel, merchant } = gap;
  const [from, until] = [minute(gap.before_at), minute(gap.sms_at)];
  const moved = direction === 'in' ? 'came in' : 'went out';
  return [
    `${gap.id}  ${merchant}, ${recipient}, ${channelText(channel)}`,
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
    ? [open, '  If a payment is there, add its SMS with "kashbox sms add"; if not, "kashbox gaps close".']
    : [open, '  If you know what it is (savings, a charge), say so with "kashbox gaps close".'];
}
