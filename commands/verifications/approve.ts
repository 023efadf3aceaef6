/** `kashbox verifications approve` */
import { boolean, option } from '@oclif/core/flags';
import { refuse } from '../../src/base/errors/refuse.js';
import { command } from '../../src/cli/command/define.js';
import { ndjsonFlag, noteFlag, text, verificationIds } from '../../src/cli/command/flags.js';
import { PAY_CHANNELS } from '../../src/domain/accounts/channels.js';

export default command({
  summary: 'Say that the money is there: the payment is completed.',
  description:
    'Look first: an approved payment stays completed for ever, and the same reference never pays another one. Who ' +
    'approved it, and your note, are kept. With --method any payment is completed by money that you have found ' +
    'yourself, also one that has failed, and nobody need have asked. What speaks against the money, as a forged ' +
    'SMS with its id, is printed as WARNING. Exit code 4: it was decided before, or the money is used already ' +
    'or too little.',
  examples: [
    '$ rev_0123456789abcdef01234567 --note "seen in the bank app at 14:05"',
    '$ rev_0123456789abcdef01234567 --note "typed 7 for 1" --reference FT26082171',
    '$ K7Q2M9XW4TZB --method qr_interbank --reference 632112345678 --note "the customer showed the slip"',
    '$ K7Q2M9XW4TZB --method mfs_a --reference DHL7KQ2P0Z --accept-less --note "10 taka are fine"',
    'kashbox verifications list --brand Eid --ndjson | $ - --note "statement of today"',
  ],
  ofPayments: true,
  args: { verifications: verificationIds() },
  flags: {
    note: noteFlag,
    reference: text(
      'REFERENCE',
      'What the bank calls it: of a transfer where the customer wrote otherwise, of bank QR which push pays it. With --method: under which id the money stands in the account.',
    ),
    method: option({
      options: PAY_CHANNELS,
      description: 'Channel on which you have found money for a payment that has no verification of it.',
      dependsOn: ['reference'],
    })(),
    'accept-less': boolean({
      description: 'Complete the payment although less came in than is due; what came is recorded.',
    }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const { note, reference, method, acceptLess } = flags;
    const ids = [args.verifications].flat();
    if (reference !== undefined && (ids.length > 1 || ids[0] === '-')) {
      refuse('reference belongs to one verification', 'Approve that one by itself.');
    }
    const core = await cli.core();
    const { approvePayment, approveReview } = await import('../../src/actions/reviews/decide-review.js');
    const { reviewIdOf } = await import('../../src/actions/reviews/list-reviews.js');
    const { approvedLines } = await import('../../src/cli/text/review-text.js');
    const { who } = cli;
    const approve = async (named: string) =>
      method === undefined || reference === undefined
        ? approveReview(core, { id: await reviewIdOf(core, named), note, reference, acceptLess, who })
        : approvePayment(core, { payment: named, method, reference, note, acceptLess, who });
    await cli.each(ids, flags, approve, approvedLines);
  },
});
