/** `kashbox refunds list` */
import { boolean } from '@oclif/core/flags';
import { refundPages, refundView, sentPages, sentView } from '../../src/actions/refunds/list-refunds.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag, spanFlags } from '../../src/cli/command/flags.js';
import { refundCard, sentCard } from '../../src/cli/text/refund-text.js';

export default pagedList({
  summary: 'List refunds, or transfers without a refund.',
  description:
    'With --sent it lists transfers from your wallets that completed no refund: close a refund with one, or ' +
    'mark it with "kashbox sms close".',
  examples: ['$ --pending', '$ --brand "Amar Dokan" --since 7d --csv', '$ --sent'],
  flags: {
    brand: brandFlag,
    pending: boolean({ description: 'Only refunds that still have to be sent.' }),
    sent: boolean({
      description: 'Only transfers that belong to no refund.',
      exclusive: ['brand', 'pending'],
    }),
    ...spanFlags,
  },
  empty: 'Nothing is listed.',
  async read({ core, flags: { brand, pending, sent }, sinceMs, untilMs, limit }) {
    if (sent) {
      const listing = { lines: sentCard, csv: sentView.csv() };
      return pagesAs(sentPages(core, { sinceMs, untilMs, limit }), listing);
    }
    return pagesAs(refundPages(core, { brand, pending, sinceMs, untilMs, limit }), {
      lines: refundCard,
      csv: refundView.csv('money_kind'),
    });
  },
});
