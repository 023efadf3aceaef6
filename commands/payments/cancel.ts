/** `kashbox payments cancel` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Cancel payments that nobody has paid yet.',
  description:
    'The shop is told that the payment has failed, and its page says so to the customer. Money that comes later is ' +
    'kept, and never completes it by itself. Exit code 4: it is over already, or waits for you, see "kashbox ' +
    'verifications".',
  examples: ['$ K7Q2M9XW4TZB', 'kashbox payments list --status PENDING --brand Eid --ndjson | $ -'],
  ofPayments: true,
  args: { payments: manyIds('payments') },
  async work({ core, who }) {
    const { cancelPayment } = await import('../../src/actions/sessions/cancel-session.js');
    const { paymentSheet } = await import('../../src/cli/text/sheets.js');
    return { one: (payment: string) => cancelPayment(core, { payment, who }), lines: paymentSheet };
  },
});
