/** `kashbox refunds cancel` */
import { cancelRefund } from '../../src/actions/refunds/change-refund.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';
import { refundSheet } from '../../src/cli/text/refund-text.js';

export default bulkCommand({
  summary: 'Cancel refunds that nobody has sent.',
  description:
    'Money that paid for nothing can be claimed again. If you send the money all the same, an alert reports ' +
    'the transfer. Exit code 4: the refund is already completed or cancelled.',
  examples: ['$ rfd_0123456789abcdef01234567 --note "The customer takes another shirt"'],
  args: { refunds: many('IDs of refunds') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => cancelRefund(core, { id, note, who }),
  lines: refundSheet,
});
