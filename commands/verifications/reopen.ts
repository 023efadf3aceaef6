/** `kashbox verifications reopen` */
import type { ReviewInFull } from '../../src/actions/reviews/list-reviews.js';
import { each } from '../../src/cli/command/define.js';
import { manyVerifications, noteFlag } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Undo a rejection that was a mistake.',
  description:
    'The verification is open again, and you can approve it. A payment that has failed with the rejection stays ' +
    'failed until then: its shop is told when it is completed. Who opened it again, and your note, are kept. ' +
    'Exit code 4: it was not rejected, or the payment is completed.',
  examples: ['$ rev_0123456789abcdef01234567 --note "it is in the statement of Monday"'],
  args: { verifications: manyVerifications() },
  flags: { note: noteFlag },
  async work({ core, who, flags }) {
    const { reopenReview } = await import('../../src/actions/reviews/decide-review.js');
    const { reviewSheet } = await import('../../src/cli/text/review-text.js');
    return {
      one: (id: string) => reopenReview(core, { id, note: flags.note, who }),
      lines: (view: ReviewInFull) => reviewSheet(view, core.clock.now()),
    };
  },
});
