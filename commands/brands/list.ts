/** `kashbox brands list` */
import { brandView, listBrands } from '../../src/actions/brands/brand-view.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { merchantFlag } from '../../src/cli/command/flags.js';
import { shrinking } from '../../src/cli/text/table.js';

export default list({
  summary: 'List brands.',
  examples: ['$', '$ --merchant "Amar Dokan" --json'],
  flags: { merchant: merchantFlag },
  empty: 'There are no brands here. A merchant gets its first one with: kashbox merchants create',
  async read({ core, flags: { merchant } }) {
    return rowsAs(await listBrands(core, { merchant }), {
      columns: [
        shrinking('name'),
        shrinking('merchant'),
        {
          head: 'WEBHOOK',
          text: ({ webhook_url, webhook_format, old_webhook_secret_expires_at: overlap }) =>
            webhook_url === null ? '' : webhook_format + (overlap === null ? '' : ', 2 secrets'),
        },
        'id',
      ],
      csv: brandView.csv(),
    });
  },
});
