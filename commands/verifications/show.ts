/** `kashbox verifications show` */
import { boolean } from '@oclif/core/flags';
import { readSlip, reviewIdOf, showReview } from '../../src/actions/reviews/list-reviews.js';
import { refuse } from '../../src/base/errors/refuse.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { ndjsonFlag, text, verificationIds } from '../../src/cli/command/flags.js';
import { pipeSlip, saveSlip } from '../../src/cli/files/save-slip.js';
import { reviewSheet } from '../../src/cli/text/review-text.js';

export default command({
  summary: 'Show what helps to decide: what is due, what was seen, SMS and slip.',
  description:
    'With --slip it also writes the picture or PDF that the customer uploaded, in a file that only you can read.',
  examples: [
    '$ rev_0123456789abcdef01234567',
    '$ rev_0123456789abcdef01234567 --slip slip.jpg',
    'kashbox verifications list --ndjson | $ - --json',
  ],
  ofPayments: true,
  args: { verifications: verificationIds },
  flags: {
    slip: text('FILE', 'Write the slip there; "-" writes it, and only it, to a pipe.'),
    force: boolean({ description: 'Replace the file if it is there.', dependsOn: ['slip'] }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const ids = [args.verifications].flat();
    if (flags.slip !== undefined && !(await gotSlip(cli, ids, flags.slip, flags.force))) return;
    const core = await cli.core();
    const lines = (view: Awaited<ReturnType<typeof showReview>>) => reviewSheet(view, core.clock.now());
    await cli.each(ids, flags, async (named) => showReview(core, await reviewIdOf(core, named)), lines);
  },
});

/** @returns false where the slip is all that may be printed. */
async function gotSlip(
  cli: BaseCommand,
  ids: readonly string[],
  file: string,
  overwrite: boolean,
): Promise<boolean> {
  const [named = '', ...others] = ids;
  if (named === '-' || others.length > 0) {
    refuse('slip takes one verification at a time', 'Name one id, and a file for its slip.');
  }
  const core = await cli.core();
  const id = await reviewIdOf(core, await cli.wholeId(named));
  const slip = await readSlip(core, id);
  if (file === '-') {
    pipeSlip(slip, process.stdout);
    return false;
  }
  cli.note(saveSlip(slip, file, id, overwrite));
  return true;
}
