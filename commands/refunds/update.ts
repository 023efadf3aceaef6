/** `kashbox refunds update` */
import { updateRefund } from '../../src/actions/refunds/change-refund.js';
import { command } from '../../src/cli/command/define.js';
import { needed, oneId } from '../../src/cli/command/flags.js';
import { refundSheet } from '../../src/cli/text/refund-text.js';

export default command({
  summary: 'Complete the number of a refund.',
  description:
    'Needed where the proof shows the payer only in part or not at all: masked numbers, deposits by an ' +
    'agent, bank transfers, USDT. The number must agree with the digits that the proof shows, and the audit ' +
    'log keeps it.',
  examples: ['$ rfd_0123456789abcdef01234567 --number 01712345268'],
  args: { refund: oneId('Refund ID.') },
  flags: { number: needed('NUMBER', 'Number, account or address of the customer.', 'digits') },
  async run({ cli, args, flags: { number, ...flags } }) {
    const updated = await updateRefund(await cli.core(), { id: args.refund, number, who: cli.who });
    cli.show(updated, flags, refundSheet);
  },
});
