/** `kashbox verifications list` */
import { boolean, option } from '@oclif/core/flags';
import { reviewPages } from '../../src/actions/reviews/list-reviews.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { reviewCard } from '../../src/cli/text/review-text.js';

const STATES = ['OPEN', 'APPROVED', 'REJECTED'] as const;

export default pagedList({
  summary: 'List payments that need manual verification.',
  description:
    'Bank transfers always need a manual decision; so does money that is too much, too late or ' +
    'suspicious. See one with "kashbox verifications show ID", then approve or reject it. Those of test ' +
    'brands are listed only with --test or with --brand.',
  examples: ['$', '$ --brand "Amar Dokan" --csv > waiting.csv', '$ --ndjson | kashbox verifications show -'],
  flags: {
    brand: brandFlag,
    status: option({
      options: STATES,
      description: 'Only this status (default: OPEN).',
    })(),
    all: boolean({ description: 'Include decided verifications.', exclusive: ['status'] }),
    test: boolean({ description: 'Only verifications of test brands.' }),
  },
  empty: 'Nothing waits for you.',
  async read({ core, flags: { brand, status: state = 'OPEN', all, test }, now, limit }) {
    return pagesAs(reviewPages(core, { state: all ? null : state, brand, test, limit }), {
      lines: (row) => reviewCard(row, now),
      // What was asked and how it was decided, for a sheet that is read from left to right.
      csv: [
        ...(['id', 'state', 'reason', 'created_at', 'gateway_reference', 'payment_status'] as const),
        ...(['brand', 'cus_name', 'due', 'due_usdt', 'channel', 'reference'] as const),
        ...(['seen_amount', 'seen_usdt', 'seen_from', 'seen_at', 'slip_type'] as const),
        ...(['decided_at', 'decided_by', 'note', 'slip'] as const),
      ],
    });
  },
});
