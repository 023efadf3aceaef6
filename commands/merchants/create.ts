/** `kashbox merchants create` */
import { string } from '@oclif/core/flags';
import { quoted } from '../../src/base/values/text.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { hostedFlags, profileFlags, profileOf } from '../../src/cli/input/brand-flags.js';

export default class MerchantsCreate extends BaseCommand {
  static override summary = 'Open a merchant with its first brand and Brand Key.';
  static override description =
    'The first brand has the name of the merchant. Its Brand Key and webhook secret are shown once: copy them now. ' +
    'A lost key is replaced with "kashbox keys rotate".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --name "Amar Dokan" --mobile 01712345678 --email shop@example.com',
    '<%= config.bin %> <%= command.id %> --name "Amar Dokan" --allow-ip 203.0.113.7 --json',
  ];
  static override flags = {
    name: string({
      helpValue: 'NAME',
      description: 'Name of the merchant; no two have the same.',
      required: true,
    }),
    ...profileFlags,
    ...hostedFlags,
    'allow-ip': string({
      helpValue: 'IP',
      description: 'Take requests only from this IP address or CIDR range. May be given several times.',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(MerchantsCreate);
    const { createMerchant } = await import('../../src/actions/merchants/create-merchant.js');
    const created = await createMerchant(await this.core(), {
      name: flags.name,
      ...profileOf(flags),
      allowIps: flags['allow-ip'] ?? [],
      who: this.who,
    });
    const { brandSecretsSheet } = await import('../../src/cli/text/sheets.js');
    this.show(created, flags, ({ merchant, brand }) => [
      ...brandSecretsSheet(
        [
          ['Merchant', merchant.name],
          ['Merchant id', merchant.id],
          ['Brand id', brand.id],
        ],
        created,
      ),
      '',
      'Next, say where the money arrives:',
      `  kashbox accounts set --brand ${quoted(brand.name)} --channel mfs_a --type personal --number 01…`,
    ]);
  }
}
