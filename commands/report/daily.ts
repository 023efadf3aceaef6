/** `kashbox report daily` */
import { booksOfDay } from '../../src/actions/reports/report-balances.js';
import { dayView, reportDays } from '../../src/actions/reports/report-payments.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { report, toReport } from '../../src/cli/command/report.js';
import { dayVerdict, paidLine, refundColumns } from '../../src/cli/text/report-text.js';
import { numberColumn } from '../../src/cli/text/table.js';

export default report({
  summary: 'Report payments by day.',
  description:
    'Days are in Bangladesh time. PAID is money by the day on which it was credited, with its fees; ' +
    'REFUNDED is what was sent back, by the day on which the refund was completed; ' +
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
    const columns = [
      { head: 'DATE', text: ({ date }: (typeof rows)[number]) => date },
      numberColumn('opened'),
      numberColumn('completed'),
      numberColumn('failed'),
      numberColumn('paid'),
      numberColumn('fee'),
    ];
    return toReport(rows, {
      csv: dayView.csv(),
      columns: [...columns, ...refundColumns(rows).slice(0, 1)],
      pageColumns: [...columns, ...refundColumns(rows)],
      chart: {
        kind: 'columns',
        title: 'Paid by day',
        label: ({ date }) => date,
        amount: ({ paid }) => paid,
      },
      async notes() {
        const last = rows.at(-1)?.date;
        const sum = paidLine(rows);
        // Wallets belong to merchants, of which a brand is one shop.
        if (brand !== undefined || last === undefined) return [sum];
        return [sum, ...dayVerdict(last, await booksOfDay(core, last))];
      },
    });
  },
});
