/** `kashbox report channels` */
import { list, rowsAs } from '../../src/cli/command/define.js';
import { reportFlags, reportInput } from '../../src/cli/command/report-flags.js';

export default list({
  summary: 'Add up payments by channel, the one with most money first.',
  description: 'SHARE is per cent of all that was paid. Days are those of Bangladesh.',
  examples: ['$ --since 90d', '$ --brand "Amar Dokan" --json'],
  flags: reportFlags,
  empty: 'Nothing was paid in these days.',
  async read({ core, flags }) {
    const { channelView, reportChannels, sumOf } = await import(
      '../../src/actions/reports/report-payments.js'
    );
    const { barsOf } = await import('../../src/cli/text/report-text.js');
    const rows = await reportChannels(core, await reportInput(flags, core.clock.now()));
    return rowsAs(rows, {
      columns: [
        'channel',
        { head: 'COMPLETED', text: ({ completed }) => String(completed), align: 'right' },
        { head: 'PAID', text: ({ paid }) => paid, align: 'right' },
        { head: 'FEE', text: ({ fee }) => fee, align: 'right' },
        { head: 'SHARE', text: ({ share }) => `${share}%`, align: 'right' },
        { head: '', text: barsOf(rows), shrinks: true },
      ],
      csv: channelView.csv(),
      below: ['', `Paid in all: ${sumOf(rows)} BDT`],
    });
  },
});
