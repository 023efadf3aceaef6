/** `kashbox sms list` */
import { boolean } from '@oclif/core/flags';
import { type SmsRow, smsPages, smsView } from '../../src/actions/sms/list-sms.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { spanFlags, text } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';

/** Result of an SMS, in one word. */
function countsText(row: SmsRow): string {
  if (row.payment !== null) return 'paid';
  if (row.settle !== 'auto') return row.settle;
  return row.recipient === null ? 'review' : 'waits';
}

export default pagedList({
  summary: 'List relayed SMS.',
  description:
    'Received SMS are never deleted. COUNTS shows the status: paid a payment, waits for one, needs manual ' +
    'review (also if the phone did not report the SIM), or never counts.',
  examples: ['$ --unmatched', '$ --search DKM4ABC123', '$ --unparsed --since 7d --json'],
  flags: {
    unmatched: boolean({ description: 'Only money that no payment has used.' }),
    unparsed: boolean({ description: 'Only SMS that match no format.' }),
    search: text('TEXT', 'Only SMS with this transaction ID, amount, payer or text.'),
    ...spanFlags,
  },
  empty: 'There are no such SMS.',
  async read({ core, flags: { unmatched, unparsed, search }, now, sinceMs, untilMs, limit }) {
    return pagesAs(smsPages(core, { unmatched, unparsed, search, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'RECEIVED', text: (row) => dayAndTime(row.received_at, now) },
        shrinking('sender'),
        { head: 'KIND', text: (row) => row.kind.replaceAll('_', ' ') },
        { head: 'AMOUNT', text: (row) => row.amount ?? '', align: 'right' },
        'trx_id',
        { head: 'COUNTS', text: countsText },
        shrinking('body', 'TEXT'),
      ],
      csv: smsView.csv(),
    });
  },
});
