/** `kashbox verifications show` */
import { boolean } from '@oclif/core/flags';
import { KashboxError } from '../../src/base/errors/errors.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { ndjsonFlag, text, verificationIds } from '../../src/cli/command/flags.js';

export default class VerificationsShow extends BaseCommand {
  static override summary = 'Show all that helps to decide: who owes what, what was seen, the SMS, the slip.';
  static override description =
    'With --slip it also writes the picture or PDF that the customer uploaded, in a file that only you can read.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> rev_0123456789abcdef01234567',
    '<%= config.bin %> <%= command.id %> rev_0123456789abcdef01234567 --slip slip.jpg',
    '<%= config.bin %> verifications list --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { verifications: verificationIds() };
  static override flags = {
    slip: text('FILE', 'Write the slip there; "-" writes it, and only it, to a pipe.'),
    force: boolean({ description: 'Replace the file if it is there.', dependsOn: ['slip'] }),
    ndjson: ndjsonFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VerificationsShow);
    const ids = [args.verifications].flat();
    if (flags.slip !== undefined && !(await this.gotSlip(ids, flags.slip, flags.force))) return;
    const core = await this.core();
    const { reviewIdOf, showReview } = await import('../../src/actions/reviews/list-reviews.js');
    const { reviewSheet } = await import('../../src/cli/text/review-text.js');
    const lines = (view: Awaited<ReturnType<typeof showReview>>) => reviewSheet(view, core.clock.now());
    await this.each(ids, flags, async (named) => showReview(core, await reviewIdOf(core, named)), lines);
  }

  /** @returns false where the slip is all that may be printed. */
  private async gotSlip(ids: readonly string[], file: string, overwrite: boolean): Promise<boolean> {
    const [named = '', ...others] = ids;
    if (named === '-' || others.length > 0) {
      throw new KashboxError('invalid_input', {
        message: 'slip takes one verification at a time',
        hint: 'Name one id, and a file for its slip.',
      });
    }
    const { readSlip, reviewIdOf } = await import('../../src/actions/reviews/list-reviews.js');
    const { pipeSlip, saveSlip } = await import('../../src/cli/files/save-slip.js');
    const core = await this.core();
    const id = await reviewIdOf(core, named);
    const slip = await readSlip(core, id);
    if (file === '-') {
      pipeSlip(slip, process.stdout);
      return false;
    }
    this.note(saveSlip(slip, file, id, overwrite));
    return true;
  }
}
