/** `kashbox accounts list` */
import { boolean } from '@oclif/core/flags';
import type { AccountView } from '../../src/actions/accounts/account-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { brandFlag, listFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<AccountView> = {
  columns: [
    { head: 'BRAND', text: (row) => row.brand, shrinks: true },
    { head: 'CHANNEL', text: (row) => row.channel },
    { head: 'TYPE', text: (row) => row.type },
    {
      head: 'NUMBER',
      text: ({ number, details }) => [number, details.bank_name ?? details.network].join(' ').trim(),
      shrinks: true,
    },
    { head: 'ID', text: (row) => (row.active ? row.id : `${row.id} (off)`) },
  ],
  csv: [
    'id',
    'brand_id',
    'brand',
    'channel',
    'type',
    'number',
    'details',
    'active',
    'created_at',
    'disabled_at',
  ],
  empty: 'There are no accounts here. Set the first one with: kashbox accounts set',
};

export default class AccountsList extends BaseCommand {
  static override summary = 'List the accounts on which brands are paid.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --all --csv',
  ];
  static override flags = {
    brand: brandFlag,
    all: boolean({ description: 'Disabled accounts too.' }),
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountsList);
    const { listAccounts } = await import('../../src/actions/accounts/list-accounts.js');
    const rows = await listAccounts(await this.core(), { brand: flags.brand, disabledToo: flags.all });
    await this.showList(rows, flags, LISTING);
  }
}
