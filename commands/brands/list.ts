/** `kashbox brands list` */
import type { BrandView } from '../../src/actions/brands/brand-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, merchantFlag } from '../../src/cli/command/flags.js';

const LISTING: Listing<BrandView> = {
  columns: [
    { head: 'NAME', text: (row) => row.name, shrinks: true },
    { head: 'MERCHANT', text: (row) => row.merchant, shrinks: true },
    { head: 'WEBHOOK', text: (row) => (row.webhook_url === null ? '' : webhookText(row)) },
    { head: 'ID', text: (row) => row.id },
  ],
  csv: [
    'id',
    'name',
    'merchant_id',
    'merchant',
    'mobile',
    'whatsapp',
    'email',
    'webhook_url',
    'webhook_format',
    'old_webhook_secret_dies_at',
    'session_minutes',
    'proof_window_hours',
    'plugin',
    'dialect',
    'metadata_as',
    'return_type',
    'fees',
    'created_at',
  ],
  empty: 'There are no brands here. A merchant gets its first one with: kashbox merchants create',
};

/** Its format, and whether two secrets sign for the time being. */
function webhookText({ webhook_format, old_webhook_secret_dies_at: diesAt }: BrandView): string {
  return diesAt === null ? webhook_format : `${webhook_format}, 2 secrets`;
}

export default class BrandsList extends BaseCommand {
  static override summary = 'List brands, of one merchant or of all.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --json',
  ];
  static override flags = { merchant: merchantFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(BrandsList);
    const { listBrands } = await import('../../src/actions/brands/list-brands.js');
    await this.showList(await listBrands(await this.core(), { merchant: flags.merchant }), flags, LISTING);
  }
}
