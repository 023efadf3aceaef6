/** `kashbox merchants list` */
import type { MerchantView } from '../../src/actions/merchants/merchant-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<MerchantView> = {
  columns: [
    { head: 'NAME', text: (row) => row.name, shrinks: true },
    { head: 'STATUS', text: (row) => row.status },
    { head: 'MOBILE', text: (row) => row.mobile },
    { head: 'ID', text: (row) => row.id },
  ],
  csv: ['id', 'name', 'status', 'mobile', 'whatsapp', 'email', 'allow_ips', 'created_at'],
  empty: 'There are no merchants yet. Open the first one with: kashbox setup',
};

export default class MerchantsList extends BaseCommand {
  static override summary = 'List all merchants.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --csv > merchants.csv',
    '<%= config.bin %> <%= command.id %> --ndjson | <%= config.bin %> merchants show -',
  ];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(MerchantsList);
    const { listMerchants } = await import('../../src/actions/merchants/list-merchants.js');
    await this.showList(await listMerchants(await this.core()), flags, LISTING);
  }
}
