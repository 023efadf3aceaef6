/** `kashbox verifications reject` */
import { rejectReview } from '../../src/actions/reviews/decide-review.js';
import { findReviewId } from '../../src/actions/reviews/list-reviews.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { noteFlag, verificationIds } from '../../src/cli/command/flags.js';
import { rejectedLines } from '../../src/cli/text/review-text.js';

export default bulkCommand({
  summary: 'Reject verifications.',
  description:
    'The payment fails if nothing else is open for it, and its customer can start again at the shop. A ' +
    'completed payment stays completed. The audit log records who rejected it, and your note. Exit code ' +
    '4: already decided.',
  examples: [
    '$ rev_0123456789abcdef01234567 --note "no such transfer in the statement"',
    'cat ids.txt | $ - --note "older than a month" --json',
  ],
  ofPayments: true,
  args: { verifications: verificationIds },
  flags: { note: noteFlag },
  one: async ({ core, who, flags: { note } }, named) =>
    rejectReview(core, { id: await findReviewId(core, named), note, who }),
  lines: rejectedLines,
});
