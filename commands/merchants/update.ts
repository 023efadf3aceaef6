/** `kashbox merchants update` */
import { boolean, string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { oneId } from '../../src/cli/command/flags.js';

export default class MerchantsUpdate extends BaseCommand {
  static override summary = 'Change what is known of a merchant.';
  static override description =
    'Only what you name is changed; an empty text clears a field. What customers see belongs to the brand: see ' +
    '"kashbox brands update". Everything holds from the next request on.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --name "Amar Dokan Ltd"',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --allow-ip 203.0.113.7 --allow-ip 198.51.100.0/24',
    '<%= config.bin %> <%= command.id %> "Amar Dokan" --allow-any-ip',
  ];
  static override args = { merchant: oneId('Identifier or name of the merchant.') };
  static override flags = {
    name: string({ helpValue: 'NAME', description: 'New name.' }),
    mobile: string({ helpValue: 'NUMBER', description: 'Mobile number of the merchant.' }),
    whatsapp: string({ helpValue: 'NUMBER', description: 'WhatsApp number of the merchant.' }),
    email: string({ helpValue: 'ADDRESS', description: 'E-mail address of the merchant.' }),
    'allow-ip': string({
      helpValue: 'IP',
      description: 'Take requests only from these addresses; replaces the list. May be given several times.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'allow-any-ip': boolean({ description: 'Take requests from any address.', exclusive: ['allow-ip'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MerchantsUpdate);
    const { updateMerchant } = await import('../../src/actions/merchants/update-merchant.js');
    const { name, mobile, whatsapp, email } = flags;
    const updated = await updateMerchant(await this.core(), {
      merchant: args.merchant,
      name,
      mobile,
      whatsapp,
      email,
      allowIps: flags['allow-any-ip'] ? [] : flags['allow-ip'],
      who: this.who,
    });
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    this.show(updated, flags, merchantSheet);
  }
}
