/** `kashbox keys list` */
import { keyView, listKeys } from '../../src/actions/keys/keys.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { shrinking } from '../../src/cli/text/table.js';

export default list({
  summary: 'List Brand Keys.',
  description:
    'The keys themselves are not stored and cannot be shown again. ACTIVE works, EXPIRING works until its ' +
    'time, REVOKED is refused.',
  examples: ['$ --brand "Amar Dokan"', '$ --json'],
  flags: { brand: brandFlag },
  empty: 'There are no keys here. Make one with: kashbox keys rotate --brand BRAND',
  async read({ core, flags: { brand } }) {
    return rowsAs(await listKeys(core, { brand }), {
      columns: [shrinking('brand'), { head: 'KEY', text: (row) => row.hint }, 'state', 'id'],
      csv: keyView.csv(),
    });
  },
});
