/** `kashbox payments list` */
import { boolean, option } from '@oclif/core/flags';
import { paymentPages } from '../../src/actions/sessions/list-payments.js';
import { paymentView } from '../../src/actions/sessions/payment-view.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag, linkFlag, spanFlags, text } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';
import { channelText, PAY_CHANNELS } from '../../src/domain/accounts/channels.js';
import { STATUSES } from '../../src/domain/sessions/session.js';

export default pagedList({
  summary: 'List payments.',
  description: 'Payments of test brands are listed only with --test or with --brand.',
  examples: [
    '$ --since 1d',
    '$ --search Rahim',
    '$ --search ORD-7781',
    '$ --link m4k8r2w9xh5c --status COMPLETED',
    '$ --brand "Amar Dokan" --status COMPLETED --csv > paid.csv',
    '$ --status PENDING --ndjson | kashbox payments show -',
  ],
  flags: {
    brand: brandFlag,
    link: linkFlag,
    status: option({ options: STATUSES, description: 'Only this status.' })(),
    channel: option({ options: PAY_CHANNELS, description: 'Only payments received on this channel.' })(),
    search: text(
      'TEXT',
      'Only payments with this number, transaction, amount, payer, customer or meta data.',
    ),
    test: boolean({ description: 'Only payments of test brands.' }),
    ...spanFlags,
  },
  empty: 'There are no such payments.',
  async read({ core, flags: { brand, link, status, channel, search, test }, now, sinceMs, untilMs, limit }) {
    const filter = { brand, link, status, channel, search, test, sinceMs, untilMs, limit };
    return pagesAs(paymentPages(core, filter), {
      columns: [
        { head: 'CREATED', text: (row) => dayAndTime(row.created_at, now) },
        { head: 'REFERENCE', text: (row) => row.gateway_reference },
        { head: 'BRAND', text: (row) => (row.test ? `TEST ${row.brand}` : row.brand), shrinks: true },
        shrinking('cus_name', 'CUSTOMER'),
        { head: 'AMOUNT', text: (row) => row.amount, align: 'right' },
        'status',
        {
          head: 'PAID BY',
          text: ({ channel, transaction_id: id, due, paid }) =>
            channel === null
              ? due === null
                ? ''
                : `${paid}, ${due} due`
              : `${channelText(channel)} ${id ?? ''}`.trim(),
          shrinks: true,
        },
      ],
      csv: paymentView.csv(
        'flow',
        'paid',
        'fee',
        'link',
        'payment_url',
        'test',
        'due',
        'due_on_delivery',
        'refunded',
      ),
    });
  },
});
