/** `kashbox accounts list` */

import { boolean } from '@oclif/core/flags';
import { accountView, listAccounts } from '../../src/actions/accounts/account-view.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { shrinking } from '../../src/cli/text/table.js';
import { channelText } from '../../src/domain/accounts/channels.js';

export default list({
  summary: 'List receiving accounts.',
  examples: ['$ --brand "Amar Dokan"', '$ --all --csv'],
  flags: { brand: brandFlag, all: boolean({ description: 'Include disabled accounts.' }) },
  empty: 'There are no accounts here. Set the first one with: kashbox accounts set',
  async read({ core, flags: { brand, all } }) {
    return rowsAs(await listAccounts(core, { brand, disabledToo: all }), {
      columns: [
        shrinking('brand'),
        { head: 'CHANNEL', text: ({ channel }) => channelText(channel) },
        'type',
        {
          head: 'NUMBER',
          text: ({ number, details, personal_qr: code }) => {
            const holder = code === null ? details.holder : `QR of ${code.name}`;
            return [number, details.bank_name ?? details.network ?? holder].join(' ').trim();
          },
          shrinks: true,
        },
        { head: 'ID', text: (row) => (row.active ? row.id : `${row.id} (off)`) },
      ],
      csv: accountView.csv(),
    });
  },
});
