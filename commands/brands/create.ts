/** `kashbox brands create` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { hostedFlags, profileFlags, profileOf, timeFlags } from '../../src/cli/input/brand-flags.js';
import { PLUGIN_HELP } from '../../src/cli/text/plugin-text.js';

export default class BrandsCreate extends BaseCommand {
  static override summary = 'Open a further brand of a merchant.';
  static override description =
    'A brand is what customers see. It has its own Brand Key, accounts and webhook. Key and webhook secret are ' +
    `shown once: copy them now. ${PLUGIN_HELP}`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name "Amar Dokan Online"',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name Eid --session-minutes 30 --json',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name Web --fee mfs_a=1.85% --fee bank=10',
  ];
  static override flags = {
    merchant: string({
      helpValue: 'MERCHANT',
      description: 'Identifier or name of the merchant.',
      required: true,
    }),
    name: string({
      helpValue: 'NAME',
      description: 'Name of the brand; no two have the same.',
      required: true,
    }),
    ...profileFlags,
    ...timeFlags,
    ...hostedFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(BrandsCreate);
    const { createBrand } = await import('../../src/actions/brands/create-brand.js');
    const created = await createBrand(await this.core(), {
      merchant: flags.merchant,
      name: flags.name,
      ...profileOf(flags),
      who: this.who,
    });
    const { pluginLines } = await import('../../src/cli/text/plugin-text.js');
    const { brandSecretsSheet } = await import('../../src/cli/text/sheets.js');
    this.show(created, flags, ({ brand }) => [
      ...brandSecretsSheet(
        [
          ['Brand', brand.name],
          ['Brand id', brand.id],
        ],
        created,
      ),
      ...pluginLines(flags.plugin, this.width),
    ]);
  }
}
