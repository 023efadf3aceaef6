/** `kashbox accounts list` */

import { boolean } from '@oclif/core/flags';
import {
  type ListedAccountView,
  listAccounts,
  listedAccountView,
} from '../../src/actions/accounts/account-view.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { brandFlag } from '../../src/cli/command/flags.js';
import { shrinking } from '../../src/cli/text/table.js';
import { channelText } from '../../src/domain/accounts/channels.js';

const amountOf = (came: string | null, limit: string | null) =>
  limit === null ? (came ?? '–') : `${came} of ${limit}`;

const TODAY = {
  head: 'TODAY',
  text: ({ in_today, day_limit }: ListedAccountView) => amountOf(in_today, day_limit),
};
const MONTH = {
  head: 'MONTH',
  text: ({ in_month, month_limit }: ListedAccountView) => amountOf(in_month, month_limit),
};

export default list({
  summary: 'List receiving accounts.',
  description:
    'If a number has a limit, also what has come in today and this month, by the SMS of the wallet.',
  examples: ['$ --brand "Amar Dokan"', '$ --all --csv'],
  flags: { brand: brandFlag, all: boolean({ description: 'Include disabled accounts.' }) },
  empty: 'There are no accounts here. Set the first one with: kashbox accounts set',
  async read({ core, flags: { brand, all } }) {
    const accounts = await listAccounts(core, { brand, disabledToo: all });
    const limited = accounts.some(({ day_limit, month_limit }) => (day_limit ?? month_limit) !== null);
    return rowsAs(accounts, {
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
        ...(limited ? [TODAY, MONTH] : []),
        { head: 'ID', text: (row) => (row.active ? row.id : `${row.id} (off)`) },
      ],
      csv: listedAccountView.csv(),
    });
  },
});
