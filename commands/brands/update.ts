/** `kashbox brands update` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { oneId } from '../../src/cli/command/flags.js';
import { hostedFlags, profileFlags, profileOf, timeFlags } from '../../src/cli/input/brand-flags.js';
import { PLUGIN_HELP } from '../../src/cli/text/plugin-text.js';

export default class BrandsUpdate extends BaseCommand {
  static override summary = 'Change a brand: what customers see, its webhook, its fees, its limits of time.';
  static override description =
    'Only what you name is changed; an empty text clears a field. It holds from the next request on; a session ' +
    `that is open keeps its time and its fees. ${PLUGIN_HELP}`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --mobile 01712345678 --whatsapp 01712345678',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --webhook-url https://shop.example.com/kashbox',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --session-minutes 30 --proof-window-hours 2',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --fee mfs_a=1.85% --fee bank=10+0.5% --fee mfs_c=0',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --plugin sohojpay-whmcs',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --dialect flat --metadata-as string --return-type POST',
  ];
  static override args = { brand: oneId('Identifier or name of the brand.') };
  static override flags = {
    name: string({ helpValue: 'NAME', description: 'New name.' }),
    ...profileFlags,
    ...timeFlags,
    ...hostedFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BrandsUpdate);
    const { updateBrand } = await import('../../src/actions/brands/update-brand.js');
    const updated = await updateBrand(await this.core(), {
      brand: args.brand,
      name: flags.name,
      ...profileOf(flags),
      who: this.who,
    });
    const { brandSheet } = await import('../../src/cli/text/sheets.js');
    const { pluginLines, riskText } = await import('../../src/cli/text/plugin-text.js');
    this.show(updated, flags, (view) => [...brandSheet(view), ...pluginLines(flags.plugin, this.width)]);
    const risk = riskText(updated);
    if (risk !== null) this.note(`Note: ${risk}`);
  }
}
