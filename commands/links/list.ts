/** `kashbox links list` */
import { linkPages, linkView } from '../../src/actions/links/links.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag, spanFlags } from '../../src/cli/command/flags.js';
import { linkBase } from '../../src/cli/command/link-code.js';
import { linkAmount, linkPaid } from '../../src/cli/text/link-text.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';

export default pagedList({
  summary: 'List payment links.',
  examples: ['$', '$ --brand "Amar Dokan" --since 30d', '$ --json'],
  flags: { brand: brandFlag, ...spanFlags },
  empty: 'There are no payment links. Make one with: kashbox links create',
  async read({ core, flags: { brand }, now, sinceMs, untilMs, limit }) {
    const base = linkBase(core);
    return pagesAs(linkPages(core, { brand, base, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'CREATED', text: (row) => dayAndTime(row.created_at, now) },
        'id',
        shrinking('brand'),
        shrinking('title'),
        { head: 'AMOUNT', text: linkAmount, align: 'right' },
        { head: 'PAID', text: linkPaid, align: 'right' },
        'state',
      ],
      csv: linkView.csv('fields', 'suggest', 'image'),
    });
  },
});
