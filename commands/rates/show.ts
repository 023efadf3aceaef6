/** `kashbox rates show` */
import { listRates, rateView } from '../../src/actions/brands/rates.js';
import { minute } from '../../src/base/values/clock.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { shrinking } from '../../src/cli/text/table.js';

export default list({
  summary: 'Show the price of one USDT.',
  description: 'The default rate first, then the rates of brands that have their own.',
  examples: ['$', '$ --json'],
  empty: 'There is no rate yet, so USDT is not offered. Set one with: kashbox rates set 120.50',
  async read({ core }) {
    return rowsAs(await listRates(core), {
      columns: [
        { head: 'BRAND', text: (row) => row.brand ?? 'every brand', shrinks: true },
        { head: 'BDT FOR 1 USDT', text: (row) => row.rate, align: 'right' },
        { head: 'SET', text: (row) => minute(row.set_at) },
        shrinking('set_by', 'BY'),
      ],
      csv: rateView.csv(),
    });
  },
});
