/** `kashbox accounts set` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/base-command.js';

export default class AccountsSet extends BaseCommand {
  static override summary = 'Say on which wallet number a brand is paid.';
  static override description =
    'A brand has one account on each channel and type; a new number replaces the old one. Channels are mfs_a ' +
    '(bKash), mfs_b (Nagad), mfs_c (Rocket) and mfs_d (Upay). The phone with that SIM must be enrolled, or its ' +
    'payments cannot be confirmed: see "kashbox devices enroll".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_a --type personal --number 01712345678',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_b --type agent --number 01812345678',
  ];
  static override flags = {
    brand: string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.', required: true }),
    channel: string({ helpValue: 'CHANNEL', description: 'mfs_a, mfs_b, mfs_c or mfs_d.', required: true }),
    type: string({ helpValue: 'TYPE', description: 'personal, agent or payment.', required: true }),
    number: string({
      helpValue: 'NUMBER',
      description: 'Wallet number that receives, 11 digits.',
      required: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountsSet);
    const { setAccount } = await import('../../src/actions/set-account.js');
    const { brand, channel, type, number } = flags;
    const account = await setAccount(await this.core(), { brand, channel, type, number, who: this.who });
    const { accountSheet } = await import('../../src/cli/sheets.js');
    this.show(account, flags, accountSheet);
  }
}
