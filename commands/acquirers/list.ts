/** `kashbox acquirers list` */
import type { AcquirerView } from '../../src/actions/acquirers/acquirer-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, merchantFlag } from '../../src/cli/command/flags.js';

const LISTING: Listing<AcquirerView> = {
  columns: [
    { head: 'NAME', text: (row) => row.name, shrinks: true },
    { head: 'MERCHANT', text: (row) => row.merchant, shrinks: true },
    { head: 'STATUS', text: (row) => row.status },
    { head: 'AUTH', text: (row) => row.auth },
    { head: 'KEY', text: (row) => row.key_hint },
    { head: 'SINCE', text: (row) => row.created_at.slice(0, 10) },
  ],
  csv: ['id', 'name', 'merchant_id', 'merchant', 'status', 'auth', 'key_hint', 'allow_ips', 'created_at'],
  empty: 'There are no acquirers here. Make one known with: kashbox acquirers create',
};

export default class AcquirersList extends BaseCommand {
  static override summary = 'List the banks that tell of payments to QR codes.';
  static override description =
    'REVOKED ones are shut out and come back with "kashbox acquirers create". The map of each is in --json.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --json',
  ];
  static override flags = { merchant: merchantFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(AcquirersList);
    const { listAcquirers } = await import('../../src/actions/acquirers/list-acquirers.js');
    const rows = await listAcquirers(await this.core(), { merchant: flags.merchant });
    await this.showList(rows, flags, LISTING);
  }
}
