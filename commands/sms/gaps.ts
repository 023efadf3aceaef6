/** `kashbox sms gaps` */
import { boolean } from '@oclif/core/flags';
import { gapPages, gapView } from '../../src/actions/balance-gaps/list-gaps.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { merchantFlag, spanFlags } from '../../src/cli/command/flags.js';
import { gapLines } from '../../src/cli/text/gap-text.js';

export default pagedList({
  summary: 'List SMS that never came, as the balances show, the newest first.',
  description:
    'Each SMS of a wallet tells its new balance. Where one does not follow from the one before it, money has ' +
    'moved that no SMS tells of. The phone is asked to send again what it has; what stays missing is an alert.',
  examples: ['$ --open', '$ --merchant "Amar Dokan" --since 7d --csv'],
  flags: {
    merchant: merchantFlag,
    open: boolean({ description: 'Only those that are not closed.' }),
    ...spanFlags,
  },
  empty: 'There are no such gaps: the balances in the SMS of each wallet follow one another.',
  async read({ core, flags: { merchant, open }, sinceMs, untilMs, limit }) {
    return pagesAs(gapPages(core, { merchant, open, sinceMs, untilMs, limit }), {
      lines: gapLines,
      csv: gapView.csv(),
    });
  },
});
