/** `kashbox brands show` */
import { brandSheet, findBrandInFull } from '../../src/actions/brands/brand-view.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';

import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Show brands with their accounts and keys.',
  examples: ['$ "Amar Dokan"', 'kashbox brands list --ndjson | $ - --ndjson'],
  args: { brands: many('IDs or names of brands') },
  one: ({ core }, named) => findBrandInFull(core, named),
  lines: (view) => [
    ...formatKeyValues(brandSheet(view)),
    '',
    ...formatKeyValues([
      ...view.accounts.map(
        ({ channel, type, number }) => ['Account', `${channel} ${type} ${number}`] as const,
      ),
      ...view.keys.map(({ hint, state, id }) => ['Key', `${hint} ${state} (${id})`] as const),
    ]),
  ],
});
