/** `kashbox payments list` */
import { option } from '@oclif/core/flags';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag, searchFlag, spanFlags } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';
import { STATUSES } from '../../src/domain/sessions/session.js';

export default pagedList({
  summary: 'List payments, the newest first.',
  examples: [
    '$ --since 1d',
    '$ --search Rahim',
    '$ --brand "Amar Dokan" --status COMPLETED --csv > paid.csv',
    '$ --status PENDING --ndjson | kashbox payments show -',
  ],
  flags: {
    brand: brandFlag,
    status: option({ options: STATUSES, description: 'Only payments in this state.' })(),
    search: searchFlag('number, transaction, amount, payer or customer'),
    ...spanFlags,
  },
  empty: 'There are no such payments.',
  async read({ core, flags: { brand, status, search }, now, sinceMs, untilMs, limit }) {
    const { paymentPages, paymentView } = await import('../../src/actions/sessions/list-payments.js');
    return pagesAs(paymentPages(core, { brand, status, search, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'CREATED', text: (row) => dayAndTime(row.created_at, now) },
        { head: 'REFERENCE', text: (row) => row.gateway_reference },
        shrinking('brand'),
        shrinking('cus_name', 'CUSTOMER'),
        { head: 'AMOUNT', text: (row) => row.amount, align: 'right' },
        'status',
        {
          head: 'PAID BY',
          text: (row) => [row.channel, row.transaction_id].join(' ').trim(),
          shrinks: true,
        },
      ],
      csv: paymentView.csv('flow', 'paid', 'fee', 'payment_url'),
    });
  },
});
