/** `kashbox merchants list` */
import { listMerchants, merchantView } from '../../src/actions/merchants/merchant-view.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { shrinking } from '../../src/cli/text/table.js';

export default list({
  summary: 'List merchants.',
  examples: ['$', '$ --csv > merchants.csv', '$ --ndjson | kashbox merchants show -'],
  empty: 'There are no merchants yet. Open the first one with: kashbox setup',
  async read({ core }) {
    return rowsAs(await listMerchants(core), {
      columns: [shrinking('name'), 'status', 'mobile', 'id'],
      csv: merchantView.csv(),
    });
  },
});
