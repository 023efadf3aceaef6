/** `kashbox verifications approve` */
import { option, string } from '@oclif/core/flags';
import { KashboxError } from '../../src/base/errors/errors.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { ndjsonFlag, noteFlag, verificationIds } from '../../src/cli/command/flags.js';
import { PAY_CHANNELS } from '../../src/domain/accounts/channels.js';

export default class VerificationsApprove extends BaseCommand {
  static override summary = 'Say that the money is there: the payment is completed.';
  static override description =
    'Look first: an approved payment stays completed for ever, and the same reference never pays another one. Who ' +
    'approved it, and your note, are kept. With --method any payment is completed by money that you have found ' +
    'yourself, also one that has failed, and nobody need have asked. Exit code 4: it was decided before, or the ' +
    'money is used already or too little.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> rev_0123456789abcdef01234567 --note "seen in the bank app at 14:05"',
    '<%= config.bin %> <%= command.id %> rev_0123456789abcdef01234567 --note "typed 7 for 1" --reference FT26082171',
    '<%= config.bin %> <%= command.id %> K7Q2M9XW4TZB --method qr_interbank --reference 632112345678 --note "the customer showed the slip"',
    '<%= config.bin %> verifications list --brand Eid --ndjson | <%= config.bin %> <%= command.id %> - --note "statement of today"',
  ];
  static override args = { verifications: verificationIds() };
  static override flags = {
    note: noteFlag,
    reference: string({
      helpValue: 'REFERENCE',
      description:
        'What the bank calls it: of a transfer where the customer wrote otherwise, of bank QR which push pays it. With --method: under which id the money stands in the account.',
    }),
    method: option({
      options: PAY_CHANNELS,
      description: 'Channel on which you have found money for a payment that has no verification of it.',
      dependsOn: ['reference'],
    })(),
    ndjson: ndjsonFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VerificationsApprove);
    const { note, reference, method } = flags;
    const ids = [args.verifications].flat();
    if (reference !== undefined && (ids.length > 1 || ids[0] === '-')) {
      throw new KashboxError('invalid_input', {
        message: 'reference belongs to one verification',
        hint: 'Approve that one by itself.',
      });
    }
    const core = await this.core();
    const { approvePayment, approveReview } = await import('../../src/actions/reviews/decide-review.js');
    const { reviewIdOf } = await import('../../src/actions/reviews/list-reviews.js');
    const { approvedLines } = await import('../../src/cli/text/review-text.js');
    const { who } = this;
    const approve = async (named: string) =>
      method === undefined || reference === undefined
        ? approveReview(core, { id: await reviewIdOf(core, named), note, reference, who })
        : approvePayment(core, { payment: named, method, reference, note, who });
    await this.each(ids, flags, approve, approvedLines);
  }
}
