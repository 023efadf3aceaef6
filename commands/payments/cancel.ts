/** `kashbox payments cancel` */
import { cancelPayment } from '../../src/actions/sessions/cancel-session.js';
import { paymentSheet } from '../../src/actions/sessions/payment-view.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Cancel unpaid payments.',
  description:
    'The shop gets a notification that the payment failed, and the page tells the customer. Money that ' +
    'arrives later is kept but never completes the payment automatically. Exit code 4: the payment is ' +
    'already over, or needs your review (see "kashbox verifications").',
  examples: ['$ K7Q2M9XW4TZB', 'kashbox payments list --status PENDING --brand Eid --ndjson | $ -'],
  ofPayments: true,
  args: { payments: many('IDs or names of payments') },
  one: ({ core, who }, payment) => cancelPayment(core, { payment, who }),
  lines: (view) => formatKeyValues(paymentSheet(view)),
});
