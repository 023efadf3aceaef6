/** `kashbox refunds show` */
import { showRefund } from '../../src/actions/refunds/list-refunds.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { refundSheet } from '../../src/cli/text/refund-text.js';

export default bulkCommand({
  summary: 'Show a refund, and what to do next.',
  examples: ['$ rfd_0123456789abcdef01234567', 'kashbox refunds list --pending --ndjson | $ -'],
  args: { refunds: many('IDs of refunds') },
  one: ({ core }, id) => showRefund(core, id),
  lines: refundSheet,
});
