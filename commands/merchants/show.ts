/** `kashbox merchants show` */
import { findMerchantInFull, merchantSheet } from '../../src/actions/merchants/merchant-view.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';

import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Show merchants with their brands and phones.',
  examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
  args: { merchants: many('IDs or names of merchants') },
  one: ({ core }, named) => findMerchantInFull(core, named),
  lines: (view) => [
    ...formatKeyValues(merchantSheet(view)),
    '',
    ...formatKeyValues([
      ...view.brands.map((brand) => ['Brand', `${brand.name}  (${brand.id})`] as const),
      ...view.devices.map((device) => ['Device', `${device.name}  (${device.id})`] as const),
    ]),
  ],
});
