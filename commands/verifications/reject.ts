/** `kashbox verifications reject` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { ndjsonFlag, noteFlag, verificationIds } from '../../src/cli/command/flags.js';

export default class VerificationsReject extends BaseCommand {
  static override summary = 'Say that the money is not there: the claim is refused.';
  static override description =
    'A payment for which nothing else waits fails, and its customer may start again at the shop. A payment that is ' +
    'completed stays so. Who rejected it, and your note, are kept. Exit code 4: it was decided before.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> rev_0123456789abcdef01234567 --note "no such transfer in the statement"',
    'cat ids.txt | <%= config.bin %> <%= command.id %> - --note "older than a month" --json',
  ];
  static override args = { verifications: verificationIds() };
  static override flags = { note: noteFlag, ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VerificationsReject);
    const core = await this.core();
    const { rejectReview } = await import('../../src/actions/reviews/decide-review.js');
    const { reviewIdOf } = await import('../../src/actions/reviews/list-reviews.js');
    const { rejectedLines } = await import('../../src/cli/text/review-text.js');
    const reject = async (named: string) =>
      rejectReview(core, { id: await reviewIdOf(core, named), note: flags.note, who: this.who });
    await this.each([args.verifications].flat(), flags, reject, rejectedLines);
  }
}
