/** `kashbox payments show` */
import { showPayment } from '../../src/actions/sessions/list-payments.js';
import { paymentSheet } from '../../src/actions/sessions/payment-view.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Show payments with their claims.',
  description: 'Name a payment by its ID or by its reference of 12 letters and digits.',
  examples: ['$ K7Q2M9XW4TZB', 'kashbox payments list --status PENDING --ndjson | $ - --json'],
  ofPayments: true,
  args: { payments: many('IDs or names of payments') },
  one: ({ core }, named) => showPayment(core, named),
  lines: (view) => formatKeyValues(paymentSheet(view)),
});
