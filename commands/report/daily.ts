/** `kashbox report daily` */
import { booksOfDay } from '../../src/actions/reports/report-balances.js';
import { dayView, reportDays, sumPaid } from '../../src/actions/reports/report-payments.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { report, toReport } from '../../src/cli/command/report.js';
import { dayVerdict } from '../../src/cli/text/report-text.js';
import { numberColumn } from '../../src/cli/text/table.js';

export default report({
  summary: 'Report payments by day.',
  description:
    'Days are in Bangladesh time. PAID is money by the day on which it was credited, with its fees; ' +
    'OPENED and FAILED count payments by the day on which they were created. The line below the table ' +
    'says whether the wallet balances of the last day add up: see "kashbox report balances".',
  examples: [
    '$',
    '$ --since 2026-08-01 --brand "Amar Dokan" --csv > august.csv',
    '$ --days 7 --html week.html',
  ],
  flags: { brand: brandFlag },
  title: 'Payments by day',
  empty: 'There are no days.',
  async read({ core, flags: { brand }, days }) {
    const rows = await reportDays(core, { brand, ...days });
    return toReport(rows, {
      csv: dayView.csv(),
      columns: [
        { head: 'DATE', text: ({ date }) => date },
        numberColumn('opened'),
        numberColumn('completed'),
        numberColumn('failed'),
        numberColumn('paid'),
        numberColumn('fee'),
      ],
      chart: {
        kind: 'columns',
        title: 'Paid by day',
        label: ({ date }) => date,
        amount: ({ paid }) => paid,
      },
      async notes() {
        const last = rows.at(-1)?.date;
        const sum = `Paid in all: ${sumPaid(rows)} BDT`;
        // Wallets belong to merchants, of which a brand is one shop.
        if (brand !== undefined || last === undefined) return [sum];
        return [sum, ...dayVerdict(last, await booksOfDay(core, last))];
      },
    });
  },
});
