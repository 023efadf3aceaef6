/** `kashbox refunds close` */
import { boolean } from '@oclif/core/flags';
import { closeRefund } from '../../src/actions/refunds/change-refund.js';
import { command } from '../../src/cli/command/define.js';
import { needed, noteFlag, oneId } from '../../src/cli/command/flags.js';
import { refundSheet } from '../../src/cli/text/refund-text.js';

export default command({
  summary: 'Complete a refund by hand.',
  description:
    'For bank transfers and exchanges, whose transfers no SMS reports; for USDT, whose hash Kashbox checks on ' +
    'the chain; and for a wallet whose SMS did not complete the refund. A wallet needs the SMS of ' +
    'that transfer, or --force. A transfer completes one refund only.',
  examples: [
    '$ rfd_0123456789abcdef01234567 --reference FT26325XK2 --note "Sent by bank"',
    '$ rfd_0123456789abcdef01234567 --reference DKQ4TW1CE2 --note "The phone was off" --force',
  ],
  doing: 'Checking',
  args: { refund: oneId('Refund ID.') },
  flags: {
    reference: needed('ID', 'ID of the transfer, as the wallet, bank, exchange or chain names it.'),
    note: noteFlag,
    force: boolean({ description: 'Complete it although no SMS reported that sum to that number.' }),
  },
  async run({ cli, args, flags: { reference, note, force, ...flags } }) {
    const input = { id: args.refund, reference, note, force, who: cli.who };
    cli.show(await closeRefund(await cli.core(), input), flags, refundSheet);
  },
});
