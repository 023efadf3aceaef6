/** `kashbox verifications reopen` */
import { reopenReview } from '../../src/actions/reviews/decide-review.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';
import { reviewSheet } from '../../src/cli/text/review-text.js';

export default bulkCommand({
  summary: 'Reopen a rejected verification.',
  description:
    'You can then approve it. A payment that failed with the rejection stays failed until then; its shop ' +
    'is notified when it completes. The audit log records who reopened it, and your note. Exit code 4: it ' +
    'was not rejected, or the payment is completed.',
  examples: ['$ rev_0123456789abcdef01234567 --note "it is in the statement of Monday"'],
  args: { verifications: many('IDs of verifications') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => reopenReview(core, { id, note, who }),
  lines: (view, { core }) => reviewSheet(view, core.clock.now()),
});
