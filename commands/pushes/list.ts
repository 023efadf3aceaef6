/** `kashbox pushes list` */
import { boolean } from '@oclif/core/flags';
import { pushPages, pushView } from '../../src/actions/pushes/list-pushes.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { merchantFlag, spanFlags } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';

export default pagedList({
  summary: 'List notifications received from banks.',
  description:
    'Received notifications are never deleted. For each one that settled no payment the list shows why. ' +
    'To credit unclaimed money to a payment: kashbox verifications approve PAYMENT --channel qr_interbank ' +
    '--reference REFERENCE --note …',
  examples: ['$ --unmatched', '$ --unread --since 7d --json'],
  flags: {
    unmatched: boolean({ description: 'Only money that no payment has used.', exclusive: ['unread'] }),
    unread: boolean({
      description: 'Only notifications that could not be parsed or contradict earlier ones.',
    }),
    merchant: merchantFlag,
    ...spanFlags,
  },
  empty: 'There are no such pushes.',
  async read({ core, flags: { merchant, unmatched, unread }, now, sinceMs, untilMs, limit }) {
    return pagesAs(pushPages(core, { merchant, unmatched, unread, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'RECEIVED', text: (row) => dayAndTime(row.received_at, now) },
        shrinking('acquirer'),
        shrinking('reference'),
        { head: 'AMOUNT', text: (row) => row.amount ?? '', align: 'right' },
        'payer',
        { head: 'WHAT CAME OF IT', text: (row) => row.why ?? 'paid', shrinks: true },
      ],
      csv: pushView.csv(),
    });
  },
});
