/** `kashbox keys list` */
import type { KeyView } from '../../src/actions/keys/key-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { brandFlag, listFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<KeyView> = {
  columns: [
    { head: 'BRAND', text: (row) => row.brand, shrinks: true },
    { head: 'KEY', text: (row) => row.hint },
    { head: 'STATE', text: (row) => row.state },
    { head: 'ID', text: (row) => row.id },
  ],
  csv: ['id', 'brand_id', 'brand', 'hint', 'state', 'created_at', 'dies_at'],
  empty: 'There are no keys here. Make one with: kashbox keys rotate --brand BRAND',
};

export default class KeysList extends BaseCommand {
  static override summary = 'List Brand Keys by their first and last letters.';
  static override description =
    'The keys themselves are kept nowhere and cannot be shown again. ACTIVE works, ENDING works until its time, ' +
    'DEAD is refused.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = { brand: brandFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysList);
    const { listKeys } = await import('../../src/actions/keys/list-keys.js');
    await this.showList(await listKeys(await this.core(), { brand: flags.brand }), flags, LISTING);
  }
}
