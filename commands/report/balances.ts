/** `kashbox report balances` */
import { balanceView, reportBalances } from '../../src/actions/reports/report-balances.js';
import { merchantFlag } from '../../src/cli/command/flags.js';
import { report, toReport } from '../../src/cli/command/report.js';
import { booksLines, walletText } from '../../src/cli/text/report-text.js';
import { merchantColumn, numberColumn } from '../../src/cli/text/table.js';

export default report({
  summary: 'Compare wallet balances with their SMS by day.',
  description:
    'Every wallet SMS contains the balance. END is the balance in the last SMS of the day, BEGIN the end ' +
    'of the day before; IN, OUT and FEE are the sums of the SMS, and DIFFERENCE is what no SMS explains: ' +
    'END - BEGIN - IN + OUT + FEE. 0.00 means that the day is complete. Days without SMS are left out; ' +
    'money that moved on such a day appears as a difference in the next SMS. Money after the last SMS is ' +
    'not known yet.',
  examples: [
    '$ --since today',
    '$ --since 2026-08-01 --until 2026-09-01 --csv > wallets.csv',
    '$ --html books.html',
  ],
  flags: { merchant: merchantFlag },
  title: 'Books of wallets',
  empty: 'No SMS of a wallet came in these days.',
  async read({ core, flags: { merchant }, days }) {
    const rows = await reportBalances(core, { merchant, ...days });
    const date = { head: 'DATE', text: (row: (typeof rows)[number]) => row.date };
    const wallet = { head: 'WALLET', text: walletText, shrinks: true as const };
    const amounts = [
      numberColumn('begin'),
      numberColumn('in'),
      numberColumn('out'),
      numberColumn('fee'),
      numberColumn('end'),
      numberColumn('difference'),
    ];
    return toReport(rows, {
      csv: balanceView.csv('reasons', 'transfers'),
      columns: [date, wallet, ...amounts.slice(1)],
      pageColumns: [
        date,
        ...merchantColumn(rows),
        wallet,
        ...amounts,
        ...(rows.some(({ refunded }) => refunded !== '0.00') ? [numberColumn('refunded')] : []),
        numberColumn('credited'),
        numberColumn('unclaimed'),
        { head: 'STATE', text: ({ state }) => state },
      ],
      chart: {
        kind: 'columns',
        title: 'What came in by day',
        label: (row) => row.date,
        amount: (row) => row.in,
        isOnPageOnly: true,
      },
      notes: async () => booksLines(rows),
    });
  },
});
