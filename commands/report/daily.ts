/** `kashbox report daily` */
import { list, rowsAs } from '../../src/cli/command/define.js';
import { reportFlags, reportInput } from '../../src/cli/command/report-flags.js';

export default list({
  summary: 'Add up payments by day, the oldest day first.',
  description:
    'Days are those of Bangladesh. PAID is money by the day on which it was credited, with its fees; OPENED and ' +
    'FAILED count payments by the day on which they were opened. Days without payments are told, too.',
  examples: ['$', '$ --since 2026-08-01 --brand "Amar Dokan" --csv > august.csv', '$ --since 7d --json'],
  flags: reportFlags,
  empty: 'There are no days.',
  async read({ core, flags }) {
    const { dayView, reportDays, sumOf } = await import('../../src/actions/reports/report-payments.js');
    const { barsOf } = await import('../../src/cli/text/report-text.js');
    const rows = await reportDays(core, await reportInput(flags, core.clock.now()));
    return rowsAs(rows, {
      columns: [
        'date',
        { head: 'OPENED', text: ({ opened }) => String(opened), align: 'right' },
        { head: 'COMPLETED', text: ({ completed }) => String(completed), align: 'right' },
        { head: 'FAILED', text: ({ failed }) => String(failed), align: 'right' },
        { head: 'PAID', text: ({ paid }) => paid, align: 'right' },
        { head: 'FEE', text: ({ fee }) => fee, align: 'right' },
        { head: '', text: barsOf(rows), shrinks: true },
      ],
      csv: dayView.csv(),
      below: ['', `Paid in all: ${sumOf(rows)} BDT`],
    });
  },
});
