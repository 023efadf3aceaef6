/** `kashbox brands update` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/base-command.js';
import { oneId, profileFlags, timeFlags } from '../../src/cli/flags.js';

export default class BrandsUpdate extends BaseCommand {
  static override summary = 'Change a brand: what customers see, its webhook, its limits of time.';
  static override description =
    'Only what you name is changed; an empty text clears a field. It holds from the next request on; a session ' +
    'that is open keeps its time.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --mobile 01712345678 --whatsapp 01712345678',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --webhook-url https://shop.example.com/kashbox',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --session-minutes 30 --proof-window-hours 2',
  ];
  static override args = { brand: oneId('Identifier or name of the brand.') };
  static override flags = {
    name: string({ helpValue: 'NAME', description: 'New name.' }),
    ...profileFlags,
    ...timeFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BrandsUpdate);
    const { updateBrand } = await import('../../src/actions/update-brand.js');
    const updated = await updateBrand(await this.core(), {
      brand: args.brand,
      name: flags.name,
      mobile: flags.mobile,
      whatsapp: flags.whatsapp,
      email: flags.email,
      webhookUrl: flags['webhook-url'],
      sessionMinutes: flags['session-minutes'],
      proofWindowHours: flags['proof-window-hours'],
      who: this.who,
    });
    const { brandSheet } = await import('../../src/cli/sheets.js');
    this.show(updated, flags, brandSheet);
  }
}
