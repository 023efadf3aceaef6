/** `kashbox payments verify` */
import { option } from '@oclif/core/flags';
import { type VerifyOutcome, verifyPayment } from '../../src/actions/claims/verify-claim.js';
import { command } from '../../src/cli/command/define.js';
import { many, ndjsonFlag, needed } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';
import { CHANNELS } from '../../src/domain/accounts/channels.js';

export default command({
  summary: 'Verify a payment by its transaction ID.',
  description:
    'The rules are those of the API. If the money has not arrived yet, the claim is saved and the payment ' +
    'completes automatically when it arrives. Exit code 3: not found yet; 4: refused.',
  doing: 'Asking',
  examples: [
    '$ K7Q2M9XW4TZB --channel mfs_a --transaction-id 9AB7CD1EF2',
    'echo K7Q2M9XW4TZB | $ - --channel mfs_a --transaction-id 9AB7CD1EF2 --json',
  ],
  ofPayments: true,
  args: { payments: many('IDs or names of payments') },
  flags: {
    channel: option({ options: CHANNELS, description: 'Channel that received the money.', required: true })(),
    'transaction-id': needed(
      'ID',
      'Transaction ID, blockchain hash, exchange order ID, or paying number (Bangla QR).',
      'digits',
    ),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const verify = (named: string) => verifyPayment(core, named, flags.channel, flags.transactionId);
    await cli.each([args.payments].flat(), flags, verify, (view) =>
      formatKeyValues([
        ['Payment', view.gateway_reference],
        ['Status', OUTCOME_TEXT[view.outcome]],
        ['Amount', `${view.amount} BDT`],
        ['Customer', view.cus_name],
        // Of one under review the record names the payment in place of a transaction.
        ['Paid by', view.outcome !== 'under_review' ? `${view.payment_method} ${view.transaction_id}` : null],
      ]),
    );
  },
});

const OUTCOME_TEXT: Readonly<Record<VerifyOutcome['outcome'], string>> = {
  completed: 'COMPLETED',
  part: 'PENDING: it has paid a part, and a rest is due',
  under_review: 'PENDING: it needs manual review, because what came does not settle it by itself',
};
