/** `kashbox report channels` */
import { channelView, reportChannels } from '../../src/actions/reports/report-payments.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { report, toReport } from '../../src/cli/command/report.js';
import { paidLine, refundColumns } from '../../src/cli/text/report-text.js';
import { numberColumn } from '../../src/cli/text/table.js';
import { CHANNEL, channelText } from '../../src/domain/accounts/channels.js';

export default report({
  summary: 'Report payments by channel.',
  description:
    'SHARE is the percentage of all paid money, REFUNDED what was sent back, NET the rest without the cost ' +
    'of sending. Days are in Bangladesh time.',
  examples: ['$ --since 90d', '$ --brand "Amar Dokan" --json', '$ --days 365 --html channels.html'],
  flags: { brand: brandFlag },
  title: 'Payments by channel',
  empty: 'Nothing was paid in these days.',
  async read({ core, flags: { brand }, days }) {
    const rows = await reportChannels(core, { brand, ...days });
    const nameOf = ({ channel }: (typeof rows)[number]) => CHANNEL[channel].name.en;
    const numbers = [
      numberColumn('completed'),
      numberColumn('paid'),
      numberColumn('fee'),
      ...refundColumns(rows),
      { head: 'SHARE', text: ({ share }: (typeof rows)[number]) => `${share}%`, align: 'right' as const },
    ];
    return toReport(rows, {
      csv: channelView.csv(),
      columns: [{ head: 'CHANNEL', text: ({ channel }) => channelText(channel) }, ...numbers],
      pageColumns: [{ head: 'CHANNEL', text: nameOf }, ...numbers],
      chart: { kind: 'bars', title: 'Paid by channel', label: nameOf, amount: ({ paid }) => paid },
      notes: async () => [paidLine(rows)],
    });
  },
});
