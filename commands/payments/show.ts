/** `kashbox payments show` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show payments with what customers have claimed.',
  description: 'A payment is named by its id or by its reference of 12 letters and digits.',
  examples: ['$ K7Q2M9XW4TZB', 'kashbox payments list --status PENDING --ndjson | $ - --json'],
  ofPayments: true,
  args: { payments: manyIds('payments') },
  async work({ core }) {
    const { showPayment } = await import('../../src/actions/sessions/list-payments.js');
    const { paymentSheet } = await import('../../src/cli/text/sheets.js');
    return { one: (named) => showPayment(core, named), lines: paymentSheet };
  },
});
